// Docstrings of where and clip.
#pragma once

namespace dpep::python::docs {

inline constexpr char where[] = R"(Choose elements from two operands.

Parameters
----------
condition : usm_ndarray
    Where it is true (not zero), elements of `x1` are taken, elsewhere those of `x2`.
x1, x2 : usm_ndarray or number
    The operands. All three are broadcast to one shape.
order : str, optional
    Memory order of the result: 'C', 'F', 'A', or 'K' for that of the operands.
out : usm_ndarray, optional
    Where to write the result; of its shape and dtype. It may overlap the operands.

Returns
-------
usm_ndarray
    Of the dtype that `x1` and `x2` promote to.

Raises
------
TypeError
    When `condition` or `out` is not an array.
ValueError
    When shapes do not fit, or `out` is read-only or of another shape or dtype.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.arange(5)
>>> dpt.where(x > 2, x, -1)
usm_ndarray([-1, -1, -1,  3,  4])
)";

inline constexpr char clip[] = R"(Limit elements to a range: what is below becomes `min`, what is above `max`.

Parameters
----------
x : usm_ndarray
    The array.
min, max : usm_ndarray or number, optional
    The limits, broadcast to one shape with `x`. None is no limit. They must be castable to the dtype of `x`.
out : usm_ndarray, optional
    Where to write the result; of its shape and dtype. It may overlap the operands.
order : str, optional
    Memory order of the result: 'C', 'F', 'A', or 'K' for that of the operands.

Returns
-------
usm_ndarray
    Of the dtype of `x`.

Raises
------
TypeError
    When `x` or `out` is not an array.
ValueError
    When shapes do not fit, a limit's dtype cannot be cast, or `out` is read-only or of another shape or dtype.
ExecutionPlacementError
    When arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.clip(dpt.arange(5), 1, 3)
usm_ndarray([1, 1, 2, 3, 3])
)";

}  // namespace dpep::python::docs
