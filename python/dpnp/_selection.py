"""Selection of elements by conditions."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp

from dpnp._support import check_supported_arrays_type, get_usm_ndarray

__all__ = ["where"]


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
    condition : ndarray or usm_ndarray
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
        check_supported_arrays_type(condition)
        return dpt.nonzero(as_dpnp(condition))
    for choice in (x, y):
        if not isinstance(choice, array_base) and not numpy.isscalar(choice):
            raise TypeError(f"where: x and y must be arrays or numbers, got {type(choice).__name__}")
    check_supported_arrays_type(condition)
    target = None if out is None else get_usm_ndarray(out)
    result = dpt.where(as_dpnp(condition), x, y, order=order or "K", out=target)
    return as_dpnp(result if out is None else out)
