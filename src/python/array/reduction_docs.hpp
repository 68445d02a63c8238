// Docstrings of reductions and accumulations, with their common parts as macros.
#pragma once

namespace dpep::python::docs {

// --- parameters of many functions ---

#define DPEP_AXES_DOC "axis : int or tuple of int, optional\n    The axes to reduce; all when None.\n"
#define DPEP_AXIS_DOC                                                                                                  \
  "axis : int, optional\n"                                                                                             \
  "    The axis to reduce. When None, the index refers to the flattened array.\n"
#define DPEP_KEEPDIMS_DOC "keepdims : bool, optional\n    Whether the result keeps the reduced axes, with length 1.\n"
#define DPEP_OUT_DOC "out : usm_ndarray, optional\n    Output array with the shape and dtype of the result.\n"
#define DPEP_TYPE_DOC                                                                                                  \
  "dtype : dtype, optional\n"                                                                                          \
  "    Data type of the result and of the computation. When None: for integers and bool the widest integer type of\n"  \
  "    their kind, else that of `x`.\n"
#define DPEP_REAL_TYPE_DOC                                                                                             \
  "dtype : dtype, optional\n"                                                                                          \
  "    Data type of the result. When None: the default floating-point type for integers and bool, else that of `x`,\n" \
  "    which must not be complex.\n"
#define DPEP_CORRECTION_DOC                                                                                            \
  "correction : int or float, optional\n"                                                                              \
  "    Degrees of freedom c: the sum of squares is divided by n - c for n elements.\n"
#define DPEP_ACCUMULATION_DOC                                                                                          \
  "axis : int, optional\n    The axis to accumulate along; optional for arrays of one dimension.\n"                    \
  "dtype : dtype, optional\n"                                                                                          \
  "    Data type of the result and of the accumulation; that of the corresponding reduction when None.\n"              \
  "include_initial : bool, optional\n"                                                                                 \
  "    Whether the result begins with the operation's identity, and is longer by one element.\n" DPEP_OUT_DOC

// --- further reasons for a ValueError ---

#define DPEP_NO_MORE_ERRORS ""
#define DPEP_EMPTY_ERRORS "    Also when a reduced axis has length 0.\n"
#define DPEP_COMPLEX_ERRORS "    Also for complex arrays.\n"

#define DPEP_DOC(what, parameters, errors, code, shown)                                                                \
  what "\n\nParameters\n----------\nx : usm_ndarray\n    The array.\n" parameters "\nRaises\n------\n"                 \
       "TypeError\n    When `x` or `out` is not an array.\n"                                                           \
       "numpy.exceptions.AxisError\n    For an axis that `x` does not have.\n"                                         \
       "ValueError\n    For an axis that is named twice, and when `out` is read-only or of another shape or "          \
       "dtype.\n" errors "\nExamples\n--------\n>>> import dpctl.tensor as dpt\n>>> dpt." code "\nusm_ndarray" shown   \
       "\n"

inline constexpr char sum[] =
    DPEP_DOC("Return the sum of elements.\n\n"
             "Floats are added pairwise in fixed blocks, so that the result does not depend on the number of threads.",
             DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_NO_MORE_ERRORS,
             "sum(dpt.ones((2, 3)), axis=0)", "([2., 2., 2.])");
inline constexpr char prod[] =
    DPEP_DOC("Return the product of elements.", DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC,
             DPEP_NO_MORE_ERRORS, "prod(dpt.asarray([1, 2, 3]))", "(6)");
inline constexpr char logsumexp[] =
    DPEP_DOC("Return the logarithm of the sum of the exponentials of elements, without overflow.",
             DPEP_AXES_DOC DPEP_REAL_TYPE_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_NO_MORE_ERRORS,
             "logsumexp(dpt.asarray([1000.0, 1000.0])) == 1000 + dpt.log(dpt.asarray(2.0))", "(True)");
inline constexpr char reduce_hypot[] =
    DPEP_DOC("Return the square root of the sum of squares of elements, without overflow.",
             DPEP_AXES_DOC DPEP_REAL_TYPE_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_NO_MORE_ERRORS,
             "reduce_hypot(dpt.asarray([3.0, 4.0]))", "(5.)");
inline constexpr char max[] = DPEP_DOC(
    "Return the largest element, or NaN if any element is. Complex numbers compare by real, then by imaginary part.",
    DPEP_AXES_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_EMPTY_ERRORS, "max(dpt.asarray([[1, 5], [2, 3]]), axis=1)",
    "([5, 3])");
inline constexpr char min[] = DPEP_DOC(
    "Return the smallest element, or NaN if any element is. Complex numbers compare by real, then by imaginary part.",
    DPEP_AXES_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_EMPTY_ERRORS, "min(dpt.asarray([[1, 5], [2, 3]]), axis=1)",
    "([1, 2])");
inline constexpr char count_nonzero[] =
    DPEP_DOC("Return the number of elements that are not zero.", DPEP_AXES_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC,
             DPEP_NO_MORE_ERRORS, "count_nonzero(dpt.asarray([0, 3, 4]))", "(2)");
inline constexpr char argmax[] =
    DPEP_DOC("Return the index of the first largest element, or of the first NaN.",
             DPEP_AXIS_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_EMPTY_ERRORS, "argmax(dpt.asarray([2, 7, 5]))", "(1)");
inline constexpr char argmin[] =
    DPEP_DOC("Return the index of the first smallest element, or of the first NaN.",
             DPEP_AXIS_DOC DPEP_KEEPDIMS_DOC DPEP_OUT_DOC, DPEP_EMPTY_ERRORS, "argmin(dpt.asarray([2, 7, 5]))", "(0)");
inline constexpr char all[] =
    DPEP_DOC("Return whether all elements are true (not zero).", DPEP_AXES_DOC DPEP_KEEPDIMS_DOC, DPEP_NO_MORE_ERRORS,
             "all(dpt.asarray([1, 0]))", "(False)");
inline constexpr char any[] =
    DPEP_DOC("Return whether any element is true (not zero).", DPEP_AXES_DOC DPEP_KEEPDIMS_DOC, DPEP_NO_MORE_ERRORS,
             "any(dpt.asarray([1, 0]))", "(True)");
inline constexpr char mean[] = DPEP_DOC(
    "Return the arithmetic mean, in the dtype of `x`, or the default floating-point type for integers and bool.",
    DPEP_AXES_DOC DPEP_KEEPDIMS_DOC, DPEP_NO_MORE_ERRORS, "mean(dpt.asarray([1, 2, 6]))", "(3.)");
inline constexpr char var[] = DPEP_DOC("Return the variance: the mean of the squared distances from the mean.",
                                       DPEP_AXES_DOC DPEP_CORRECTION_DOC DPEP_KEEPDIMS_DOC, DPEP_COMPLEX_ERRORS,
                                       "var(dpt.asarray([1.0, 3.0]))", "(1.)");
inline constexpr char std[] = DPEP_DOC("Return the standard deviation: the square root of the variance.",
                                       DPEP_AXES_DOC DPEP_CORRECTION_DOC DPEP_KEEPDIMS_DOC, DPEP_COMPLEX_ERRORS,
                                       "std(dpt.asarray([1.0, 3.0]))", "(1.)");
inline constexpr char cumulative_sum[] =
    DPEP_DOC("Return the cumulative sums of elements.", DPEP_ACCUMULATION_DOC, DPEP_NO_MORE_ERRORS,
             "cumulative_sum(dpt.asarray([1, 2, 3]), include_initial=True)", "([0, 1, 3, 6])");
inline constexpr char cumulative_prod[] =
    DPEP_DOC("Return the cumulative products of elements.", DPEP_ACCUMULATION_DOC, DPEP_NO_MORE_ERRORS,
             "cumulative_prod(dpt.asarray([1, 2, 3]))", "([1, 2, 6])");
inline constexpr char cumulative_logsumexp[] = DPEP_DOC(
    "Return the logarithms of the cumulative sums of the elements' exponentials, without overflow.",
    DPEP_ACCUMULATION_DOC, DPEP_NO_MORE_ERRORS, "cumulative_logsumexp(dpt.asarray([-dpt.inf, 1.0]))", "([-inf,   1.])");

}  // namespace dpep::python::docs
