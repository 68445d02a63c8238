"""Unions, intersections and differences of the elements of two arrays."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, placement_of

from dpnp._shapes import ravel

__all__ = ["intersect1d", "setdiff1d", "setxor1d", "union1d"]


def _operands(function: str, ar1: object, ar2: object, assume_unique: bool) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The different elements of both arrays."""
    check_arrays(function, ar1, ar2)
    placement_of(function, ar1, ar2)
    return tuple(ravel(x) if assume_unique else bound.unique(ravel(x)) for x in (ar1, ar2))


def union1d(ar1: object, ar2: object) -> dpnp_ndarray:
    """Return the different elements of two arrays in order.

    Parameters
    ----------
    ar1, ar2 : ndarray or usm_ndarray
        The arrays, which are flattened.

    Raises
    ------
    TypeError
        When `ar1` or `ar2` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.union1d(np.array([-1, 0, 1]), np.array([-2, 0, 2]))
    array([-2, -1,  0,  1,  2])
    """
    check_arrays("union1d", ar1, ar2)
    placement_of("union1d", ar1, ar2)
    return bound.unique(dpt.concat((ravel(ar1), ravel(ar2))))


def intersect1d(
    ar1: object, ar2: object, assume_unique: bool = False, return_indices: bool = False
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the different elements that both of two arrays have, in order.

    Parameters
    ----------
    ar1, ar2 : ndarray or usm_ndarray
        The arrays, which are flattened.
    assume_unique : bool, optional
        Whether neither array has equal elements, which saves a sort. Otherwise results are wrong.
    return_indices : bool, optional
        Whether to return also the index in each flattened array of the first occurrence of each element.

    Returns
    -------
    ndarray or tuple of ndarray
        The elements, in the dtype that both are promoted to, and with `return_indices` the indices in `ar1` and `ar2`.

    Raises
    ------
    TypeError
        When `ar1` or `ar2` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.intersect1d(np.array([1, 3, 4, 3]), np.array([3, 1, 2, 1]), return_indices=True)
    (array([1, 3]), array([0, 1]), array([1, 0]))
    """
    if not return_indices:
        both = dpt.concat(_operands("intersect1d", ar1, ar2, assume_unique))
        both = dpt.sort(both)
        return both[:-1][both[1:] == both[:-1]]
    check_arrays("intersect1d", ar1, ar2)
    placement_of("intersect1d", ar1, ar2)
    lists, firsts = [ravel(ar1), ravel(ar2)], []
    if not assume_unique:
        lists, firsts = zip(*(bound.unique(x, return_index=True) for x in lists), strict=True)
    both = dpt.concat(lists)
    order = dpt.argsort(both)
    both = both[order]
    equal = both[1:] == both[:-1]
    indices = [order[:-1][equal], order[1:][equal] - lists[0].size]
    if not assume_unique:
        indices = [first[i] for first, i in zip(firsts, indices, strict=True)]
    return both[:-1][equal], *indices


def setxor1d(ar1: object, ar2: object, assume_unique: bool = False) -> dpnp_ndarray:
    """Return the different elements that exactly one of two arrays has, in order.

    The arguments are those of `intersect1d`.

    >>> import dpnp as np
    >>> np.setxor1d(np.array([1, 2, 3, 2, 4]), np.array([2, 3, 5, 7, 5]))
    array([1, 4, 5, 7])
    """
    both = dpt.sort(dpt.concat(_operands("setxor1d", ar1, ar2, assume_unique)))
    if both.size == 0:
        return both
    differs = both[1:] != both[:-1]
    end = dpt.ones(1, dtype=bool, usm_type=both.usm_type, sycl_queue=both.sycl_queue)
    return both[bound.logical_and(dpt.concat((end, differs)), dpt.concat((differs, end)))]


def setdiff1d(ar1: object, ar2: object, assume_unique: bool = False) -> dpnp_ndarray:
    """Return the different elements of the first array that the second one does not have.

    They are in order unless `assume_unique` is set, and else as in `ar1`. The arguments are those of `intersect1d`.

    >>> import dpnp as np
    >>> np.setdiff1d(np.array([1, 2, 3, 2, 4, 1]), np.array([3, 4, 5, 6]))
    array([1, 2])
    """
    check_arrays("setdiff1d", ar1, ar2)
    placement_of("setdiff1d", ar1, ar2)
    elements = ravel(ar1) if assume_unique else bound.unique(ravel(ar1))
    return elements[dpt.isin(elements, as_dpnp(ar2), invert=True)]
