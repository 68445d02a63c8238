// Docstrings of the functions that make arrays: a table of what each does, with what they share written once.
#pragma once

namespace dpep::python::docs {

// --- parameters, as many functions have them ---

#define DPEP_SHAPE_DOC "shape : int or tuple of int\n    Lengths of the axes.\n"
#define DPEP_REAL_DOC "dtype : dtype, optional\n    Data type; the device's default floating-point type when None.\n"
#define DPEP_ORDER_DOC "order : str, optional\n    'C': rows are contiguous, 'F': columns are.\n"
#define DPEP_PLACEMENT_DOC                                                                                             \
  "device : None, str, SyclDevice, SyclQueue or Device, optional\n"                                                    \
  "    Where the array is made; the default device when None.\n"                                                       \
  "usm_type : str, optional\n    Kind of memory: 'device', 'shared' or 'host'.\n"                                      \
  "sycl_queue : SyclQueue, optional\n    The queue to use, instead of `device`.\n"
#define DPEP_NEW_DOC DPEP_REAL_DOC DPEP_ORDER_DOC DPEP_PLACEMENT_DOC
#define DPEP_SOURCE_DOC "x : usm_ndarray\n    What shape and defaults are taken from.\n"
#define DPEP_LIKE_DOC                                                                                                  \
  "dtype : dtype, optional\n    Data type; that of `x` when None.\n"                                                   \
  "order : str, optional\n"                                                                                            \
  "    'C': rows are contiguous, 'F': columns are; 'A': as in `x` where it is one of both; 'K': axes are in the\n"     \
  "    order that they have in `x`.\n"                                                                                 \
  "device, usm_type, sycl_queue : optional\n"                                                                          \
  "    Where the array is made, as in `empty`; where `x` is when None.\n"
#define DPEP_TRIANGLE_DOC(which)                                                                                       \
  "x : usm_ndarray\n    Matrices in the last two axes.\n"                                                              \
  "k : int, optional\n    The " which                                                                                  \
  " diagonal that is kept: 0 the main one, positive ones above it, negative ones below.\n"

// --- what is raised ---

#define DPEP_MAKING_ERRORS                                                                                             \
  "ValueError\n    For a negative length, an unknown order or usm_type, and a dtype that the device does not have.\n"  \
  "TypeError\n    When an argument has the wrong type, or `device` and `sycl_queue` contradict each other.\n"          \
  "MemoryError\n    When memory runs out.\n"
#define DPEP_AXES_ERRORS "ValueError\n    When `x` has less than two axes.\n"

#define DPEP_DOC(what, parameters, errors, code, shown)                                                                \
  what "\n\nParameters\n----------\n" parameters "\nRaises\n------\n" errors                                           \
       "\nExamples\n--------\n>>> import dpctl.tensor as dpt\n>>> dpt." code "\n" shown "\n"

inline constexpr char empty[] = DPEP_DOC("Make an array whose elements have no value yet.", DPEP_SHAPE_DOC DPEP_NEW_DOC,
                                         DPEP_MAKING_ERRORS, "empty((2, 3), dtype=\"i4\").shape", "(2, 3)");
inline constexpr char zeros[] = DPEP_DOC("Make an array of zeros.", DPEP_SHAPE_DOC DPEP_NEW_DOC, DPEP_MAKING_ERRORS,
                                         "zeros(3, dtype=\"i4\")", "usm_ndarray([0, 0, 0], dtype=int32)");
inline constexpr char ones[] = DPEP_DOC("Make an array of ones.", DPEP_SHAPE_DOC DPEP_NEW_DOC, DPEP_MAKING_ERRORS,
                                        "ones(3, dtype=\"i4\")", "usm_ndarray([1, 1, 1], dtype=int32)");
inline constexpr char full[] =
    DPEP_DOC("Make an array that is filled with a value.",
             DPEP_SHAPE_DOC
             "fill_value : number or array_like\n"
             "    The value; an array or a nested list is broadcast to `shape`. In integers a fraction is lost.\n"
             "dtype : dtype, optional\n    Data type; when None the default type of the value's kind.\n" DPEP_ORDER_DOC
                 DPEP_PLACEMENT_DOC,
             DPEP_MAKING_ERRORS "OverflowError\n    When an int does not fit the integer type.\n", "full((2, 2), 7)",
             "usm_ndarray([[7, 7],\n             [7, 7]])");
inline constexpr char arange[] = DPEP_DOC(
    "Make an array of evenly spaced numbers from `start` up to, not including, `stop`.",
    "start : number\n    The first element; when `stop` is missing, this is `stop`, and the first element is 0.\n"
    "stop : number, optional\n    Where the range ends.\n"
    "step : number, optional\n    From one element to the next. With a fraction the number of elements is up to\n"
    "    rounding: prefer `linspace` then.\n"
    "dtype : dtype, optional\n    Data type; when None the default type of the widest kind among the "
    "arguments.\n" DPEP_PLACEMENT_DOC,
    "ValueError\n    When an argument is no number, or a range of more than two elements is to be of bool.\n"
    "ZeroDivisionError\n    When `step` is 0.\n",
    "arange(1, 10, 3)", "usm_ndarray([1, 4, 7])");
inline constexpr char linspace[] = DPEP_DOC(
    "Make an array of `num` evenly spaced numbers from `start` to `stop`.",
    "start, stop : number\n    The interval's ends.\n"
    "num : int\n    Number of elements.\n"
    "dtype : dtype, optional\n"
    "    Data type; when None the device's default floating-point type, or complex type for complex ends. For\n"
    "    integers the points are cut off.\n"
    "device, usm_type, sycl_queue : optional\n    Where the array is made, as in `empty`.\n"
    "endpoint : bool, optional\n    Whether `stop` is the last element; else it would be the next.\n",
    "ValueError\n    When `num` is negative, or an end is no number.\n"
    "TypeError\n    When `num` is no int, or `endpoint` no bool.\n",
    "linspace(0, 1, 5)", "usm_ndarray([0.  , 0.25, 0.5 , 0.75, 1.  ])");
inline constexpr char eye[] = DPEP_DOC("Make a matrix with ones on a diagonal and zeros elsewhere.",
                                       "n_rows : int\n    Number of rows.\n"
                                       "n_cols : int, optional\n    Number of columns; `n_rows` when None.\n"
                                       "k : int, optional\n    Which diagonal: 0 the main one, positive ones above it, "
                                       "negative ones below.\n" DPEP_NEW_DOC,
                                       DPEP_MAKING_ERRORS, "eye(2, 3, k=1, dtype=\"i4\")",
                                       "usm_ndarray([[0, 1, 0],\n             [0, 0, 1]], dtype=int32)");
inline constexpr char empty_like[] =
    DPEP_DOC("Make an array of another one's shape, whose elements have no value yet.", DPEP_SOURCE_DOC DPEP_LIKE_DOC,
             DPEP_MAKING_ERRORS, "empty_like(dpt.ones((2, 3)), dtype=\"i4\").dtype", "dtype('int32')");
inline constexpr char zeros_like[] =
    DPEP_DOC("Make an array of zeros of another one's shape.", DPEP_SOURCE_DOC DPEP_LIKE_DOC, DPEP_MAKING_ERRORS,
             "zeros_like(dpt.arange(3))", "usm_ndarray([0, 0, 0])");
inline constexpr char ones_like[] =
    DPEP_DOC("Make an array of ones of another one's shape.", DPEP_SOURCE_DOC DPEP_LIKE_DOC, DPEP_MAKING_ERRORS,
             "ones_like(dpt.arange(3))", "usm_ndarray([1, 1, 1])");
inline constexpr char full_like[] =
    DPEP_DOC("Make an array of another one's shape, filled with a value.",
             DPEP_SOURCE_DOC "fill_value : number or array_like\n    The value; an array or a nested list is broadcast "
                             "to the shape.\n" DPEP_LIKE_DOC,
             DPEP_MAKING_ERRORS, "full_like(dpt.arange(3), 5)", "usm_ndarray([5, 5, 5])");
inline constexpr char tril[] = DPEP_DOC(
    "Return the lower triangle of matrices: zeros above a diagonal.", DPEP_TRIANGLE_DOC("last"), DPEP_AXES_ERRORS,
    "tril(dpt.ones((2, 2), dtype=\"i4\"))", "usm_ndarray([[1, 0],\n             [1, 1]], dtype=int32)");
inline constexpr char triu[] = DPEP_DOC(
    "Return the upper triangle of matrices: zeros below a diagonal.", DPEP_TRIANGLE_DOC("first"), DPEP_AXES_ERRORS,
    "triu(dpt.ones((2, 2), dtype=\"i4\"))", "usm_ndarray([[1, 1],\n             [0, 1]], dtype=int32)");

}  // namespace dpep::python::docs
