"""Functions that create matrices, and triangles of matrices."""

from __future__ import annotations

import operator

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, check_default

from dpnp._creation import asarray, device_dtype, given_place
from dpnp._support import (
    as_numbers,
    supported_dtype,
)

__all__ = ["eye", "identity", "tri", "tril", "triu", "vander"]


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: object = None,
    order: str | None = "C",
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Number of rows and columns; `N` columns by default.
    k : int, optional
        The diagonal: 0 the main diagonal, positive above it, negative below it.
    dtype, order, device, usm_type, sycl_queue
        As in `zeros`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    check_default("eye", "like", like, None)
    where = given_place(device, usm_type, sycl_queue)
    return as_dpnp(dpt.eye(N, M, k=k, dtype=device_dtype(dtype, device, sycl_queue), order=order or "C", **where))


def identity(
    n: int,
    dtype: object = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return the identity matrix of size `n`. The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    if n < 0:
        raise ValueError(f"identity: n must not be negative, got {n}")
    return eye(n, dtype=dtype, like=like, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def _diagonal_number(name: str, k: object) -> int:
    try:
        return operator.index(k)
    except TypeError:
        raise TypeError(f"{name}: k must be an int, got {type(k).__name__}") from None


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: object = float,
    *,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a matrix with ones on and below a diagonal and zeros above it. The arguments are those of `eye`.

    >>> import dpnp as np
    >>> np.tri(2, 3, dtype=np.int64)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    N, M = as_numbers(N), as_numbers(M)
    for name, length in (("N", N), ("M", 0 if M is None else M)):
        if not isinstance(length, (int, numpy.integer)):
            raise TypeError(f"tri: {name} must be an int, got {type(length).__name__}")
    N, M = max(N, 0), None if M is None else max(M, 0)  # as in NumPy, negative lengths are none
    where = given_place(device, usm_type, sycl_queue)
    dtype = device_dtype(float if dtype is None else dtype, device, sycl_queue)
    whole = as_dpnp(dpt.ones((N, N if M is None else M), dtype=dtype, **where))
    return dpt.tril(whole, k=_diagonal_number("tri", k))


def _triangle(name: str, part: object, m: object, k: object) -> dpnp_ndarray:
    k = _diagonal_number(name, k)
    check_arrays(name, m)
    if m.ndim == 0:
        raise ValueError(f"{name}: the array must have at least one axis, got a 0-d array")
    m = as_dpnp(m)
    return part(dpt.broadcast_to(m, m.shape * 2) if m.ndim == 1 else m, k=k)


def tril(m: object, k: int = 0) -> dpnp_ndarray:
    """Return a copy of matrices with zeros above a diagonal.

    Parameters
    ----------
    m : ndarray or usm_ndarray
        Matrices in the last two axes. A 1-d array is used for each row.
    k : int, optional
        The last diagonal that is kept.

    Examples
    --------
    >>> import dpnp as np
    >>> np.tril(np.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return _triangle("tril", dpt.tril, m, k)


def triu(m: object, k: int = 0) -> dpnp_ndarray:
    """Return a copy of matrices with zeros below a diagonal. The arguments are those of `tril`.

    >>> import dpnp as np
    >>> np.triu(np.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """
    return _triangle("triu", dpt.triu, m, k)


def vander(
    x: object,
    N: int | None = None,
    increasing: bool = False,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return the Vandermonde matrix, whose columns are powers of the elements of an array.

    Parameters
    ----------
    x : array_like
        A 1-d array.
    N : int, optional
        Number of columns; the number of elements by default.
    increasing : bool, optional
        Whether the powers increase from 0 instead of decreasing to 0.
    device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.vander(np.array([1, 2, 3]))
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    x = asarray(x, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    N = as_numbers(N)
    if N is not None and not isinstance(N, (int, numpy.integer)):
        raise TypeError(f"vander: N must be an int, got {type(N).__name__}")
    if x.ndim != 1:
        raise ValueError(f"vander: x must have one axis, got {x.ndim}")
    columns = x.size if N is None else N
    dtype = supported_dtype(numpy.promote_types(x.dtype, int), x.sycl_device)
    exponents = as_dpnp(dpt.arange(columns, dtype=dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue))
    exponents = exponents if increasing else columns - 1 - exponents
    return bound.power(dpt.astype(dpt.reshape(x, (-1, 1)), dtype, copy=False), exponents)
