"""Sorting."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import checked_array, partitioned, partitioned_positions, positions_by_keys

from dpnp._support import host_array

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]

_KINDS = ("quicksort", "mergesort", "heapsort", "stable", "radixsort")


def _checked(function: str, a: object, axis: int | None, kind: object, order: object) -> tuple[dpnp_ndarray, int]:
    """Return the array, flattened for axis None, and the axis."""
    array = checked_array(function, a)
    if order is not None:
        raise NotImplementedError(f"{function}: order must be None, as arrays have no fields, got {order!r}")
    # NumPy compares the first letter only.
    if kind is not None and not (isinstance(kind, str) and kind[:1].lower() in {name[0] for name in _KINDS}):
        raise ValueError(f"{function}: kind must be None or one of {', '.join(map(repr, _KINDS))}, got {kind!r}")
    if axis is None:
        return array.ravel(), 0
    # As in NumPy, an array without axes can be given to argsort only.
    axes = array.ndim or int(function in ("argsort", "argpartition"))
    return array, axis if -axes <= axis < axes else normalize_axis_index(axis, axes)


def _laid_out_as(result: dpnp_ndarray, a: dpnp_ndarray) -> dpnp_ndarray:
    """Return the array in the memory order of `a`, as NumPy's functions that sort a copy do."""
    for order in ("c_contiguous", "f_contiguous"):
        if getattr(a.flags, order):
            return result if getattr(result.flags, order) else dpt.copy(result, order=order[0].upper())
    made = dpt.empty_like(a, order="K")
    made[...] = result
    return made


def sort(
    a: object,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> dpnp_ndarray:
    """Return the elements in order along an axis.

    NaNs are greater than all numbers. Complex numbers are in lexicographic order, those with NaNs last.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    kind : str, optional
        One of NumPy's names of algorithms. Has no effect, since the sort is always stable.
    descending : bool, optional
        Whether the largest elements come first.
    stable : bool, optional
        Accepted as in NumPy. Has no effect.

    Raises
    ------
    numpy.exceptions.AxisError
        For an axis that the array does not have.
    ValueError
        For an unknown `kind`.
    NotImplementedError
        For any `order` but None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.sort(np.array([[3, 1, 2], [9, 8, 7]]))
    array([[1, 2, 3],
           [7, 8, 9]])
    """
    array, along = _checked("sort", a, axis, kind, order)
    return _laid_out_as(dpt.sort(array, axis=along, descending=descending), array)


def sort_in_place(a: dpnp_ndarray, axis: int, kind: str | None, order: None, descending: bool) -> None:
    """Sort the array's elements along an axis."""
    array, along = _checked("sort", a, axis, kind, order)
    array[...] = dpt.sort(array, axis=along, descending=descending)


def argsort(
    a: object,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> dpnp_ndarray:
    """Return the positions, of int64, of the elements in order along an axis.

    The arguments are those of `sort`; equal elements keep their order.

    >>> import dpnp as np
    >>> np.argsort(np.array([30, 10, 20]))
    array([1, 2, 0])
    """
    array, along = _checked("argsort", a, axis, kind, order)
    positions = dpt.argsort(array, axis=along, descending=descending)
    return positions if positions.flags.c_contiguous else dpt.copy(positions, order="C")


def lexsort(keys: object, axis: int = -1) -> dpnp_ndarray:
    """Return the positions, of int64, of elements in the order of several keys. Equal elements keep their order.

    Parameters
    ----------
    keys : sequence of ndarray or usm_ndarray, ndarray or usm_ndarray
        The keys, of one shape; of an array the subarrays along the first axis. The last key is compared first.
    axis : int, optional
        The axis of each key to sort along.

    Raises
    ------
    TypeError
        When a key is not an array, and without keys.
    ValueError
        For keys of different shapes.
    numpy.exceptions.AxisError
        For an axis that the keys do not have.

    Examples
    --------
    >>> import dpnp as np
    >>> surname, name = np.array([2, 1, 2]), np.array([5, 6, 4])
    >>> np.lexsort((name, surname))
    array([1, 2, 0])
    """
    given = list(dpt.unstack(checked_array("lexsort", keys))) if isinstance(keys, array_base) else list(keys)
    if not given:
        raise TypeError("lexsort: need sequence of keys with len > 0 in lexsort")
    return positions_by_keys(given, axis)


def _ranks(function: str, array: dpnp_ndarray, kth: int | Sequence[int], axis: int) -> list[int]:
    """The ranks of `kth`, counted from the front."""
    if array.size == 0:
        return []
    length = array.shape[axis] if array.ndim else 1
    given = [kth] if type(kth) is int else numpy.atleast_1d(host_array(kth)).tolist()
    for k in given:
        if not -length <= operator.index(k) < length:
            raise ValueError(f"{function}: kth must be from {-length} to {length - 1} for the axis, got {k}")
    return [k + length if k < 0 else k for k in given]


def partition(
    a: object, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> dpnp_ndarray:
    """Return the elements with the kth in its sorted position, smaller ones before and larger ones after it.

    The order of the smaller ones, and of the larger ones, is unspecified.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    kth : int or sequence of int
        The positions.
    axis : int, optional
        The axis; the flattened array when None.
    kind : {'introselect'}, optional
        As in NumPy.

    Raises
    ------
    numpy.exceptions.AxisError
        For an axis that the array does not have.
    ValueError
        For a `kth` beyond the axis, and for an unknown `kind`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.partition(np.array([7, 1, 5, 3]), 2)[2]
    array(5)
    """
    array, along = _checked("partition", a, axis, None if kind == "introselect" else kind or "", order)
    return _laid_out_as(partitioned(array, _ranks("partition", array, kth, along), along), array)


def argpartition(
    a: object, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> dpnp_ndarray:
    """Return the positions of the elements in the order of `partition`.

    >>> import dpnp as np
    >>> np.argpartition(np.array([7, 1, 5, 3]), 2)[2]
    array(2)
    """
    array, along = _checked("argpartition", a, axis, None if kind == "introselect" else kind or "", order)
    positions = partitioned_positions(array, _ranks("argpartition", array, kth, along), along)
    return positions if positions.flags.c_contiguous else dpt.copy(positions, order="C")


def sort_complex(a: object) -> dpnp_ndarray:
    """Return the elements as complex numbers in order along the last axis.

    >>> import dpnp as np
    >>> np.sort_complex(np.array([2.0, 1.0]))
    array([1.+0.j, 2.+0.j])
    """
    array = sort(a)
    if array.dtype.kind == "c":
        return array
    narrow = array.dtype.kind in "iu" and array.dtype.itemsize <= 2
    return array.astype(numpy.complex64 if narrow else numpy.complex128)
