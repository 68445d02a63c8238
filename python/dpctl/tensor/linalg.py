"""Linear algebra: the extension `linalg` of the Array API, and eigenvalues of general matrices.

Matrices are the last two axes of an array, and the functions apply to each. Factorisations are computed by LAPACK on
CPUs (oneMKL or OpenBLAS; NumPy contains one) and by cuSOLVER on NVIDIA GPUs; `python -m dpep doctor` shows which
libraries were found. Many small matrices are computed side by side on all cores.

>>> import dpctl.tensor as dpt
>>> a = dpt.asarray([[2.0, 1.0], [1.0, 3.0]])
>>> dpt.linalg.solve(a, dpt.asarray([3.0, 4.0]))
usm_ndarray([1., 1.])
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

import numpy
from dpep._array import array_base, astype, copy, tensor
from dpep._array.linalg import (
    cholesky,
    det,
    diagonal,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
)
from dpep._array.tensor import matmul, matrix_transpose, tensordot, vecdot

from dpctl.tensor._numpy_helper import normalize_axis_index

if TYPE_CHECKING:
    from dpctl.tensor import usm_ndarray
else:
    from dpep._array.linalg import __getattr__  # noqa: F401 the classes of results, for pickles

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def _checked(function: str, x: object, dimensions: int = 0) -> usm_ndarray:
    if not isinstance(x, array_base):
        raise TypeError(f"{function}: x must be a usm_ndarray, got {type(x).__name__}")
    if x.ndim < dimensions:
        raise numpy.linalg.LinAlgError(
            f"{function}: expected an array of at least {dimensions} dimensions, got shape {x.shape}"
        )
    return x


def _as_floats(function: str, x: usm_ndarray) -> usm_ndarray:
    """The array in the dtype that linear algebra computes in; float16 stays."""
    if x.dtype.kind in "fc":
        return x
    return astype(x, "f8" if x.sycl_device.has_aspect_fp64 else "f4")


def cross(x1: usm_ndarray, x2: usm_ndarray, /, *, axis: int = -1) -> usm_ndarray:
    """Return the cross products of vectors of three elements.

    Parameters
    ----------
    x1, x2 : usm_ndarray
        The vectors. Their other axes are broadcast.
    axis : int, optional
        The axis of the vectors in both arrays, after broadcasting.

    Raises
    ------
    ValueError
        When the axis has not length 3.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.cross(dpt.asarray([1, 0, 0]), dpt.asarray([0, 1, 0]))
    usm_ndarray([0, 0, 1])
    """
    a, b = _checked("cross", x1), _checked("cross", x2)
    a, b = tensor.broadcast_arrays(a, b) if a.shape != b.shape else (a, b)
    axis = normalize_axis_index(axis, a.ndim)
    if x1.shape[axis - a.ndim] != 3 or x2.shape[axis - b.ndim] != 3:
        raise ValueError(f"cross: expected vectors of 3 elements along axis {axis}, got shapes {x1.shape}, {x2.shape}")
    a, b = tensor.moveaxis(a, axis, -1), tensor.moveaxis(b, axis, -1)
    parts = [
        a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
        a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
        a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
    ]
    return tensor.stack(parts, axis=axis)


def matrix_norm(x: usm_ndarray, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> usm_ndarray:
    """Return the norms of matrices.

    Parameters
    ----------
    x : usm_ndarray
        Matrices, in the last two axes.
    keepdims : bool, optional
        Whether the last two axes stay, with length 1.
    ord : {'fro', 'nuc', 1, 2, inf, -1, -2, -inf, None}, optional
        'fro': the root of the sum of squares, also for None. 'nuc': the sum of the singular values. 1 and -1: the
        largest and smallest sum of absolute values of a column, inf and -inf: of a row. 2 and -2: the largest and
        smallest singular value.

    Raises
    ------
    ValueError
        For another `ord`.
    numpy.linalg.LinAlgError
        For arrays of less than two dimensions.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.matrix_norm(dpt.asarray([[3.0, 0.0], [0.0, 4.0]]))
    usm_ndarray(5.)
    """
    x = _as_floats("matrix_norm", _checked("matrix_norm", x, 2))
    if ord is None or ord == "fro":
        return _root_of_squares(x, (-2, -1), keepdims)
    if ord == "nuc" or ord in (2, -2):
        s = svdvals(x)
        found = tensor.sum(s, axis=-1) if ord == "nuc" else (_largest if ord == 2 else tensor.min)(s, axis=-1)
    elif ord in (1, -1, math.inf, -math.inf):
        along = -2 if abs(ord) == 1 else -1
        sums = tensor.sum(tensor.abs(x), axis=along)
        found = (_largest if ord > 0 else tensor.min)(sums, axis=-1)
    else:
        raise ValueError(f"matrix_norm: ord must be 'fro', 'nuc', 1, 2, inf, -1, -2, -inf or None, got {ord!r}")
    return tensor.expand_dims(found, axis=(-2, -1)) if keepdims else found


def _largest(x: usm_ndarray, axis: object, keepdims: bool = False) -> usm_ndarray:
    """The largest of numbers that are not negative; 0 if there are none."""
    return (tensor.max if x.size else tensor.sum)(x, axis=axis, keepdims=keepdims)


def _root_of_squares(x: usm_ndarray, axis: object, keepdims: bool) -> usm_ndarray:
    size = tensor.abs(x)
    return tensor.sqrt(tensor.sum(size * size, axis=axis, keepdims=keepdims, dtype=size.dtype))


def vector_norm(
    x: usm_ndarray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: float | None = 2
) -> usm_ndarray:
    """Return the norms of vectors.

    Parameters
    ----------
    x : usm_ndarray
        The array.
    axis : int or tuple of int, optional
        The axes that form a vector; all axes when None.
    keepdims : bool, optional
        Whether these axes stay, with length 1.
    ord : number, optional
        2, or None: the root of the sum of squares. inf, -inf: the largest and smallest absolute value. 0: the number of
        elements that are not zero. Another number p: the p-th root of the sum of the p-th powers of the absolute
        values.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.vector_norm(dpt.asarray([3.0, 4.0]))
    usm_ndarray(5.)
    """
    x = _as_floats("vector_norm", _checked("vector_norm", x))
    ord = 2 if ord is None else ord
    if not isinstance(ord, (int, float, numpy.integer, numpy.floating)):
        raise ValueError(f"vector_norm: ord must be a number, got {ord!r}")
    if ord == 2:
        return _root_of_squares(x, axis, keepdims)
    size = tensor.abs(x)
    if ord == math.inf:
        return _largest(size, axis=axis, keepdims=keepdims)
    if ord == -math.inf:
        return tensor.min(size, axis=axis, keepdims=keepdims)
    if ord == 0:
        return tensor.sum(size != 0, axis=axis, keepdims=keepdims, dtype=size.dtype)
    if ord == 1:
        return tensor.sum(size, axis=axis, keepdims=keepdims, dtype=size.dtype)
    sums = tensor.sum(size**ord, axis=axis, keepdims=keepdims, dtype=size.dtype)
    return sums ** (1 / ord)


def matrix_power(x: usm_ndarray, n: int, /) -> usm_ndarray:
    """Return square matrices raised to an integer power; a negative one is a power of the inverse.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.matrix_power(dpt.asarray([[1, 1], [0, 1]]), 5)
    usm_ndarray([[1, 5],
                 [0, 1]])
    """
    x = _checked("matrix_power", x, 2)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"matrix_power: the exponent must be an int, got {type(n).__name__}") from None
    if x.shape[-1] != x.shape[-2]:
        raise numpy.linalg.LinAlgError(f"matrix_power: expected square matrices, got shape {x.shape}")
    if n == 0:
        diagonal_elements = tensor.eye(x.shape[-1], dtype="?", usm_type=x.usm_type, sycl_queue=x.sycl_queue)
        return tensor.where(diagonal_elements, tensor.ones_like(x), tensor.zeros_like(x))
    if n < 0:
        x, n = inv(x), -n
    result = None
    while True:
        if n % 2:
            result = x if result is None else matmul(result, x)
        n //= 2
        if n == 0:
            return copy(result) if result is x else result
        x = matmul(x, x)


def matrix_rank(x: usm_ndarray, /, *, rtol: float | usm_ndarray | None = None) -> usm_ndarray:
    """Return the ranks of matrices: the numbers of singular values that are not small.

    Parameters
    ----------
    x : usm_ndarray
        Matrices, in the last two axes.
    rtol : number or usm_ndarray, optional
        Singular values up to this times the largest one count as zero. An array has one for each matrix. Default: the
        larger length of the matrices times the precision of the dtype.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.matrix_rank(dpt.asarray([[1.0, 2.0], [2.0, 4.0]]))
    usm_ndarray(1)
    """
    x = _checked("matrix_rank", x, 2)
    s = svdvals(x)
    if 0 in x.shape[-2:]:
        return tensor.count_nonzero(s, axis=-1)
    limit = tensor.max(s, axis=-1, keepdims=True) * _relative_limit(x, s, rtol)
    return tensor.count_nonzero(s > limit, axis=-1)


def _relative_limit(x: usm_ndarray, s: usm_ndarray, rtol: float | usm_ndarray | None) -> float | usm_ndarray:
    """The relative size up to which singular values count as zero, as a number or with a last axis of length 1."""
    if rtol is None:
        return max(x.shape[-2:]) * float(numpy.finfo(s.dtype).eps)
    return tensor.expand_dims(rtol, axis=-1) if isinstance(rtol, array_base) else rtol


def outer(x1: usm_ndarray, x2: usm_ndarray, /) -> usm_ndarray:
    """Return the matrix of products of the elements of two vectors.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.outer(dpt.asarray([1, 2]), dpt.asarray([3, 4]))
    usm_ndarray([[3, 4],
                 [6, 8]])
    """
    a, b = _checked("outer", x1), _checked("outer", x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"outer: expected two vectors, got shapes {a.shape} and {b.shape}")
    return tensor.expand_dims(a, axis=1) * b


def pinv(x: usm_ndarray, /, *, rtol: float | usm_ndarray | None = None) -> usm_ndarray:
    """Return the Moore-Penrose pseudo-inverses of matrices.

    Parameters
    ----------
    x : usm_ndarray
        Matrices, in the last two axes.
    rtol : number or usm_ndarray, optional
        As for `matrix_rank`.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.pinv(dpt.asarray([[2.0, 0.0], [0.0, 0.0]]))
    usm_ndarray([[0.5, 0. ],
                 [0. , 0. ]])
    """
    x = _checked("pinv", x, 2)
    u, s, vh = svd(x, full_matrices=False)
    if s.shape[-1] > 0:
        large = s > tensor.max(s, axis=-1, keepdims=True) * _relative_limit(x, s, rtol)
        s = tensor.where(large, 1 / tensor.where(large, s, tensor.ones_like(s)), tensor.zeros_like(s))
    scaled = tensor.expand_dims(s, axis=-1) * tensor.conj(matrix_transpose(u))
    return matmul(tensor.conj(matrix_transpose(vh)), scaled)


def trace(x: usm_ndarray, /, *, offset: int = 0, dtype: object = None) -> usm_ndarray:
    """Return the sums of the elements of matrices' diagonals.

    Parameters
    ----------
    x : usm_ndarray
        Matrices, in the last two axes.
    offset : int, optional
        The column of the diagonal's first element; negative numbers count rows.
    dtype : dtype, optional
        The dtype of the result; as in `sum` when None.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.linalg.trace(dpt.asarray([[1, 2], [3, 4]]))
    usm_ndarray(5)
    """
    return tensor.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
