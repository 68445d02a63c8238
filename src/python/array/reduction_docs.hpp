// Docstrings of reductions and accumulations.
#pragma once

namespace dpep::python::docs {

#define DPEP_REDUCTION_AXES                                                                                            \
  R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int or tuple of int, optional
    Which axes; all when None.
)"
#define DPEP_KEEPDIMS                                                                                                  \
  R"(keepdims : bool, optional
    Whether the axes stay, with length 1.
)"
#define DPEP_REDUCTION_OUT                                                                                             \
  R"(out : usm_ndarray, optional
    Where to write the result; of its shape and dtype.
)"
#define DPEP_REDUCTION_ERRORS                                                                                          \
  R"(
Raises
------
TypeError
    When `x` or `out` is not an array.
numpy.exceptions.AxisError
    For an axis that `x` does not have.
ValueError
    For an axis that is named twice, and when `out` is read-only or of another shape or dtype.
)"
#define DPEP_EMPTY_ERRORS                                                                                              \
  DPEP_REDUCTION_ERRORS R"(    Also when there is no element to choose from.
)"

inline constexpr char sum[] = R"(Add up elements.

Floats are added pairwise in fixed blocks: the result does not depend on the number of threads.
)" DPEP_REDUCTION_AXES R"(dtype : dtype, optional
    Type of the result and of the summation. When None: for integers and bool the widest integer type of their kind, else
    that of `x`.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.sum(dpt.ones((2, 3)), axis=0)
usm_ndarray([2., 2., 2.])
)";

inline constexpr char prod[] = R"(Multiply elements.
)" DPEP_REDUCTION_AXES R"(dtype : dtype, optional
    Type of the result and of the products. When None: for integers and bool the widest integer type of their kind, else
    that of `x`.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.prod(dpt.asarray([1, 2, 3]))
usm_ndarray(6)
)";

inline constexpr char logsumexp[] =
    R"(Return the logarithm of the sum of the exponentials of elements, without overflow.
)" DPEP_REDUCTION_AXES R"(dtype : dtype, optional
    Type of the result. When None: the default floating-point type for integers and bool, else that of `x`, which cannot be
    complex.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.logsumexp(dpt.asarray([1000.0, 1000.0])) == 1000 + dpt.log(dpt.asarray(2.0))
usm_ndarray(True)
)";

inline constexpr char reduce_hypot[] = R"(Return the square root of the sum of squares of elements, without overflow.
)" DPEP_REDUCTION_AXES R"(dtype : dtype, optional
    Type of the result. When None: the default floating-point type for integers and bool, else that of `x`, which cannot be
    complex.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.reduce_hypot(dpt.asarray([3.0, 4.0]))
usm_ndarray(5.)
)";

inline constexpr char max[] =
    R"(Return the largest elements; NaN when there is one. Complex numbers compare by real, then by imaginary part.
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_EMPTY_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.max(dpt.asarray([[1, 5], [2, 3]]), axis=1)
usm_ndarray([5, 3])
)";

inline constexpr char min[] =
    R"(Return the smallest elements; NaN when there is one. Complex numbers compare by real, then by imaginary part.
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_EMPTY_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.min(dpt.asarray([[1, 5], [2, 3]]), axis=1)
usm_ndarray([1, 2])
)";

inline constexpr char count_nonzero[] = R"(Count elements that are not zero.
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.count_nonzero(dpt.asarray([0, 3, 4]))
usm_ndarray(2)
)";

inline constexpr char argmax[] =
    R"(Return where the largest element is: the index of the first such, or of the first NaN.
)"
    R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    Along which axis; when None, the index is that among all elements as if they were in one axis.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_EMPTY_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.argmax(dpt.asarray([2, 7, 5]))
usm_ndarray(1)
)";

inline constexpr char argmin[] =
    R"(Return where the smallest element is: the index of the first such, or of the first NaN.
)"
    R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    Along which axis; when None, the index is that among all elements as if they were in one axis.
)" DPEP_KEEPDIMS DPEP_REDUCTION_OUT DPEP_EMPTY_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.argmin(dpt.asarray([2, 7, 5]))
usm_ndarray(0)
)";

inline constexpr char all[] = R"(Return whether all elements are true (not zero).
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.all(dpt.asarray([1, 0]))
usm_ndarray(False)
)";

inline constexpr char any[] = R"(Return whether some element is true (not zero).
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.any(dpt.asarray([1, 0]))
usm_ndarray(True)
)";

inline constexpr char mean[] =
    R"(Return the arithmetic mean: in the type of `x`, or the default floating-point type for integers and bool.
)" DPEP_REDUCTION_AXES DPEP_KEEPDIMS DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.mean(dpt.asarray([1, 2, 6]))
usm_ndarray(3.)
)";

inline constexpr char var[] = R"(Return the variance: the mean of the squared distances from the mean.
)" DPEP_REDUCTION_AXES R"(correction : int or float, optional
    Degrees of freedom: what is subtracted from the number of elements before it divides the sum of squares.
)" DPEP_KEEPDIMS DPEP_REDUCTION_ERRORS R"(    Also for complex numbers.
)"
                              R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.var(dpt.asarray([1.0, 3.0]))
usm_ndarray(1.)
)";

inline constexpr char std[] = R"(Return the standard deviation: the square root of the variance.
)" DPEP_REDUCTION_AXES R"(correction : int or float, optional
    Degrees of freedom: what is subtracted from the number of elements before it divides the sum of squares.
)" DPEP_KEEPDIMS DPEP_REDUCTION_ERRORS R"(    Also for complex numbers.
)"
                              R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.std(dpt.asarray([1.0, 3.0]))
usm_ndarray(1.)
)";

inline constexpr char cumulative_sum[] = R"(Return the sums of elements up to each.
)"
                                         R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    Along which axis; may be missing for arrays of one.
dtype : dtype, optional
    Type of the result and of the accumulation; as for the function that takes all elements together when None.
include_initial : bool, optional
    Whether the result starts with the value for no elements, and is longer by one.
)" DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.cumulative_sum(dpt.asarray([1, 2, 3]), include_initial=True)
usm_ndarray([0, 1, 3, 6])
)";

inline constexpr char cumulative_prod[] = R"(Return the products of elements up to each.
)"
                                          R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    Along which axis; may be missing for arrays of one.
dtype : dtype, optional
    Type of the result and of the accumulation; as for the function that takes all elements together when None.
include_initial : bool, optional
    Whether the result starts with the value for no elements, and is longer by one.
)" DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.cumulative_prod(dpt.asarray([1, 2, 3]))
usm_ndarray([1, 2, 6])
)";

inline constexpr char cumulative_logsumexp[] =
    R"(Return the logarithms of the sums of exponentials of elements up to each, without overflow.
)"
    R"(
Parameters
----------
x : usm_ndarray
    The array.
axis : int, optional
    Along which axis; may be missing for arrays of one.
dtype : dtype, optional
    Type of the result and of the accumulation; as for the function that takes all elements together when None.
include_initial : bool, optional
    Whether the result starts with the value for no elements, and is longer by one.
)" DPEP_REDUCTION_OUT DPEP_REDUCTION_ERRORS R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.cumulative_logsumexp(dpt.asarray([-dpt.inf, 1.0]))
usm_ndarray([-inf,   1.])
)";

}  // namespace dpep::python::docs
