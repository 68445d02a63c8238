"""QR, singular value and eigenvalue decompositions."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import check_arrays

import dpnp
from dpnp._support import common_kind
from dpnp.scipy.linalg._arguments import finite_array

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "null_space", "orth", "polar", "qr", "svd", "svdvals"]


def _adjoint(x: dpnp_ndarray) -> dpnp_ndarray:
    transposed = dpt.matrix_transpose(x)
    return dpt.conj(transposed) if x.dtype.kind == "c" else transposed


def qr(
    a: object,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> tuple[dpnp_ndarray, ...]:
    """Return the factors of matrices with orthonormal columns, q, and upper triangular matrices, r.

    Parameters
    ----------
    a : ndarray
        Matrices, in the last two axes.
    overwrite_a, lwork : optional
        Have no effect.
    mode : {'full', 'r', 'economic', 'raw'}, optional
        'full': q is square. 'r': a tuple of r alone. 'economic': q has the shape of `a` or less columns. 'raw': a tuple
        of LAPACK's reflectors and their factors, and r.
    pivoting : bool, optional
        Only False.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Raises
    ------
    NotImplementedError
        When `pivoting` is true.
    ValueError
        For an unknown mode, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> q, r = np.scipy.linalg.qr(np.array([[3.0, 0.0], [4.0, 5.0]]))
    >>> abs(r)
    array([[5., 4.],
           [0., 3.]])
    """
    a = finite_array("qr", a, check_finite)
    if pivoting:
        raise NotImplementedError("qr: pivoting=True is not supported on devices")
    if mode not in ("full", "r", "economic", "raw"):
        raise ValueError(f"qr: mode must be 'full', 'r', 'economic' or 'raw', got {mode!r}")
    if mode == "raw":
        reflectors, factors = bound.qr(a, mode="raw")
        reflectors = dpt.matrix_transpose(reflectors)
        return (reflectors, factors), dpnp.triu(reflectors[..., : min(a.shape[-2:]), :])
    if mode == "r":
        r = bound.qr(a, mode="r")
        missing = a.shape[-2] - r.shape[-2]
        # as in SciPy, all rows, of which the last ones are zero
        rows = dpnp.zeros_like(r, shape=(*r.shape[:-2], max(missing, 0), r.shape[-1]))
        return (dpnp.concatenate([r, rows], axis=-2) if missing > 0 else r,)
    return tuple(bound.qr(a, mode="complete" if mode == "full" else "reduced"))


def svd(
    a: object,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray] | dpnp_ndarray:
    """Return the singular values and vectors of matrices.

    Parameters
    ----------
    a : ndarray
        Matrices, in the last two axes.
    full_matrices : bool, optional
        Whether u and vh are square.
    compute_uv : bool, optional
        Whether to return u and vh, too; else the result is s.
    overwrite_a : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.
    lapack_driver : {'gesdd', 'gesvd'}, optional
        Has no effect.

    Returns
    -------
    u, s, vh : ndarray
        Left singular vectors in columns, singular values, and right singular vectors in rows.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.svd(np.array([[0.0, 2.0], [3.0, 0.0]]), compute_uv=False)
    array([3., 2.])
    """
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f"svd: lapack_driver must be 'gesdd' or 'gesvd', got {lapack_driver!r}")
    a = finite_array("svd", a, check_finite)
    return tuple(bound.svd(a, full_matrices=bool(full_matrices))) if compute_uv else bound.svdvals(a)


def svdvals(a: object, overwrite_a: bool = False, check_finite: bool = True) -> dpnp_ndarray:
    """Return the singular values of matrices, in descending order.

    >>> import dpnp as np
    >>> np.scipy.linalg.svdvals(np.array([[0.0, 2.0], [3.0, 0.0]]))
    array([3., 2.])
    """
    return bound.svdvals(finite_array("svdvals", a, check_finite))


def _chosen(
    function: str, values: dpnp_ndarray, subset_by_index: object, subset_by_value: object
) -> tuple[dpnp_ndarray, object]:
    """The eigenvalues of the subset, and their indices."""
    if subset_by_index is not None and subset_by_value is not None:
        raise ValueError(f"{function}: either subset_by_index or subset_by_value can be given, not both")
    if subset_by_index is not None:
        first, last = (int(end) for end in subset_by_index)
        if not 0 <= first <= last < values.shape[-1]:
            raise ValueError(
                f"{function}: subset_by_index must be two indices from 0 to {values.shape[-1] - 1}, the smaller first, "
                f"got {subset_by_index!r}"
            )
        return values[..., first : last + 1], slice(first, last + 1)
    if subset_by_value is not None:
        if values.ndim > 1:
            shape = (*values.shape, values.shape[-1])
            raise ValueError(f"{function}: subset_by_value needs one matrix, got shape {shape}")
        low, high = (float(end) for end in subset_by_value)
        inside = dpt.nonzero((values > low) & (values <= high))[0]
        return dpt.take(values, inside, axis=-1), inside
    return values, slice(None)


def eigh(
    a: object,
    b: object = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    subset_by_value: tuple[float, float] | None = None,
    driver: str | None = None,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes.
    b : ndarray, optional
        Positive definite matrices: the eigenvalues w and vectors v have a v = b v w.
    lower : bool, optional
        The triangle that is read.
    eigvals_only : bool, optional
        Whether to return the eigenvalues only.
    overwrite_a, overwrite_b, driver : optional
        Have no effect.
    type : {1, 2, 3}, optional
        The problem with `b`. 1: a v = b v w. 2: a b v = v w. 3: b a v = v w.
    check_finite : bool, optional
        Whether infinities and NaN are an error.
    subset_by_index : tuple of two ints, optional
        The first and the last of the eigenvalues that are returned.
    subset_by_value : tuple of two numbers, optional
        The interval (low, high] of the eigenvalues that are returned, for one matrix.

    Returns
    -------
    w : ndarray
        Eigenvalues, in ascending order.
    v : ndarray
        Eigenvectors, in columns.

    Raises
    ------
    LinAlgError
        When `b` is not positive definite, or matrices are not square.
    ValueError
        For a subset or type that does not exist, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.eigh(np.array([[2.0, 0.0], [0.0, 1.0]]))[0]
    array([1., 2.])
    """
    values, vectors = _eigenvalues(
        "eigh", a, b, lower, type, check_finite, subset_by_index, subset_by_value, not eigvals_only
    )
    return values if eigvals_only else (values, vectors)


