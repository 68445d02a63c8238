"""Selection of elements by conditions and by indices."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, checked_array, integer_indices, placed_like, store_result

from dpnp._support import also_named, array_or_number

__all__ = ["take", "take_along_axis", "where"]


def take(a: object, indices: object, axis: int | None = None, out: object = None, mode: str = "wrap") -> dpnp_ndarray:
    """Return the elements at indices along an axis.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    indices : ndarray, usm_ndarray or array_like of int
        The indices. Negative ones count from the end.
    axis : int, optional
        The axis; by default, indices are those of the flattened array.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    mode : {'wrap', 'clip'}, optional
        For indices out of bounds: 'wrap' limits them to [-n, n) for an axis of length n, 'clip' to [0, n).

    Examples
    --------
    >>> import dpnp as np
    >>> np.take(np.arange(5) * 10, [3, -1])
    array([30, 40])
    """
    x = checked_array("take", a)
    if axis is None:
        x, axis = dpt.reshape(x, (-1,)), 0
    result = dpt.take(x, integer_indices("take", placed_like(indices, x)), axis=axis, mode=mode)
    return store_result("take", as_dpnp(result), out, "same_kind")


@also_named(a="arr")
def take_along_axis(arr: object, indices: object, axis: int | None = -1, mode: str = "wrap") -> dpnp_ndarray:
    """Return the elements at an index for each position along an axis.

    Parameters
    ----------
    arr : ndarray or usm_ndarray
        The array.
    indices : ndarray or usm_ndarray
        The indices along the axis. The other axes are broadcast with those of `arr`.
    axis : int or None, optional
        The axis; None for the flattened array, and `indices` must then be 1-d.
    mode : {'wrap', 'clip'}, optional
        For indices out of bounds: 'wrap' limits them to [-n, n) for an axis of length n, 'clip' to [0, n).

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([[3, 1, 2], [6, 5, 4]])
    >>> np.take_along_axis(x, np.argmin(x, axis=1, keepdims=True), axis=1)
    array([[1],
           [4]])
    """
    x, indices = checked_array("take_along_axis", arr), checked_array("take_along_axis", indices)
    if axis is None:
        x, axis = dpt.reshape(x, (-1,)), 0
    return as_dpnp(dpt.take_along_axis(x, indices, axis=axis, mode=mode))


def where(
    condition: object,
    x: object = None,
    y: object = None,
    /,
    *,
    order: str | None = "K",
    out: object = None,
) -> dpnp_ndarray | tuple[dpnp_ndarray, ...]:
    """Return elements of `x` where a condition is true, and elements of `y` elsewhere.

    Parameters
    ----------
    condition : ndarray, usm_ndarray or bool
        The condition. Numbers are true if they are not 0.
    x, y : ndarray, usm_ndarray or number
        The choices, which are broadcast together with the condition.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order of a new result.
    out : ndarray or usm_ndarray, optional
        Output array for the result.

    Without `x` and `y`, returns the indices where the condition is true, as `nonzero`.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(-2, 3)
    >>> np.where(x < 0, 0, x)
    array([0, 0, 0, 1, 2])
    """
    if (x is None) != (y is None):
        raise ValueError("where: either both x and y must be given, or neither")
    if x is None:
        return dpt.nonzero(checked_array("where", condition))
    if isinstance(condition, bool | numpy.bool_):
        like = next((choice for choice in (x, y) if isinstance(choice, array_base)), None)
        condition = array_or_number("where", condition) if like is None else placed_like(condition, like)
    return bound.where(condition, x, y, order or "K", out)
