// Docstrings of the functions that create arrays, with their common parts as macros.
#pragma once

namespace dpep::python::docs {

// --- parameters of many functions ---

#define DPEP_SHAPE_DOC "shape : int or tuple of int\n    Lengths of the axes.\n"
#define DPEP_REAL_DOC "dtype : dtype, optional\n    Data type; the device's default floating-point type when None.\n"
#define DPEP_ORDER_DOC "order : str, optional\n    Memory order: 'C' row-major, 'F' column-major.\n"
#define DPEP_PLACEMENT_DOC                                                                                             \
  "device : None, str, SyclDevice, SyclQueue or Device, optional\n"                                                    \
  "    Device or queue of the array; the default device when None.\n"                                                  \
  "usm_type : str, optional\n    Kind of memory: 'device', 'shared' or 'host'.\n"                                      \
  "sycl_queue : SyclQueue, optional\n    Queue of the array, instead of `device`.\n"
#define DPEP_NEW_DOC DPEP_REAL_DOC DPEP_ORDER_DOC DPEP_PLACEMENT_DOC
#define DPEP_SOURCE_DOC "x : usm_ndarray\n    The array that gives the shape and the defaults.\n"
#define DPEP_LIKE_DOC                                                                                                  \
  "dtype : dtype, optional\n    Data type; that of `x` when None.\n"                                                   \
  "order : str, optional\n"                                                                                            \
  "    Memory order: 'C' row-major, 'F' column-major, 'A' that of `x` if it is contiguous, 'K' the axes in the\n"      \
  "    memory order of `x`.\n"                                                                                         \
  "device, usm_type, sycl_queue : optional\n"                                                                          \
  "    Placement of the array, as in `empty`; that of `x` when None.\n"
#define DPEP_TRIANGLE_DOC(which)                                                                                       \
  "x : usm_ndarray\n    Matrices in the last two axes.\n"                                                              \
  "k : int, optional\n    The " which                                                                                  \
  " diagonal that is kept: 0 the main diagonal, positive above it, negative below it.\n"

// --- exceptions ---

#define DPEP_MAKING_ERRORS                                                                                             \
  "ValueError\n    For a negative length, an unknown order or usm_type, and a dtype that the device does not have.\n"  \
  "TypeError\n    When an argument has the wrong type, or `device` and `sycl_queue` contradict each other.\n"          \
  "MemoryError\n    When memory runs out.\n"
#define DPEP_AXES_ERRORS "ValueError\n    When `x` has less than two axes.\n"

#define DPEP_DOC(what, parameters, errors, code, shown)                                                                \
  what "\n\nParameters\n----------\n" parameters "\nRaises\n------\n" errors                                           \
       "\nExamples\n--------\n>>> import dpctl.tensor as dpt\n>>> dpt." code "\n" shown "\n"

inline constexpr char empty[] = DPEP_DOC("Return a new array with uninitialised elements.", DPEP_SHAPE_DOC DPEP_NEW_DOC,
                                         DPEP_MAKING_ERRORS, "empty((2, 3), dtype=\"i4\").shape", "(2, 3)");
inline constexpr char zeros[] =
    DPEP_DOC("Return a new array of zeros.", DPEP_SHAPE_DOC DPEP_NEW_DOC, DPEP_MAKING_ERRORS, "zeros(3, dtype=\"i4\")",
             "usm_ndarray([0, 0, 0], dtype=int32)");
inline constexpr char ones[] = DPEP_DOC("Return a new array of ones.", DPEP_SHAPE_DOC DPEP_NEW_DOC, DPEP_MAKING_ERRORS,
                                        "ones(3, dtype=\"i4\")", "usm_ndarray([1, 1, 1], dtype=int32)");
inline constexpr char full[] =
    DPEP_DOC("Return a new array filled with a value.",
             DPEP_SHAPE_DOC
             "fill_value : number or array_like\n"
             "    The value. An array or a nested list is broadcast to `shape`. Integer types truncate fractions.\n"
             "dtype : dtype, optional\n    Data type; the default type of the value's kind when None.\n" DPEP_ORDER_DOC
                 DPEP_PLACEMENT_DOC,
             DPEP_MAKING_ERRORS "OverflowError\n    When an int does not fit the integer type.\n", "full((2, 2), 7)",
             "usm_ndarray([[7, 7],\n             [7, 7]])");
inline constexpr char arange[] = DPEP_DOC(
    "Return a new array of evenly spaced numbers from `start` to `stop`, excluding `stop`.",
    "start : number\n    The first element. When `stop` is None, the end of the range, which then starts at 0.\n"
    "stop : number, optional\n    The end of the range.\n"
    "step : number, optional\n"
    "    The difference of consecutive elements. For fractions the number of elements depends on rounding: use\n"
    "    `linspace` instead.\n"
    "dtype : dtype, optional\n"
    "    Data type; the default type of the widest kind among the arguments when None.\n" DPEP_PLACEMENT_DOC,
    "ValueError\n    When an argument is not a number, or `dtype` is bool and the range has more than two elements.\n"
    "TypeError\n    When an argument is complex and `dtype` is a real type.\n"
    "ZeroDivisionError\n    When `step` is 0.\n",
    "arange(1, 10, 3)", "usm_ndarray([1, 4, 7])");
inline constexpr char linspace[] =
    DPEP_DOC("Return a new array of `num` evenly spaced numbers from `start` to `stop`.",
             "start, stop : number\n    The ends of the interval.\n"
             "num : int\n    Number of elements.\n"
             "dtype : dtype, optional\n"
             "    Data type. When None, the device's default complex type if an end is complex, else its default "
             "floating-point\n"
             "    type. Integer types truncate the numbers.\n"
             "device, usm_type, sycl_queue : optional\n    Placement of the array, as in `empty`.\n"
             "endpoint : bool, optional\n    Whether `stop` is the last element. Otherwise it is excluded.\n",
             "ValueError\n    When `num` is negative, or an end is not a number.\n"
             "TypeError\n    When `num` is not an int, or `endpoint` not a bool.\n",
             "linspace(0, 1, 5)", "usm_ndarray([0.  , 0.25, 0.5 , 0.75, 1.  ])");
inline constexpr char eye[] = DPEP_DOC("Return a new matrix with ones on a diagonal and zeros elsewhere.",
                                       "n_rows : int\n    Number of rows.\n"
                                       "n_cols : int, optional\n    Number of columns; `n_rows` when None.\n"
                                       "k : int, optional\n    The diagonal: 0 the main diagonal, positive above it, "
                                       "negative below it.\n" DPEP_NEW_DOC,
                                       DPEP_MAKING_ERRORS, "eye(2, 3, k=1, dtype=\"i4\")",
                                       "usm_ndarray([[0, 1, 0],\n             [0, 0, 1]], dtype=int32)");
inline constexpr char empty_like[] =
    DPEP_DOC("Return a new array of the shape of `x`, with uninitialised elements.", DPEP_SOURCE_DOC DPEP_LIKE_DOC,
             DPEP_MAKING_ERRORS, "empty_like(dpt.ones((2, 3)), dtype=\"i4\").dtype", "dtype('int32')");
inline constexpr char zeros_like[] =
    DPEP_DOC("Return a new array of zeros, of the shape of `x`.", DPEP_SOURCE_DOC DPEP_LIKE_DOC, DPEP_MAKING_ERRORS,
             "zeros_like(dpt.arange(3))", "usm_ndarray([0, 0, 0])");
inline constexpr char ones_like[] =
    DPEP_DOC("Return a new array of ones, of the shape of `x`.", DPEP_SOURCE_DOC DPEP_LIKE_DOC, DPEP_MAKING_ERRORS,
             "ones_like(dpt.arange(3))", "usm_ndarray([1, 1, 1])");
inline constexpr char full_like[] =
    DPEP_DOC("Return a new array of the shape of `x`, filled with a value.",
             DPEP_SOURCE_DOC "fill_value : number or array_like\n    The value. An array or a nested list is broadcast "
                             "to the shape.\n" DPEP_LIKE_DOC,
             DPEP_MAKING_ERRORS, "full_like(dpt.arange(3), 5)", "usm_ndarray([5, 5, 5])");
inline constexpr char tril[] =
    DPEP_DOC("Return a copy of matrices with zeros above a diagonal: the lower triangle.", DPEP_TRIANGLE_DOC("last"),
             DPEP_AXES_ERRORS, "tril(dpt.ones((2, 2), dtype=\"i4\"))",
             "usm_ndarray([[1, 0],\n             [1, 1]], dtype=int32)");
inline constexpr char triu[] =
    DPEP_DOC("Return a copy of matrices with zeros below a diagonal: the upper triangle.", DPEP_TRIANGLE_DOC("first"),
             DPEP_AXES_ERRORS, "triu(dpt.ones((2, 2), dtype=\"i4\"))",
             "usm_ndarray([[1, 1],\n             [0, 1]], dtype=int32)");

}  // namespace dpep::python::docs
