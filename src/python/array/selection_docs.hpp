// Docstrings of where, clip, take and take_along_axis.
#pragma once

namespace dpep::python::docs {

inline constexpr char where[] = R"(Choose elements from two operands.

Parameters
----------
condition : usm_ndarray
    Where it is true (not zero), the result is the element of `x1`, elsewhere that of `x2`.
x1, x2 : usm_ndarray or number
    The operands. All three are broadcast to a common shape.
order : str, optional
    Memory order of the result: 'C', 'F', 'A', or 'K' for that of the operands.
out : usm_ndarray, optional
    Output array with the shape and dtype of the result. It may overlap the operands.

Returns
-------
usm_ndarray
    An array of the common shape, with the dtype that `x1` and `x2` promote to.

Raises
------
TypeError
    When `condition` or `out` is not an array.
ValueError
    When the shapes cannot be broadcast, or `out` is read-only or of another shape or dtype.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.arange(5)
>>> dpt.where(x > 2, x, -1)
usm_ndarray([-1, -1, -1,  3,  4])
)";

inline constexpr char clip[] = R"(Limit elements to a range: smaller elements become `min`, larger ones `max`.

Parameters
----------
x : usm_ndarray
    The array.
min, max : usm_ndarray or number, optional
    The limits, broadcast to a common shape with `x`; None for no limit. They must be castable to the dtype of `x`.
out : usm_ndarray, optional
    Output array with the shape and dtype of the result. It may overlap the operands.
order : str, optional
    Memory order of the result: 'C', 'F', 'A', or 'K' for that of the operands.

Returns
-------
usm_ndarray
    An array of the common shape, with the dtype of `x`.

Raises
------
TypeError
    When `x` or `out` is not an array.
ValueError
    When the shapes cannot be broadcast, a limit cannot be cast, or `out` is read-only or of another shape or dtype.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.clip(dpt.arange(5), 1, 3)
usm_ndarray([1, 1, 2, 3, 3])
)";

inline constexpr char take[] = R"(Return the elements at indices along an axis.

Parameters
----------
x : usm_ndarray
    The array.
indices : usm_ndarray
    The indices, of any integer dtype and any shape. Negative ones count from the end.
axis : int, optional
    The axis; it may be omitted for arrays of one dimension.
out : usm_ndarray, optional
    Output array with the shape and dtype of the result.
mode : str, optional
    For indices out of bounds: 'wrap' limits them to [-n, n) for an axis of length n, 'clip' to [0, n), so that negative
    ones become 0.

Returns
-------
usm_ndarray
    An array in which the axis is replaced by the axes of the indices, with the dtype of `x`.

Raises
------
TypeError
    When `x`, `indices` or `out` is not an array.
ValueError
    When the axis is missing, the mode is unknown, or `out` is read-only or of another shape or dtype.
IndexError
    When the indices are not integers, or the axis is empty and the indices are not.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.take(dpt.arange(5) * 10, dpt.asarray([3, -1]))
usm_ndarray([30, 40])
)";

inline constexpr char take_along_axis[] = R"(Return the elements at an index for each position along an axis.

Parameters
----------
x : usm_ndarray
    The array.
indices : usm_ndarray
    The indices along the axis, of any integer dtype. Its other axes are broadcast with those of `x`.
axis : int, optional
    The axis; the last one by default.
mode : str, optional
    For indices out of bounds: 'wrap' limits them to [-n, n) for an axis of length n, 'clip' to [0, n), so that negative
    ones become 0.

Returns
-------
usm_ndarray
    An array of the dtype of `x`, as long as `indices` along the axis.

Raises
------
TypeError
    When `x` or `indices` is not an array.
ValueError
    When the shapes do not match, or the mode is unknown.
IndexError
    When the indices are not integers, or the axis is empty and the indices are not.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.asarray([[3, 1, 2], [6, 5, 4]])
>>> dpt.take_along_axis(x, dpt.argmin(x, axis=1, keepdims=True), axis=1)
usm_ndarray([[1],
             [4]])
)";

}  // namespace dpep::python::docs
