"""Selection of elements by conditions."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import checked_array

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
        return dpt.nonzero(checked_array("where", condition))
    return bound.where(condition, x, y, order or "K", out)
