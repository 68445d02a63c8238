// Docstrings of the functions that make arrays.
#pragma once

namespace dpep::python::docs {

#define DPEP_SHAPE_DOC                                                                                                 \
  R"(shape : int or tuple of int
    Lengths of the axes.
)"
#define DPEP_ORDER_DOC                                                                                                 \
  R"(order : str, optional
    'C': rows are contiguous, 'F': columns are.
)"
#define DPEP_PLACEMENT_DOC                                                                                             \
  R"(device : None, str, SyclDevice, SyclQueue or Device, optional
    Where the array is made; the default device when None.
usm_type : str, optional
    Kind of memory: 'device', 'shared' or 'host'.
sycl_queue : SyclQueue, optional
    The queue to use, instead of `device`.
)"
#define DPEP_LIKE_DOC                                                                                                  \
  R"(dtype : dtype, optional
    Data type; that of `x` when None.
order : str, optional
    'C': rows are contiguous, 'F': columns are; 'A': as in `x` where it is one of both; 'K': axes are in the order that
    they have in `x`.
device, usm_type, sycl_queue : optional
    Where the array is made, as in `empty`; where `x` is when None.
)"
#define DPEP_RAISES_DOC                                                                                                \
  R"(
Raises
------
ValueError
    For a negative length, an unknown order or usm_type, and a dtype that the device does not have.
TypeError
    When an argument has the wrong type, or `device` and `sycl_queue` contradict each other.
MemoryError
    When memory runs out.
)"

inline constexpr char empty[] = R"(Make an array whose elements have no value yet.

Parameters
----------
)" DPEP_SHAPE_DOC R"(dtype : dtype, optional
    Data type; the device's default floating-point type when None.
)" DPEP_ORDER_DOC DPEP_PLACEMENT_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.empty((2, 3), dtype="i4").shape
(2, 3)
)";

inline constexpr char zeros[] = R"(Make an array of zeros.

Parameters
----------
)" DPEP_SHAPE_DOC R"(dtype : dtype, optional
    Data type; the device's default floating-point type when None.
)" DPEP_ORDER_DOC DPEP_PLACEMENT_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.zeros(3, dtype="i4")
usm_ndarray([0, 0, 0], dtype=int32)
)";

inline constexpr char ones[] = R"(Make an array of ones.

Parameters
----------
)" DPEP_SHAPE_DOC R"(dtype : dtype, optional
    Data type; the device's default floating-point type when None.
)" DPEP_ORDER_DOC DPEP_PLACEMENT_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.ones(3, dtype="i4")
usm_ndarray([1, 1, 1], dtype=int32)
)";

inline constexpr char full[] = R"(Make an array that is filled with a value.

Parameters
----------
)" DPEP_SHAPE_DOC R"(fill_value : number or array_like
    The value; an array or a nested list is broadcast to `shape`. In integers a fraction is lost.
dtype : dtype, optional
    Data type; when None the default type of the value's kind.
)" DPEP_ORDER_DOC DPEP_PLACEMENT_DOC DPEP_RAISES_DOC R"(OverflowError
    When an int does not fit the integer type.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.full((2, 2), 7)
usm_ndarray([[7, 7],
             [7, 7]])
)";

inline constexpr char arange[] = R"(Make an array of evenly spaced numbers from `start` up to, not including, `stop`.

Parameters
----------
start : number
    The first element; when `stop` is missing, this is `stop`, and the first element is 0.
stop : number, optional
    Where the range ends.
step : number, optional
    From one element to the next. With a fraction the number of elements is up to rounding: prefer `linspace` then.
dtype : dtype, optional
    Data type; when None the default type of the widest kind among the arguments.
)" DPEP_PLACEMENT_DOC R"(
Raises
------
ValueError
    When an argument is no number, or a range of more than two elements is to be of bool.
ZeroDivisionError
    When `step` is 0.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.arange(1, 10, 3)
usm_ndarray([1, 4, 7])
)";

inline constexpr char linspace[] = R"(Make an array of `num` evenly spaced numbers from `start` to `stop`.

Parameters
----------
start, stop : number
    The interval's ends.
num : int
    Number of elements.
dtype : dtype, optional
    Data type; when None the device's default floating-point type, or complex type for complex ends. For integers the
    points are cut off.
device, usm_type, sycl_queue : optional
    Where the array is made, as in `empty`.
endpoint : bool, optional
    Whether `stop` is the last element; else it would be the next.

Raises
------
ValueError
    When `num` is negative, or an end is no number.
TypeError
    When `num` is no int, or `endpoint` no bool.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.linspace(0, 1, 5)
usm_ndarray([0.  , 0.25, 0.5 , 0.75, 1.  ])
)";

inline constexpr char eye[] = R"(Make a matrix with ones on a diagonal and zeros elsewhere.

Parameters
----------
n_rows : int
    Number of rows.
n_cols : int, optional
    Number of columns; `n_rows` when None.
k : int, optional
    Which diagonal: 0 the main one, positive ones above it, negative ones below.
dtype : dtype, optional
    Data type; the device's default floating-point type when None.
)" DPEP_ORDER_DOC DPEP_PLACEMENT_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.eye(2, 3, k=1, dtype="i4")
usm_ndarray([[0, 1, 0],
             [0, 0, 1]], dtype=int32)
)";

inline constexpr char empty_like[] = R"(Make an array of another one's shape, whose elements have no value yet.

Parameters
----------
x : usm_ndarray
    What shape and defaults are taken from.
)" DPEP_LIKE_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.empty_like(dpt.ones((2, 3)), dtype="i4").dtype
dtype('int32')
)";

inline constexpr char zeros_like[] = R"(Make an array of zeros of another one's shape.

Parameters
----------
x : usm_ndarray
    What shape and defaults are taken from.
)" DPEP_LIKE_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.zeros_like(dpt.arange(3))
usm_ndarray([0, 0, 0])
)";

inline constexpr char ones_like[] = R"(Make an array of ones of another one's shape.

Parameters
----------
x : usm_ndarray
    What shape and defaults are taken from.
)" DPEP_LIKE_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.ones_like(dpt.arange(3))
usm_ndarray([1, 1, 1])
)";

inline constexpr char full_like[] = R"(Make an array of another one's shape, filled with a value.

Parameters
----------
x : usm_ndarray
    What shape and defaults are taken from.
fill_value : number or array_like
    The value; an array or a nested list is broadcast to the shape.
)" DPEP_LIKE_DOC DPEP_RAISES_DOC R"(
Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.full_like(dpt.arange(3), 5)
usm_ndarray([5, 5, 5])
)";

inline constexpr char tril[] = R"(Return the lower triangle of matrices: zeros above a diagonal.

Parameters
----------
x : usm_ndarray
    Matrices in the last two axes.
k : int, optional
    The last diagonal that is kept: 0 the main one, positive ones above it, negative ones below.

Raises
------
ValueError
    When `x` has less than two axes.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.tril(dpt.ones((2, 2), dtype="i4"))
usm_ndarray([[1, 0],
             [1, 1]], dtype=int32)
)";

inline constexpr char triu[] = R"(Return the upper triangle of matrices: zeros below a diagonal.

Parameters
----------
x : usm_ndarray
    Matrices in the last two axes.
k : int, optional
    The first diagonal that is kept: 0 the main one, positive ones above it, negative ones below.

Raises
------
ValueError
    When `x` has less than two axes.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.triu(dpt.ones((2, 2), dtype="i4"))
usm_ndarray([[1, 1],
             [0, 1]], dtype=int32)
)";

}  // namespace dpep::python::docs
