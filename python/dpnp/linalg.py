"""Linear algebra with the functions of numpy.linalg and dpnp.linalg.

Matrices are the last two axes of an array, and most functions apply to each. Factorisations are computed by LAPACK on
CPUs (oneMKL or OpenBLAS; NumPy contains one) and by cuSOLVER on NVIDIA GPUs; `python -m dpep doctor` shows which
libraries were found. Many small matrices are computed side by side on all cores.

>>> import dpnp as np
>>> np.linalg.solve(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 4.0]))
array([1., 1.])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy
from dpctl import tensor as dpt
from dpctl.tensor import linalg as standard
from dpep._array import array_base, copy, dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, placed_like

import dpnp
from dpnp._norms import cond, matrix_norm, norm, vector_norm
from dpnp._support import common_kind
from dpnp._tensor_equations import multi_dot, tensorinv, tensorsolve

LinAlgError = numpy.linalg.LinAlgError

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]


if TYPE_CHECKING:

    class EigResult(NamedTuple):
        eigenvalues: dpnp_ndarray
        eigenvectors: dpnp_ndarray  # columns

    class EighResult(NamedTuple):
        eigenvalues: dpnp_ndarray
        eigenvectors: dpnp_ndarray

    class QRResult(NamedTuple):
        Q: dpnp_ndarray
        R: dpnp_ndarray

    class SlogdetResult(NamedTuple):
        sign: dpnp_ndarray
        logabsdet: dpnp_ndarray

    class SVDResult(NamedTuple):
        U: dpnp_ndarray
        S: dpnp_ndarray
        Vh: dpnp_ndarray

else:
    from dpep._array.linalg import EighResult, EigResult, QRResult, SlogdetResult, SVDResult


def cholesky(a: object, /, *, upper: bool = False) -> dpnp_ndarray:
    """Return the triangular Cholesky factors of symmetric or Hermitian positive definite matrices.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Square matrices, in the last two axes.
    upper : bool, optional
        Whether to return the upper triangular factor. The other triangle of `a` is not read.

    Raises
    ------
    LinAlgError
        When a matrix is not positive definite or not square.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.cholesky(np.array([[4.0, 2.0], [2.0, 2.0]]))
    array([[2., 0.],
           [1., 1.]])
    """
    return bound.cholesky(checked_array("cholesky", a), upper=upper)


def det(a: object) -> dpnp_ndarray:
    """Return the determinants of square matrices.

    >>> import dpnp as np
    >>> np.linalg.det(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array(-2.)
    """
    return bound.det(checked_array("det", a))


def slogdet(a: object) -> SlogdetResult:
    """Return the signs of determinants, and the logarithms of their absolute values.

    >>> import dpnp as np
    >>> np.linalg.slogdet(np.array([[0.0, 1.0], [1.0, 0.0]])).sign
    array(-1.)
    """
    return bound.slogdet(checked_array("slogdet", a))


def inv(a: object) -> dpnp_ndarray:
    """Return the inverse matrices.

    Raises LinAlgError when a matrix is singular or not square.

    >>> import dpnp as np
    >>> np.linalg.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return bound.inv(checked_array("inv", a))


def solve(a: object, b: object) -> dpnp_ndarray:
    """Return the solutions of systems of linear equations.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Square matrices, in the last two axes.
    b : ndarray or usm_ndarray
        The right sides: a vector if it has one axis, else matrices, whose columns are solved for.

    Raises
    ------
    LinAlgError
        When a matrix is singular or not square.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 8.0]))
    array([1., 2.])
    """
    check_arrays("solve", a, b)
    return bound.solve(common_kind("solve", a, b), as_dpnp(b))


def qr(a: object, mode: str = "reduced") -> QRResult | tuple[dpnp_ndarray, dpnp_ndarray] | dpnp_ndarray:
    """Return the factors of matrices with orthonormal columns, Q, and upper triangular matrices, R.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Matrices, in the last two axes.
    mode : {'reduced', 'complete', 'r', 'raw'}, optional
        'complete': Q is square. 'r': R alone is returned. 'raw': LAPACK's Householder reflectors, transposed, and their
        factors.

    Examples
    --------
    >>> import dpnp as np
    >>> abs(np.linalg.qr(np.array([[3.0, 0.0], [4.0, 5.0]])).R)
    array([[5., 4.],
           [0., 3.]])
    """
    found = bound.qr(checked_array("qr", a), mode=mode)
    return tuple(found) if mode == "raw" else found


def svd(
    a: object, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> SVDResult | dpnp_ndarray:
    """Return the singular values and vectors of matrices.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Matrices, in the last two axes.
    full_matrices : bool, optional
        Whether U and Vh are square.
    compute_uv : bool, optional
        Whether to return U and Vh, too; else the result is S.
    hermitian : bool, optional
        Whether the matrices are symmetric or Hermitian, so that a faster method can be used.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.svd(np.array([[0.0, 2.0], [3.0, 0.0]]), compute_uv=False)
    array([3., 2.])
    """
    a = checked_array("svd", a)
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    if not compute_uv:
        return bound.svdvals(a)
    return bound.svd(a, full_matrices=full_matrices)


def _hermitian_svd(a: dpnp_ndarray, compute_uv: bool) -> SVDResult | dpnp_ndarray:
    """Singular values are the absolute values of eigenvalues."""
    if not compute_uv:
        return dpt.sort(dpt.abs(bound.eigvalsh(a)), axis=-1, descending=True)
    values, vectors = bound.eigh(a)
    sizes = dpt.abs(values)
    order = dpt.argsort(sizes, axis=-1, descending=True)
    signs = dpt.take_along_axis(dpt.sign(values), order, axis=-1)
    signs = dpt.where(signs == 0, dpt.ones_like(signs), signs)
    vectors = dpt.take_along_axis(vectors, order[..., None, :], axis=-1)
    rows = dpt.conj(dpt.matrix_transpose(vectors)) * signs[..., None]
    return SVDResult(vectors, dpt.take_along_axis(sizes, order, axis=-1), rows)


def svdvals(x: object, /) -> dpnp_ndarray:
    """Return the singular values of matrices, in descending order.

    >>> import dpnp as np
    >>> np.linalg.svdvals(np.array([[0.0, 2.0], [3.0, 0.0]]))
    array([3., 2.])
    """
    return bound.svdvals(checked_array("svdvals", x))


def eigh(a: object, UPLO: str = "L") -> EighResult:
    """Return the eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Square matrices, in the last two axes.
    UPLO : {'L', 'U'}, optional
        The triangle of `a` that is read, lower or upper.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.eigh(np.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    array([1., 2.])
    """
    return bound.eigh(checked_array("eigh", a), UPLO=UPLO)


def eigvalsh(a: object, UPLO: str = "L") -> dpnp_ndarray:
    """Return the eigenvalues of symmetric or Hermitian matrices, in ascending order; the arguments are those of `eigh`.

    >>> import dpnp as np
    >>> np.linalg.eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]]))
    array([1., 2.])
    """
    return bound.eigvalsh(checked_array("eigvalsh", a), UPLO=UPLO)


def eig(a: object) -> EigResult:
    """Return the eigenvalues and right eigenvectors of square matrices.

    For real matrices whose eigenvalues are all real, the results are real.

    >>> import dpnp as np
    >>> np.linalg.eig(np.array([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues
    array([0.+1.j, 0.-1.j])
    """
    a = checked_array("eig", a)
    values, vectors = bound.eig(a)
    if a.dtype.kind != "c" and bool(dpt.all(dpt.imag(values) == 0)):
        values, vectors = copy(dpt.real(values)), copy(dpt.real(vectors))
    return EigResult(values, vectors)


def eigvals(a: object) -> dpnp_ndarray:
    """Return the eigenvalues of square matrices; for real matrices real numbers if all are.

    >>> import dpnp as np
    >>> np.linalg.eigvals(np.array([[0.0, 1.0], [-1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    a = checked_array("eigvals", a)
    values = bound.eigvals(a)
    if a.dtype.kind != "c" and bool(dpt.all(dpt.imag(values) == 0)):
        values = copy(dpt.real(values))
    return values


def lstsq(a: object, b: object, rcond: float | None = None) -> tuple[dpnp_ndarray, dpnp_ndarray, int, dpnp_ndarray]:
    """Return the solution of a x = b with the least squares of the residuals, and of least norm.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        A matrix.
    b : ndarray or usm_ndarray
        A vector, or a matrix whose columns are solved for.
    rcond : float, optional
        Singular values below this times the largest one count as zero. Default: the larger length of `a` times the
        precision of its dtype; -1: the precision.

    Returns
    -------
    x : ndarray
        The solution.
    residuals : ndarray
        The sums of the squares of the residuals; empty if `a` has no full rank or not more rows than columns.
    rank : ndarray
        The rank of `a`, a 0-d array.
    s : ndarray
        The singular values of `a`.

    Examples
    --------
    >>> import dpnp as np
    >>> a = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    >>> np.linalg.lstsq(a, np.array([1.0, 3.0, 5.0]))[0].round(6)
    array([2., 1.])
    """
    check_arrays("lstsq", a, b)
    a, b = common_kind("lstsq", a, b), common_kind("lstsq", b, a)
    is_vector = b.ndim == 1
    right = dpt.expand_dims(b, axis=1) if is_vector else b
    if rcond is None:
        kind = a.dtype if a.dtype.kind in "fc" else dpnp.default_float_type(a.sycl_device)
        rcond = float(numpy.finfo(kind).eps) * max(a.shape, default=1)
    x, residuals, rank, s = bound.lstsq(a, right, condition=float(rcond))
    if rank != x.shape[0] or a.shape[0] <= x.shape[0]:
        residuals = residuals[:0]
    return (x[:, 0] if is_vector else x), residuals, placed_like(rank, a, "i4"), s


def matmul(x1: object, x2: object, /) -> dpnp_ndarray:
    """Return matrix products, as `dpnp.matmul`."""
    return dpnp.matmul(x1, x2)


def tensordot(a: object, b: object, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> dpnp_ndarray:
    """Return sums of products over axes of both arrays, as `dpnp.tensordot`."""
    return dpnp.tensordot(a, b, axes=axes)


def vecdot(x1: object, x2: object, /, *, axis: int = -1) -> dpnp_ndarray:
    """Return scalar products of vectors along an axis, as `dpnp.vecdot`."""
    return dpnp.vecdot(x1, x2, axis=axis)


def matrix_transpose(x: object, /) -> dpnp_ndarray:
    """Return a view with the last two axes swapped.

    >>> import dpnp as np
    >>> np.linalg.matrix_transpose(np.array([[1, 2], [3, 4]]))
    array([[1, 3],
           [2, 4]])
    """
    return dpt.matrix_transpose(checked_array("matrix_transpose", x))


def cross(x1: object, x2: object, /, *, axis: int = -1) -> dpnp_ndarray:
    """Return the cross products of vectors of three elements along an axis.

    >>> import dpnp as np
    >>> np.linalg.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0, 0, 1])
    """
    check_arrays("cross", x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"cross: expected vectors of 3 elements along axis {axis}, got shapes {x1.shape}, {x2.shape}")
    return dpnp.cross(x1, x2, axis=axis)


def outer(x1: object, x2: object, /) -> dpnp_ndarray:
    """Return the matrix of products of the elements of two vectors.

    >>> import dpnp as np
    >>> np.linalg.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3, 4],
           [6, 8]])
    """
    check_arrays("outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"outer: expected two vectors, got shapes {x1.shape} and {x2.shape}")
    return dpnp.outer(x1, x2)


def diagonal(x: object, /, *, offset: int = 0) -> dpnp_ndarray:
    """Return a read-only view of the diagonals of matrices, which are the last two axes.

    >>> import dpnp as np
    >>> np.linalg.diagonal(np.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    return dpnp.diagonal(checked_array("diagonal", x), offset, -2, -1)


def trace(x: object, /, *, offset: int = 0, dtype: object = None) -> dpnp_ndarray:
    """Return the sums of the elements of matrices' diagonals.

    >>> import dpnp as np
    >>> np.linalg.trace(np.array([[1, 2], [3, 4]]))
    array(5)
    """
    return dpnp.trace(checked_array("trace", x), offset, -2, -1, dtype=dtype)


def matrix_power(a: object, n: int) -> dpnp_ndarray:
    """Return square matrices raised to an integer power; a negative one is a power of the inverse.

    >>> import dpnp as np
    >>> np.linalg.matrix_power(np.array([[1, 1], [0, 1]]), 5)
    array([[1, 5],
           [0, 1]])
    """
    return standard.matrix_power(checked_array("matrix_power", a), n)


def matrix_rank(A: object, tol: object = None, hermitian: bool = False, *, rtol: object = None) -> dpnp_ndarray:
    """Return the ranks of matrices: the numbers of singular values that are not small.

    Parameters
    ----------
    A : ndarray or usm_ndarray
        Matrices, in the last two axes, or a vector.
    tol : number or ndarray, optional
        Singular values up to this count as zero; an array has one for each matrix.
    hermitian : bool, optional
        Whether the matrices are symmetric or Hermitian, so that a faster method can be used.
    rtol : number or ndarray, optional
        The same relative to the largest singular value. Default: the larger length of the matrices times the precision
        of the dtype.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.matrix_rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array(1)
    """
    A = checked_array("matrix_rank", A)
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: tol and rtol cannot both be given")
    if A.ndim < 2:
        return dpt.astype(dpt.any(A != 0), numpy.int64)
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        if 0 in A.shape[-2:]:
            return dpt.count_nonzero(s, axis=-1)
        limit = dpt.max(s, axis=-1, keepdims=True) * _relative_limit(A, s, rtol)
    else:
        limit = as_dpnp(tol)[..., None] if isinstance(tol, array_base) else tol
    return dpt.count_nonzero(s > limit, axis=-1)


def _relative_limit(a: dpnp_ndarray, s: dpnp_ndarray, rtol: object) -> object:
    """The relative size up to which singular values count as zero, as a number or with a last axis of length 1."""
    if rtol is None:
        return max(a.shape[-2:]) * float(numpy.finfo(s.dtype).eps)
    return as_dpnp(rtol)[..., None] if isinstance(rtol, array_base) else rtol


def pinv(a: object, rcond: object = None, hermitian: bool = False, *, rtol: object = None) -> dpnp_ndarray:
    """Return the Moore-Penrose pseudo-inverses of matrices.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Matrices, in the last two axes.
    rcond, rtol : number or ndarray, optional
        Singular values up to this times the largest one count as zero. Default: the larger length of the matrices times
        the precision of the dtype.
    hermitian : bool, optional
        Whether the matrices are symmetric or Hermitian, so that a faster method can be used.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.pinv(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = checked_array("pinv", a)
    if rcond is not None and rtol is not None:
        raise ValueError("pinv: rcond and rtol cannot both be given")
    if a.ndim >= 2 and 0 in a.shape[-2:]:  # as in NumPy, in the dtype of the matrices
        return dpnp.empty_like(dpt.matrix_transpose(a))
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    if s.shape[-1] > 0:
        large = s > dpt.max(s, axis=-1, keepdims=True) * _relative_limit(a, s, rtol if rcond is None else rcond)
        s = dpt.where(large, 1 / dpt.where(large, s, dpt.ones_like(s)), dpt.zeros_like(s))
    scaled = dpt.expand_dims(s, axis=-1) * dpt.conj(dpt.matrix_transpose(u))
    return dpnp.matmul(dpt.conj(dpt.matrix_transpose(vh)), scaled)
