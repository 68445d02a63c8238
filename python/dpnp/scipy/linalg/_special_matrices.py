"""Matrices of a form, from their first rows and columns or their sizes."""

from __future__ import annotations

import math

import dpctl
import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array

import dpnp
from dpnp._support import as_numbers

__all__ = ["block_diag", "circulant", "companion", "dft", "hadamard", "hankel", "hilbert", "khatri_rao", "toeplitz"]


def _vector(function: str, x: object) -> dpnp_ndarray:
    x = checked_array(function, x)
    if x.ndim != 1:
        raise ValueError(f"{function}: expected a vector, got shape {x.shape}")
    return x


def _numbers(count: int, like: dpnp_ndarray) -> object:
    return dpt.arange(count, dtype="i8", usm_type=like.usm_type, sycl_queue=like.sycl_queue)


def toeplitz(c: object, r: object = None) -> dpnp_ndarray:
    """Return the matrix with constant diagonals that has the given first column and row.

    Parameters
    ----------
    c : ndarray
        The first column.
    r : ndarray, optional
        The first row, of which the first element is not used. Default: the conjugate of the column.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.toeplitz(np.array([1, 2]), np.array([1, 4, 5]))
    array([[1, 4, 5],
           [2, 1, 4]])
    """
    c = _vector("toeplitz", c)
    r = c.conj() if r is None else _vector("toeplitz", r)
    check_arrays("toeplitz", c, r)
    values = dpnp.concatenate([dpt.flip(c), r[1:]])
    rows, columns = _numbers(c.shape[0], c), _numbers(max(r.shape[0], 0), c)
    return as_dpnp(dpt.take(values, c.shape[0] - 1 - rows[:, None] + columns))


