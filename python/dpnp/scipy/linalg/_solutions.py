"""Systems of linear equations, inverses, determinants and norms."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import check_arrays

import dpnp
from dpnp._support import common_kind
from dpnp.scipy.linalg._arguments import finite_array
from dpnp.scipy.linalg._factors import cho_factor, cho_solve

__all__ = ["det", "inv", "lstsq", "norm", "pinv", "pinvh", "solve", "solve_triangular"]

# SciPy's names of structures, by the method here.
_STRUCTURES = {
    "general": "general", "gen": "general", "tridiagonal": "general", "banded": "general", "symmetric": "symmetric",
    "sym": "symmetric", "hermitian": "hermitian", "her": "hermitian", "positive definite": "positive definite",
    "pos": "positive definite", "diagonal": "diagonal", "upper triangular": "upper triangular",
    "lower triangular": "lower triangular",
}  # fmt: skip


def solve_triangular(
    a: object,
    b: object,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray:
    """Return the solutions of systems of linear equations with triangular matrices.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes. Only one triangle is read.
    b : ndarray
        The right sides: a vector if it has one axis, else matrices, whose columns are solved for.
    trans : {0, 1, 2, 'N', 'T', 'C'}, optional
        0: a x = b. 1: the transpose of a. 2: its conjugate transpose.
    lower : bool, optional
        Whether the lower triangle is read.
    unit_diagonal : bool, optional
        Whether the diagonal counts as ones; then it is not read.
    overwrite_b : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Raises
    ------
    LinAlgError
        When an element of the diagonal is zero, or matrices are not square.
    ValueError
        When shapes do not match, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.solve_triangular(np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([4.0, 8.0]))
    array([1., 2.])
    """
    check_arrays("solve_triangular", a, b)
    a = finite_array("solve_triangular", a, check_finite)
    b = finite_array("solve_triangular", b, check_finite)
    a = common_kind("solve_triangular", a, b)
    return bound._solve_triangular(a, b, upper=not lower, trans=trans, unit_diagonal=bool(unit_diagonal))


def _mirrored(a: dpnp_ndarray, lower: bool, conjugate: bool) -> dpnp_ndarray:
    """Matrices with the triangle that is not read replaced by the other one."""
    if lower:
        triangle, other = dpnp.tril(a), dpt.matrix_transpose(dpnp.tril(a, -1))
    else:
        triangle, other = dpnp.triu(a), dpt.matrix_transpose(dpnp.triu(a, 1))
    return triangle + (dpt.conj(other) if conjugate else other)


def solve(
    a: object,
    b: object,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> dpnp_ndarray:
    """Return the solutions of systems of linear equations.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes.
    b : ndarray
        The right sides: a vector if it has one axis, else matrices, whose columns are solved for.
    lower : bool, optional
        The triangle of symmetric, Hermitian and positive definite matrices that is read.
    overwrite_a, overwrite_b : bool, optional
        Have no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.
    assume_a : str, optional
        The structure: 'general', 'symmetric', 'hermitian', 'positive definite', 'diagonal', 'upper triangular',
        'lower triangular', or SciPy's short forms. Tridiagonal and banded matrices are solved as general ones.
    transposed : bool, optional
        Whether the transposes of the matrices are solved with.

    Raises
    ------
    LinAlgError
        When a matrix is singular or not square, or not positive definite though it should be.
    ValueError
        For an unknown structure, when shapes do not match, and for infinities and NaN.
    NotImplementedError
        For the transposes of complex symmetric, Hermitian and positive definite matrices, as in SciPy.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.solve(np.array([[4.0, 2.0], [2.0, 2.0]]), np.array([8.0, 6.0]), assume_a="pos")
    array([1., 2.])
    """
    check_arrays("solve", a, b)
    a, b = finite_array("solve", a, check_finite), finite_array("solve", b, check_finite)
    if assume_a is not None and assume_a not in _STRUCTURES:
        raise ValueError(f"solve: assume_a must be one of {', '.join(map(repr, _STRUCTURES))}, got {assume_a!r}")
    structure = _STRUCTURES[assume_a or "general"]
    a = common_kind("solve", a, b)
    is_complex = a.dtype.kind == "c"
    if transposed and is_complex and structure in ("symmetric", "hermitian", "positive definite"):
        raise NotImplementedError(f"solve: transposed=True is not supported for complex {structure} matrices")
    if structure == "positive definite":
        return cho_solve(cho_factor(a, lower, check_finite=False), b, check_finite=False)
    if structure.endswith("triangular"):
        is_lower = structure.startswith("lower")
        return solve_triangular(a, b, 1 if transposed else 0, is_lower, check_finite=False)
    if structure == "diagonal":
        return solve_triangular(a, b, check_finite=False)
    if structure in ("symmetric", "hermitian"):
        a = _mirrored(a, lower, is_complex and structure == "hermitian")
    return bound.solve(dpt.matrix_transpose(a) if transposed else a, b)


def inv(a: object, overwrite_a: bool = False, check_finite: bool = True) -> dpnp_ndarray:
    """Return the inverse matrices.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes.
    overwrite_a : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Raises
    ------
    LinAlgError
        When a matrix is singular or not square.
    ValueError
        For infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.inv(np.array([[4.0, 7.0], [2.0, 6.0]])).round(3)
    array([[ 0.6, -0.7],
           [-0.2,  0.4]])
    """
    return bound.inv(finite_array("inv", a, check_finite))


def det(a: object, overwrite_a: bool = False, check_finite: bool = True) -> dpnp_ndarray:
    """Return the determinants of square matrices; the arguments are those of `inv`.

    >>> import dpnp as np
    >>> np.scipy.linalg.det(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array(-2.)
    """
    return bound.det(finite_array("det", a, check_finite))


def _tolerances(
    name: str, a: dpnp_ndarray, values: dpnp_ndarray, atol: float | None, rtol: float | None
) -> tuple[float, float]:
    """The absolute and the relative tolerance for singular or eigenvalues, checked, with SciPy's defaults."""
    if (atol or 0) < 0 or (rtol or 0) < 0:
        raise ValueError(f"{name}: atol and rtol must not be negative, got {atol} and {rtol}")
    if rtol is None:
        rtol = 0.0 if atol is not None else max(a.shape[-2:]) * float(numpy.finfo(values.dtype).eps)
    return atol or 0.0, rtol


def pinv(
    a: object,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the pseudo-inverses of matrices.

    Parameters
    ----------
    a : ndarray
        Matrices, in the last two axes.
    atol, rtol : float, optional
        Singular values up to atol + rtol times the largest one count as zero. Default: 0, and the larger length of the
        matrices times the precision of the dtype; if `atol` alone is given, `rtol` is 0.
    return_rank : bool, optional
        Whether to return the ranks, too.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.pinv(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = finite_array("pinv", a, check_finite)
    u, s, vh = bound.svd(a, full_matrices=False)
    atol, rtol = _tolerances("pinv", a, s, atol, rtol)
    if s.shape[-1] == 0:
        rank = dpt.sum(s, axis=-1, dtype="i8")
    else:
        used = s > atol + dpt.max(s, axis=-1, keepdims=True) * rtol
        s = dpt.where(used, 1 / dpt.where(used, s, dpt.ones_like(s)), dpt.zeros_like(s))
        rank = dpt.sum(used, axis=-1, dtype="i8")
    rows = dpt.conj(dpt.matrix_transpose(u))
    made = dpnp.matmul(dpt.conj(dpt.matrix_transpose(vh)), dpt.expand_dims(s, axis=-1) * rows)
    return (made, rank) if return_rank else made


def pinvh(
    a: object,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the pseudo-inverses of symmetric or Hermitian matrices, by their eigenvalues.

    `lower` is the triangle that is read; the other arguments are those of `pinv`, with absolute values of eigenvalues
    for singular values.

    >>> import dpnp as np
    >>> np.scipy.linalg.pinvh(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = finite_array("pinvh", a, check_finite)
    values, vectors = bound.eigh(a, UPLO="L" if lower else "U")
    atol, rtol = _tolerances("pinvh", a, values, atol, rtol)
    sizes = dpt.abs(values)
    largest = dpt.max(sizes, axis=-1, keepdims=True) if sizes.shape[-1] else sizes
    used = sizes > atol + largest * rtol
    inverses = dpt.where(used, 1 / dpt.where(used, values, dpt.ones_like(values)), dpt.zeros_like(values))
    rows = dpt.conj(dpt.matrix_transpose(vectors))
    made = dpnp.matmul(vectors * dpt.expand_dims(inverses, axis=-2), rows)
    return (made, dpt.sum(used, axis=-1, dtype="i8")) if return_rank else made


def lstsq(
    a: object,
    b: object,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the solution of a x = b with the least squares of the residuals, and of least norm.

    Parameters
    ----------
    a : ndarray
        A matrix.
    b : ndarray
        A vector, or a matrix whose columns are solved for.
    cond : float, optional
        Singular values below this times the largest one count as zero. Default: the precision of the dtype.
    overwrite_a, overwrite_b : bool, optional
        Have no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.
    lapack_driver : {'gelsd', 'gelss', 'gelsy'}, optional
        All are computed by singular values.

    Returns
    -------
    tuple
        The solution, the sums of squares of residuals, the rank and the singular values, as of `dpnp.linalg.lstsq`;
        the sum for a vector has no axes.

    Examples
    --------
    >>> import dpnp as np
    >>> a = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    >>> np.scipy.linalg.lstsq(a, np.array([1.0, 3.0, 5.0]))[0].round(6)
    array([2., 1.])
    """
    if lapack_driver not in (None, "gelsd", "gelss", "gelsy"):
        raise ValueError(f"lstsq: lapack_driver must be 'gelsd', 'gelss' or 'gelsy', got {lapack_driver!r}")
    check_arrays("lstsq", a, b)
    a, b = finite_array("lstsq", a, check_finite), finite_array("lstsq", b, check_finite)
    x, residuals, rank, singular = dpnp.linalg.lstsq(a, b, rcond=-1 if cond is None else cond)
    return x, residuals[0] if b.ndim == 1 and residuals.size else residuals, rank, singular


def norm(
    a: object,
    ord: float | str | None = None,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray:
    """Return the norms of vectors or matrices: `dpnp.linalg.norm`, but for infinities and NaN, which are an error.

    >>> import dpnp as np
    >>> np.scipy.linalg.norm(np.array([3.0, 4.0]))
    array(5.)
    """
    return dpnp.linalg.norm(finite_array("norm", a, check_finite), ord=ord, axis=axis, keepdims=keepdims)