def _eigenvalues(
    function: str,
    a: object,
    b: object,
    lower: bool,
    type: int,
    check_finite: bool,
    subset_by_index: object,
    subset_by_value: object,
    vectors_wanted: bool,
) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    """The eigenvalues, and eigenvectors if they are wanted, of `eigh`."""
    a = finite_array(function, a, check_finite)
    if type not in (1, 2, 3):
        raise ValueError(f"{function}: type must be 1, 2 or 3, got {type!r}")
    triangle = "L" if lower else "U"
    factor = None
    if b is not None:
        check_arrays(function, a, b)
        b = finite_array(function, b, check_finite)
        factor = bound.cholesky(b if lower else _adjoint(dpnp.triu(b)), upper=False)
        a = common_kind(function, _full_matrix(a, lower), b)
        if type == 1:  # l^-1 a l^-h
            half = bound._solve_triangular(factor, a, upper=False, trans="N", unit_diagonal=False)
            a = _adjoint(bound._solve_triangular(factor, _adjoint(half), upper=False, trans="N", unit_diagonal=False))
        else:  # l^h a l
            a = dpnp.matmul(_adjoint(factor), dpnp.matmul(a, factor))
    if not vectors_wanted:
        return _chosen(function, bound.eigvalsh(a, UPLO=triangle), subset_by_index, subset_by_value)[0], None
    values, vectors = bound.eigh(a, UPLO=triangle)
    values, chosen = _chosen(function, values, subset_by_index, subset_by_value)
    vectors = vectors[..., chosen] if isinstance(chosen, slice) else dpt.take(vectors, chosen, axis=-1)
    if factor is not None:
        if type == 3:
            vectors = dpnp.matmul(factor, vectors)
        else:
            vectors = bound._solve_triangular(factor, vectors, upper=False, trans="C", unit_diagonal=False)
    return values, vectors


def _full_matrix(a: dpnp_ndarray, lower: bool) -> dpnp_ndarray:
    """Symmetric or Hermitian matrices from one triangle."""
    if lower:
        return dpnp.tril(a) + _adjoint(dpnp.tril(a, -1))
    return dpnp.triu(a) + _adjoint(dpnp.triu(a, 1))


def eigvalsh(
    a: object,
    b: object = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    subset_by_value: tuple[float, float] | None = None,
    driver: str | None = None,
) -> dpnp_ndarray:
    """Return the eigenvalues of symmetric or Hermitian matrices; the arguments are those of `eigh`.

    >>> import dpnp as np
    >>> np.scipy.linalg.eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]]))
    array([1., 2.])
    """
    return _eigenvalues(
        "eigvalsh", a, b, lower, type, check_finite, subset_by_index, subset_by_value, False
    )[0]  # fmt: skip


