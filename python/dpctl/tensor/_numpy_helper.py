"""NumPy's checks of axes, under the module name that extensions of dpctl import."""

import contextlib
import operator
from collections.abc import Iterable

from numpy.exceptions import AxisError

__all__ = ["AxisError", "integers_of", "normalize_axis_index", "normalize_axis_tuple"]


def integers_of(x: object) -> tuple[int, ...]:
    """Return the integers of an int or a sequence of ints. Arrays have __index__, also those with axes."""
    if hasattr(x, "__index__") and not getattr(x, "ndim", 0):
        return (operator.index(x),)
    return tuple(map(operator.index, x))


def normalize_axis_index(axis: int, ndim: int, msg_prefix: str | None = None) -> int:
    """Return the axis counted from the front. Raises AxisError outside of [-ndim, ndim)."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim, msg_prefix)
    return axis % ndim


def normalize_axis_tuple(
    axis: int | Iterable[int], ndim: int, argname: str | None = None, allow_duplicate: bool = False
) -> tuple[int, ...]:
    """Return the axes counted from the front. Raises ValueError for a repeated axis, unless duplicates are allowed."""
    if not isinstance(axis, (tuple, list)):
        with contextlib.suppress(TypeError):
            axis = (operator.index(axis),)
    axes = tuple(normalize_axis_index(a, ndim, argname) for a in axis)
    if not allow_duplicate and len(set(axes)) != len(axes):
        raise ValueError(f"{argname or 'axis'}: repeated axis in {axes}")
    return axes
