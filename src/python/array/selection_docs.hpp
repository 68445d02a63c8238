// Docstrings of where and clip.
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

}  // namespace dpep::python::docs
