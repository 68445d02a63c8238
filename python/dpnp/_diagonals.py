"""Diagonals of arrays: views, sums along them, and matrices with given diagonals."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray, linalg
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_numbers, checked_array

from dpnp._creation import asanyarray
from dpnp._shapes import ravel, resize
from dpnp._support import as_numbers, get_usm_ndarray

__all__ = ["diag", "diagflat", "diagonal", "fill_diagonal", "trace"]


def diagonal(a: object, offset: int = 0, axis1: int = 0, axis2: int = 1) -> dpnp_ndarray:
    """Return a read-only view of a diagonal: the elements whose indices along two axes differ by an offset.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        An array of at least two axes.
    offset : int, optional
        The index along `axis2` minus the index along `axis1`.
    axis1, axis2 : int, optional
        The axes. The result has one axis for the diagonal, its last axis, instead of them.

    Examples
    --------
    >>> import dpnp as np
    >>> np.diagonal(np.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    made = diagonal_view(a, offset, axis1, axis2)
    made.flags.writable = False
    return made


def diagonal_view(a: object, offset: int, axis1: int, axis2: int) -> dpnp_ndarray:
    """The view that `diagonal` returns, writable if the array is."""
    a = checked_array("diagonal", a)
    if a.ndim < 2:
        raise ValueError(f"diagonal: the array must have at least two axes, got {a.ndim}")
    if type(offset) is int and a.ndim == 2 and axis1 == 0 and axis2 == 1:
        return as_dpnp(linalg.diagonal(a, offset=offset))
    offset = as_numbers(offset)
    if not isinstance(offset, (int, numpy.integer)):
        raise TypeError(f"diagonal: offset must be an int, got {type(offset).__name__}")
    first, second = normalize_axis_tuple((axis1, axis2), a.ndim)
    return as_dpnp(linalg.diagonal(dpt.moveaxis(a, (first, second), (-2, -1)), offset=int(offset)))


def diag(
    v: object, k: int = 0, *, device: object = None, usm_type: str | None = None, sycl_queue: object = None
) -> dpnp_ndarray:
    """Return a read-only view of a diagonal of a matrix, or a matrix with the elements of a 1-d array on a diagonal.

    Parameters
    ----------
    v : array_like
        An array of one or two axes.
    k : int, optional
        The diagonal: 0 the main diagonal, positive above it, negative below it.
    device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.diag(np.array([1, 2]))
    array([[1, 0],
           [0, 2]])
    """
    if type(k) is not int:
        k = as_numbers(k)
        if not isinstance(k, (int, numpy.integer)):
            raise TypeError(f"diag: k must be an int, got {type(k).__name__}")
    if type(v) is not dpnp_ndarray or not device is usm_type is sycl_queue is None:
        v = asanyarray(v, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError(f"diag: the array must have one or two axes, got {v.ndim}")
    n = v.size + abs(k)
    matrix = as_dpnp(dpt.zeros((n, n), dtype=v.dtype, usm_type=v.usm_type, sycl_queue=v.sycl_queue))
    linalg.diagonal(matrix, offset=int(k))[...] = v
    return matrix


def diagflat(
    v: object, k: int = 0, *, device: object = None, usm_type: str | None = None, sycl_queue: object = None
) -> dpnp_ndarray:
    """Return a matrix with the flattened array on a diagonal. The arguments are those of `diag`.

    >>> import dpnp as np
    >>> np.diagflat(np.array([[1, 2]]))
    array([[1, 0],
           [0, 2]])
    """
    k = as_numbers(k)
    if not isinstance(k, (int, numpy.integer)):
        raise TypeError(f"diagflat: k must be an int, got {type(k).__name__}")
    return diag(ravel(asanyarray(v, device=device, usm_type=usm_type, sycl_queue=sycl_queue)), k)


def fill_diagonal(a: object, val: object, wrap: bool = False) -> None:
    """Write a number or an array to the main diagonal of an array. Three or more axes must be of equal length.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        An array of at least two axes.
    val : number or ndarray
        The values, which are repeated as needed.
    wrap : bool, optional
        Whether the diagonal of a tall matrix starts again, one row after its end.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.zeros((2, 2))
    >>> np.fill_diagonal(x, 5)
    >>> x
    array([[5., 0.],
           [0., 5.]])
    """
    a = checked_array("fill_diagonal", a)
    if a.ndim < 2:
        raise ValueError(f"fill_diagonal: the array must have at least two axes, got {a.ndim}")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError(f"fill_diagonal: all axes must have the same length, got shape {a.shape}")
    check_numbers("fill_diagonal", val)
    columns = a.shape[-1]
    # With wrap, a new diagonal starts every columns + 1 rows.
    starts = range(0, a.shape[0], columns + 1) if wrap and a.ndim == 2 else (0,)
    parts = [_main_diagonal(a[start:]) for start in starts]
    if not isinstance(val, array_base):
        for part in parts:
            part[...] = val
        return
    values = resize(dpt.astype(as_dpnp(val), a.dtype, copy=False), (sum(part.size for part in parts),))
    for part, start in zip(parts, numpy.cumsum([0] + [part.size for part in parts]), strict=False):
        part[...] = values[int(start) : int(start) + part.size]


def _main_diagonal(a: dpnp_ndarray) -> dpnp_ndarray:
    """A view of the elements whose indices are all equal."""
    view = dpt.usm_ndarray(
        (min(a.shape),),
        dtype=a.dtype,
        strides=(sum(a.strides),),
        buffer=get_usm_ndarray(a),
        offset=a._element_offset,
    )
    return as_dpnp(view)


def trace(
    a: object,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: object = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the sum of the elements of `diagonal(a, offset, axis1, axis2)`; `dtype` and `out` as in `sum`.

    >>> import dpnp as np
    >>> np.trace(np.array([[1, 2], [3, 4]]))
    array(5)
    """
    a = checked_array("trace", a)
    if a.ndim < 2:
        raise ValueError(f"trace: the array must have at least two axes, got {a.ndim}")
    return bound.sum(diagonal_view(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)