def circulant(c: object) -> dpnp_ndarray:
    """Return the matrix whose columns are the given one, each rolled by one more.

    >>> import dpnp as np
    >>> np.scipy.linalg.circulant(np.array([1, 2, 3]))
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    c = _vector("circulant", c)
    places = _numbers(c.shape[0], c)
    return as_dpnp(dpt.take(c, dpt.remainder(places[:, None] - places, max(c.shape[0], 1))))


def hankel(c: object, r: object = None) -> dpnp_ndarray:
    """Return the matrix with constant anti-diagonals that has the given first column and last row.

    Parameters
    ----------
    c : ndarray
        The first column.
    r : ndarray, optional
        The last row, of which the first element is not used. Default: zeros.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.hankel(np.array([1, 2]), np.array([0, 7, 8]))
    array([[1, 2, 7],
           [2, 7, 8]])
    """
    c = _vector("hankel", c)
    r = dpt.zeros_like(c) if r is None else _vector("hankel", r)
    values = dpnp.concatenate([c, r[1:]])
    return as_dpnp(dpt.take(values, _numbers(c.shape[0], c)[:, None] + _numbers(r.shape[0], c)))


def companion(a: object) -> dpnp_ndarray:
    """Return the matrix whose eigenvalues are the roots of a polynomial.

    Parameters
    ----------
    a : ndarray
        The coefficients, at least two, highest power first.

    Raises
    ------
    ValueError
        When there are less than two coefficients, or the first one is zero.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.companion(np.array([1.0, -3.0, 2.0]))
    array([[ 3., -2.],
           [ 1.,  0.]])
    """
    a = _vector("companion", a)
    if a.shape[0] < 2:
        raise ValueError(f"companion: expected at least two coefficients, got {a.shape[0]}")
    if bool(a[0] == 0):
        raise ValueError("companion: the first coefficient must not be zero")
    row = -a[1:] / a[0]
    below = dpnp.eye(a.shape[0] - 2, a.shape[0] - 1, dtype=row.dtype, usm_type=row.usm_type, sycl_queue=row.sycl_queue)
    return dpnp.concatenate([row[None, :], below])


def block_diag(*arrs: object) -> dpnp_ndarray:
    """Return the matrix with the given matrices along its diagonal; vectors are rows.

    >>> import dpnp as np
    >>> np.scipy.linalg.block_diag(np.array([[1, 2]]), np.array([[3], [4]]))
    array([[1, 2, 0],
           [0, 0, 3],
           [0, 0, 4]])
    """
    if not arrs:
        raise TypeError("block_diag: expected at least one array")
    blocks = [dpnp.atleast_2d(checked_array("block_diag", a)) for a in arrs]
    for block in blocks:
        if block.ndim > 2:
            raise ValueError(f"block_diag: expected arrays of at most two dimensions, got shape {block.shape}")
    dtype = dpnp.result_type(*blocks)
    shape = tuple(sum(block.shape[i] for block in blocks) for i in range(2))
    made = dpnp.zeros(shape, dtype=dtype, usm_type=blocks[0].usm_type, sycl_queue=blocks[0].sycl_queue)
    row = column = 0
    for block in blocks:
        made[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return made


def khatri_rao(a: object, b: object) -> dpnp_ndarray:
    """Return the Kronecker products of the columns of two matrices with equal numbers of columns.

    >>> import dpnp as np
    >>> np.scipy.linalg.khatri_rao(np.array([[1, 2]]), np.array([[3, 4], [5, 6]]))
    array([[ 3,  8],
           [ 5, 12]])
    """
    check_arrays("khatri_rao", a, b)
    a, b = checked_array("khatri_rao", a), checked_array("khatri_rao", b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(
            f"khatri_rao: expected two matrices with equal numbers of columns, got shapes {a.shape} and {b.shape}"
        )
    return dpnp.reshape(a[:, None, :] * b[None, :, :], (a.shape[0] * b.shape[0], a.shape[1]))


def _size(function: str, n: object) -> int:
    n = as_numbers(n)
    if isinstance(n, bool) or not isinstance(n, (int, numpy.integer)) or n < 0:
        raise ValueError(f"{function}: n must be an integer that is not negative, got {n!r}")
    return n


def hilbert(
    n: int, device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpnp_ndarray:
    """Return the matrix of 1 / (i + j + 1).

    `n` is the number of rows and columns; the other arguments are those of `dpnp.zeros`.

    >>> import dpnp as np
    >>> np.scipy.linalg.hilbert(2).round(6)
    array([[1.      , 0.5     ],
           [0.5     , 0.333333]])
    """
    place = {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}
    numbers = dpnp.arange(_size("hilbert", n), dtype="f8", **place)
    return 1 / (numbers[:, None] + numbers + 1)


def hadamard(
    n: int,
    dtype: object = int,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray:
    """Return Sylvester's matrix of ones and minus ones with orthogonal rows.

    `n` is the number of rows and columns, a power of two; the other arguments are those of `dpnp.zeros`.

    >>> import dpnp as np
    >>> np.scipy.linalg.hadamard(2)
    array([[ 1,  1],
           [ 1, -1]])
    """
    if _size("hadamard", n) < 1 or n & (n - 1):
        raise ValueError(f"hadamard: n must be a power of two, got {n}")
    place = {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}
    numbers = dpnp.arange(n, dtype="i8", **place)
    odd = dpnp.bitwise_count(numbers[:, None] & numbers) & 1
    return dpnp.astype(1 - 2 * dpnp.astype(odd, "i8"), dtype)


def dft(
    n: int,
    scale: str | None = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray:
    """Return the matrix of the discrete Fourier transform.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    scale : {None, 'sqrtn', 'n'}, optional
        What the matrix is divided by: 1, the square root of n, or n.
    device, usm_type, sycl_queue : optional
        The placement of the result, as in `dpnp.zeros`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.dft(2).real
    array([[ 1.,  1.],
           [ 1., -1.]])
    """
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"dft: scale must be None, 'sqrtn' or 'n', got {scale!r}")
    place = {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}
    numbers = dpnp.arange(_size("dft", n), dtype="i8", **place)
    steps = dpt.remainder(numbers[:, None] * numbers, max(n, 1))
    made = dpt.exp(steps * complex(0, -2 * math.pi / max(n, 1)))
    return made if scale is None else made / (math.sqrt(n) if scale == "sqrtn" else n)
