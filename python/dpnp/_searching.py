"""Searches in sorted arrays, and membership."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import check_operands, checked_array, placed_like

__all__ = ["isin", "searchsorted"]


def isin(
    element: object,
    test_elements: object,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> dpnp_ndarray:
    """Return whether each element is equal to one of the test elements, as bools in the shape of `element`.

    NaNs are equal to nothing.

    Parameters
    ----------
    element : ndarray, usm_ndarray or number
        The elements. At least one of `element` and `test_elements` is an array.
    test_elements : ndarray, usm_ndarray or number
        The elements to look for; the array is flattened.
    assume_unique : bool, optional
        Accepted as in NumPy. Has no effect.
    invert : bool, optional
        Whether to return the opposite.
    kind : {None, 'sort', 'table'}, optional
        One of NumPy's names of algorithms. Has no effect.

    Raises
    ------
    TypeError
        When an argument is neither an array nor a number, or both are numbers.
    ValueError
        For an unknown `kind`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.isin(np.array([0, 1, 2, 5]), np.array([5, 1]))
    array([False,  True, False,  True])
    """
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin: kind must be None, 'sort' or 'table', got {kind!r}")
    check_operands("isin", element, test_elements)
    array = element if isinstance(element, array_base) else test_elements
    return dpt.isin(placed_like(element, array), placed_like(test_elements, array), invert=invert)


def searchsorted(a: object, v: object, side: str = "left", sorter: object = None) -> dpnp_ndarray:
    """Return the positions at which elements could be inserted into sorted ones so that the order is kept.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The sorted elements, in an array with one axis, in ascending order, NaNs last. With `sorter`, in any order.
    v : ndarray, usm_ndarray or array_like
        The elements to search for.
    side : {'left', 'right'}, optional
        The position among equal elements: 'left' is before them, 'right' behind them.
    sorter : ndarray or usm_ndarray of int, optional
        The indices that sort `a`, such as those of `argsort`.

    Returns
    -------
    ndarray
        Positions from 0 to the number of elements of `a`, int64, with the shape of `v`.

    Raises
    ------
    TypeError
        When `a` or `sorter` is not an array.
    ValueError
        For an unknown `side`; for `a` with several axes; for a `sorter` of another shape, or not of integers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.searchsorted(np.array([11, 12, 13, 14]), [-10, 12, 20])
    array([0, 1, 4])
    """
    sorted_elements = checked_array("searchsorted", a)
    order = None if sorter is None else checked_array("searchsorted", sorter)
    return dpt.searchsorted(sorted_elements, placed_like(v, sorted_elements), side=side, sorter=order)