def eig(
    a: object,
    b: object = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the eigenvalues and right eigenvectors of square matrices.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes.
    b, left, homogeneous_eigvals : optional
        Only the default values.
    right : bool, optional
        Whether to return the eigenvectors.
    overwrite_a, overwrite_b : bool, optional
        Have no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Returns
    -------
    w : ndarray
        Eigenvalues, always complex, unlike those of `dpnp.linalg.eig`.
    vr : ndarray
        Eigenvectors, in columns, real if all eigenvalues of real matrices are.

    Raises
    ------
    NotImplementedError
        For a second matrix, left eigenvectors and homogeneous eigenvalues.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.eig(np.array([[2.0, 1.0], [0.0, 3.0]]))[0]
    array([2.+0.j, 3.+0.j])
    """
    if b is not None or left or homogeneous_eigvals:
        raise NotImplementedError("eig: b, left and homogeneous_eigvals are not supported on devices")
    a = finite_array("eig", a, check_finite)
    if not right:
        return bound.eigvals(a)
    values, vectors = bound.eig(a)
    if a.dtype.kind != "c" and bool(dpt.all(dpt.imag(values) == 0)):
        vectors = dpnp.copy(dpt.real(vectors))
    return values, vectors


def eigvals(
    a: object,
    b: object = None,
    overwrite_a: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> dpnp_ndarray:
    """Return the eigenvalues of square matrices, always complex; the arguments are those of `eig`.

    >>> import dpnp as np
    >>> np.scipy.linalg.eigvals(np.array([[2.0, 1.0], [0.0, 3.0]]))
    array([2.+0.j, 3.+0.j])
    """
    if b is not None or homogeneous_eigvals:
        raise NotImplementedError("eigvals: b and homogeneous_eigvals are not supported on devices")
    return bound.eigvals(finite_array("eigvals", a, check_finite))


def _rank(s: dpnp_ndarray, shape: tuple[int, ...], rcond: float | None) -> int:
    limit = float(numpy.finfo(s.dtype).eps) * max(shape) if rcond is None else float(rcond)
    return 0 if s.shape[0] == 0 else int(dpt.sum(s > dpt.max(s) * limit))


def _one_matrix(function: str, a: object, check_finite: bool) -> dpnp_ndarray:
    a = finite_array(function, a, check_finite)
    if a.ndim != 2:
        raise ValueError(f"{function}: expected one matrix, got shape {a.shape}")
    return a


def orth(A: object, rcond: float | None = None) -> dpnp_ndarray:
    """Return an orthonormal basis of the space that the columns of a matrix span, in columns.

    Singular values below `rcond` times the largest one count as zero; by default, the precision of the dtype times the
    larger length.

    >>> import dpnp as np
    >>> abs(np.scipy.linalg.orth(np.array([[2.0, 4.0], [0.0, 0.0]])))
    array([[1.],
           [0.]])
    """
    A = _one_matrix("orth", A, True)
    u, s, _ = bound.svd(A, full_matrices=False)
    return u[:, : _rank(s, A.shape, rcond)]


def null_space(
    A: object,
    rcond: float | None = None,
    *,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> dpnp_ndarray:
    """Return an orthonormal basis of the vectors that a matrix maps to zero, in columns.

    Singular values below `rcond` times the largest one count as zero; by default, the precision of the dtype times the
    larger length.

    >>> import dpnp as np
    >>> abs(np.scipy.linalg.null_space(np.array([[2.0, 0.0]])))
    array([[0.],
           [1.]])
    """
    A = _one_matrix("null_space", A, check_finite)
    _, s, vh = bound.svd(A, full_matrices=True)
    return _adjoint(vh[_rank(s, A.shape, rcond) :, :])


def polar(a: object, side: str = "right") -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the factors of a matrix with orthonormal columns or rows, u, and a positive semidefinite matrix, p.

    Parameters
    ----------
    a : ndarray
        A matrix.
    side : {'right', 'left'}, optional
        'right': a = u p. 'left': a = p u.

    Examples
    --------
    >>> import dpnp as np
    >>> u, p = np.scipy.linalg.polar(np.array([[0.0, -2.0], [2.0, 0.0]]))
    >>> p
    array([[2., 0.],
           [0., 2.]])
    """
    if side not in ("right", "left"):
        raise ValueError(f"polar: side must be 'right' or 'left', got {side!r}")
    a = _one_matrix("polar", a, True)
    u, s, vh = bound.svd(a, full_matrices=False)
    if side == "right":
        return dpnp.matmul(u, vh), dpnp.matmul(_adjoint(vh) * s, vh)
    return dpnp.matmul(u, vh), dpnp.matmul(u * s, _adjoint(u))
