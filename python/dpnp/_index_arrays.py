"""Arrays of indices: of triangles, of diagonals, and between flat indices and those for each axis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import dpctl
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import integers_of
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, checked_array, placed_like, placement_of, view_as

from dpnp._creation import asarray
from dpnp._masks import nonzero
from dpnp._matrices import tri
from dpnp._support import as_numbers

__all__ = [
    "diag_indices", "diag_indices_from", "ix_", "mask_indices", "ndenumerate", "ravel_multi_index", "tril_indices",
    "tril_indices_from", "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip

_Indices = tuple[dpnp_ndarray, ...]


def _shape(function: str, argument: str, lengths: object) -> tuple[int, ...]:
    try:
        return integers_of(lengths)
    except TypeError:
        raise TypeError(f"{function}: {argument} must be an int or a sequence of ints, got {lengths!r}") from None


def _strides(function: str, shape: tuple[int, ...], order: str) -> list[int]:
    """The distance of elements along each axis in a contiguous array of the shape."""
    if order is None:
        order = "C"
    if order not in ("C", "F"):
        raise ValueError(f"{function}: only 'C' or 'F' order is permitted, got {order!r}")
    if order == "C":
        return [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return [math.prod(shape[:i]) for i in range(len(shape))]


def _check_integers(function: str, x: dpnp_ndarray) -> dpnp_ndarray:
    if x.dtype.kind not in "iu":
        raise TypeError(f"{function}: indices must be integers, got {x.dtype}")
    return dpt.astype(x, "i8", copy=False)


def unravel_index(indices: object, shape: int | Sequence[int], order: str = "C") -> _Indices:
    """Return the indices for each axis of elements whose indices in the flattened array are given.

    Parameters
    ----------
    indices : ndarray, usm_ndarray or int
        Indices in the flattened array.
    shape : int or sequence of int
        The shape of the array.
    order : {'C', 'F'}, optional
        The order in which the array is flattened.

    Returns
    -------
    tuple of ndarray
        For each axis an array of int64 in the shape of `indices`.

    Raises
    ------
    TypeError
        For indices that are not integers.
    ValueError
        For indices out of bounds and another order.

    Examples
    --------
    >>> import dpnp as np
    >>> np.unravel_index(np.array([22, 41, 37]), (7, 6))
    (array([3, 6, 6]), array([4, 5, 1]))
    """
    lengths = _shape("unravel_index", "shape", shape)
    strides, size = _strides("unravel_index", lengths, order), math.prod(lengths)
    flat = _check_integers("unravel_index", asarray(indices))
    if flat.size and int(bound.max(view_as(flat, "u8"))) >= size:  # as an unsigned number, a negative index is large
        least, greatest = int(bound.min(flat)), int(bound.max(flat))
        wrong = least if least < 0 else greatest
        raise ValueError(f"unravel_index: index {wrong} is out of bounds for array with size {size}")
    made = []
    for stride, n in zip(strides, lengths, strict=True):
        along = flat if stride <= 1 else flat // stride
        # The index along the axis with the largest stride is within its bounds.
        made.append(along if stride * n >= size and along is not flat else along % max(n, 1))
    return tuple(made)


def ravel_multi_index(
    multi_index: object, dims: int | Sequence[int], mode: str | Sequence[str] = "raise", order: str = "C"
) -> dpnp_ndarray:
    """Return the indices in the flattened array of elements whose indices for each axis are given.

    Parameters
    ----------
    multi_index : sequence of ndarray, usm_ndarray or int, or ndarray
        Indices for each axis, which are broadcast; of an array the subarrays along the first axis.
    dims : int or sequence of int
        The shape of the array.
    mode : {'raise', 'wrap', 'clip'} or sequence of them, optional
        The treatment of indices out of bounds, for all axes or for each: an error, the remainder, or the nearest index.
    order : {'C', 'F'}, optional
        The order in which the array is flattened.

    Returns
    -------
    ndarray
        Indices of int64.

    Raises
    ------
    TypeError
        For indices that are not integers, and for another number of modes than of axes.
    ValueError
        For indices out of bounds, another number of indices than of axes, another order or mode, and for more elements
        than int64 can count.

    Examples
    --------
    >>> import dpnp as np
    >>> np.ravel_multi_index(np.array([[3, 6, 6], [4, 5, 1]]), (7, 6))
    array([22, 41, 37])
    """
    lengths = _shape("ravel_multi_index", "dims", dims)
    strides = _strides("ravel_multi_index", lengths, order)
    if math.prod(lengths) > 2**63 - 1:
        raise ValueError(
            f"ravel_multi_index: invalid dims: an array of shape {lengths} has more than 2**63 - 1 elements"
        )
    given = list(dpt.unstack(as_dpnp(multi_index))) if isinstance(multi_index, array_base) else list(multi_index)
    if len(given) != len(lengths):
        raise ValueError(
            f"ravel_multi_index: parameter multi_index must be a sequence of length {len(lengths)}, got {len(given)}"
        )
    modes = [mode] * len(lengths) if isinstance(mode, str) else list(mode)
    if len(modes) != len(lengths):
        raise TypeError(f"ravel_multi_index: expected a mode for each of {len(lengths)} axes, got {len(modes)}")
    placement_of("ravel_multi_index", *given)
    like = next((x for x in given if isinstance(x, array_base)), None)
    result: object = 0
    for axis, (indices, n, stride, how) in enumerate(zip(given, lengths, strides, modes, strict=True)):
        placed = asarray(indices) if like is None else placed_like(indices, like)
        x = _check_integers("ravel_multi_index", placed)
        if how == "wrap":
            x = x % n
        elif how == "clip":
            x = dpt.clip(x, 0, n - 1)
        elif how != "raise":
            raise ValueError(f"ravel_multi_index: mode must be 'raise', 'wrap' or 'clip', got {how!r}")
        elif x.size and bool(bound.any(bound.logical_or(x < 0, x >= n))):
            raise ValueError(f"ravel_multi_index: invalid entry in coordinates array for axis {axis} with size {n}")
        result = result + x * stride
    return result


def ix_(*args: object) -> _Indices:
    """Return index arrays that select the elements at all combinations of indices.

    Parameters
    ----------
    *args : ndarray, usm_ndarray or sequence of int
        For each axis indices, or a mask, in an array with one axis. Sequences are copied to the device of the arrays,
        or else to the default device.

    Returns
    -------
    tuple of ndarray
        The indices, each along an axis of its own.

    Raises
    ------
    TypeError
        For arguments that are neither arrays nor sequences.
    ValueError
        For arrays that have not one axis.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(10).reshape(2, 5)
    >>> x[np.ix_(np.array([0, 1]), np.array([2, 4]))]
    array([[2, 4],
           [7, 9]])
    """
    made = []
    place = placement_of("ix_", *args)
    for axis, x in enumerate(args):
        if isinstance(x, (list, tuple, range)):
            x = dpt.asarray(x, dtype=None if len(x) else dpt.int64, **place)
        x = checked_array("ix_", x)
        if x.ndim != 1:
            raise ValueError(f"ix_: expected arrays with one axis, got shape {x.shape}")
        if x.dtype.kind == "b":
            (x,) = nonzero(x)
        made.append(dpt.reshape(x, (1,) * axis + (-1,) + (1,) * (len(args) - 1 - axis)))
    return tuple(made)


def mask_indices(
    n: int,
    mask_func: Callable[..., dpnp_ndarray],
    k: object = 0,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> _Indices:
    """Return the indices of the elements of an n x n matrix that a function such as `triu` leaves.

    The function is called with a matrix of ones and `k`. The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.mask_indices(2, np.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    ones = as_dpnp(dpt.ones((n, n), dtype=int, device=device, usm_type=usm_type, sycl_queue=sycl_queue))
    return nonzero(mask_func(ones, k) != 0)


def _triangle(lower: bool, n: int, k: int, m: int | None, place: dict[str, object]) -> _Indices:
    mask = tri(n, m, k if lower else k - 1, bool, **place)
    return nonzero(mask if lower else bound.logical_not(mask))


def tril_indices(
    n: int,
    k: int = 0,
    m: int | None = None,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> _Indices:
    """Return the indices of the elements on and below the diagonal k of an n x m matrix; m is n by default.

    The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _triangle(True, n, k, m, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})


def triu_indices(
    n: int,
    k: int = 0,
    m: int | None = None,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> _Indices:
    """Return the indices of the elements on and above the diagonal k of an n x m matrix; m is n by default.

    The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _triangle(False, n, k, m, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})


def _triangle_of(function: str, lower: bool, arr: object, k: int) -> _Indices:
    arr = checked_array(function, arr)
    if arr.ndim != 2:
        raise ValueError(f"{function}: input array must be 2-d, got shape {arr.shape}")
    place = {"usm_type": arr.usm_type, "sycl_queue": arr.sycl_queue}
    return _triangle(lower, arr.shape[0], k, arr.shape[1], place)


def tril_indices_from(arr: object, k: int = 0) -> _Indices:
    """Return the indices of the elements on and below the diagonal k of a matrix.

    >>> import dpnp as np
    >>> np.tril_indices_from(np.ones((2, 2)))
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _triangle_of("tril_indices_from", True, arr, k)


def triu_indices_from(arr: object, k: int = 0) -> _Indices:
    """Return the indices of the elements on and above the diagonal k of a matrix.

    >>> import dpnp as np
    >>> np.triu_indices_from(np.ones((2, 2)), 1)
    (array([0]), array([1]))
    """
    return _triangle_of("triu_indices_from", False, arr, k)


def diag_indices(
    n: int,
    ndim: int = 2,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> _Indices:
    """Return the indices of the main diagonal of an array with `ndim` axes of length n.

    The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.diag_indices(3)
    (array([0, 1, 2]), array([0, 1, 2]))
    """
    return (as_dpnp(dpt.arange(as_numbers(n), device=device, usm_type=usm_type, sycl_queue=sycl_queue)),) * ndim


def diag_indices_from(arr: object) -> _Indices:
    """Return the indices of the main diagonal of an array with at least two axes of one length.

    >>> import dpnp as np
    >>> np.diag_indices_from(np.ones((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    arr = checked_array("diag_indices_from", arr)
    if arr.ndim < 2:
        raise ValueError(f"diag_indices_from: input array must be at least 2-d, got shape {arr.shape}")
    if len(set(arr.shape)) != 1:
        raise ValueError(f"diag_indices_from: all dimensions of input must be of equal length, got shape {arr.shape}")
    return diag_indices(arr.shape[0], arr.ndim, usm_type=arr.usm_type, sycl_queue=arr.sycl_queue)


class ndenumerate:
    """An iterator over the elements of an array in row-major order, with their indices.

    >>> import dpnp as np
    >>> [(index, int(x)) for index, x in np.ndenumerate(np.array([[1, 2]]))]
    [((0, 0), 1), ((0, 1), 2)]
    """

    def __init__(self, arr: object) -> None:
        self._array = checked_array("ndenumerate", arr)
        self._indices = itertools.product(*map(range, self._array.shape))

    def __iter__(self) -> ndenumerate:
        return self

    def __next__(self) -> tuple[tuple[int, ...], dpnp_ndarray]:
        index = next(self._indices)
        return index, self._array[index]
