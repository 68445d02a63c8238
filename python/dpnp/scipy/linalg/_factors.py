"""LU and Cholesky factorisations, and solutions of systems by them."""

from __future__ import annotations

import warnings

from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import as_dpnp, check_arrays

import dpnp
from dpnp._support import common_kind
from dpnp.scipy.linalg._arguments import finite_array

__all__ = ["LinAlgWarning", "cho_factor", "cho_solve", "cholesky", "lu", "lu_factor", "lu_solve"]


class LinAlgWarning(RuntimeWarning):
    """A matrix is singular, so that results that are computed from its factors are not finite."""


def lu_factor(a: object, overwrite_a: bool = False, check_finite: bool = True) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the LU factorisations of matrices with exchanged rows, for `lu_solve`.

    Parameters
    ----------
    a : ndarray
        Matrices, in the last two axes.
    overwrite_a : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Returns
    -------
    lu : ndarray
        U, and below the diagonal L without its diagonal of ones.
    piv : ndarray of int32
        Row i was exchanged with row piv[i], one after the other.

    Raises
    ------
    ValueError
        For infinities and NaN.
    LinAlgError
        When the array has less than two dimensions.

    Warns
    -----
    LinAlgWarning
        When a matrix is singular.

    Examples
    --------
    >>> import dpnp as np
    >>> factors, pivots = np.scipy.linalg.lu_factor(np.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> factors, pivots
    (array([[4.  , 4.  ],
           [0.25, 1.  ]]), array([1, 1], dtype=int32))
    """
    factors, pivots, zero_at = bound._lu(finite_array("lu_factor", a, check_finite))
    if zero_at:
        warnings.warn(
            f"lu_factor: element {zero_at - 1} of the diagonal is zero: singular matrix", LinAlgWarning, stacklevel=2
        )
    return factors, pivots


def lu_solve(
    lu_and_piv: tuple[object, object],
    b: object,
    trans: int | str = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray:
    """Return the solutions of a x = b from the factorisation of a.

    Parameters
    ----------
    lu_and_piv : tuple of two ndarrays
        The results of `lu_factor` for square matrices.
    b : ndarray
        The right sides: a vector if it has one axis, else matrices, whose columns are solved for.
    trans : {0, 1, 2, 'N', 'T', 'C'}, optional
        0: a x = b. 1: the transpose of a. 2: its conjugate transpose.
    overwrite_b : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Raises
    ------
    ValueError
        When shapes do not match, for pivots that are not numbers of rows, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> factors = np.scipy.linalg.lu_factor(np.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> np.scipy.linalg.lu_solve(factors, np.array([3.0, 8.0]))
    array([1., 1.])
    """
    factors, pivots = lu_and_piv
    check_arrays("lu_solve", factors, b)
    factors, b = finite_array("lu_solve", factors, check_finite), finite_array("lu_solve", b, check_finite)
    return bound._lu_solve(common_kind("lu_solve", factors, b), pivots, b, trans)


def lu(
    a: object,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[dpnp_ndarray, ...]:
    """Return the factors of matrices: a permutation, a lower and an upper triangular matrix.

    Parameters
    ----------
    a : ndarray
        Matrices of m rows and n columns, in the last two axes.
    permute_l : bool, optional
        Whether to multiply the permutation and the lower factor.
    overwrite_a : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.
    p_indices : bool, optional
        Whether the permutation is a vector of m integers p, such that a = l[p] u.

    Returns
    -------
    p : ndarray
        The permutation, a matrix of m rows and columns. Without it if `permute_l`.
    l : ndarray
        The lower factor, with min(m, n) columns; if `permute_l`, its rows in the order of the matrix.
    u : ndarray
        The upper factor, with min(m, n) rows.

    Examples
    --------
    >>> import dpnp as np
    >>> p, l, u = np.scipy.linalg.lu(np.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> l, u
    (array([[1.  , 0.  ],
           [0.25, 1.  ]]), array([[4., 4.],
           [0., 1.]]))
    >>> p @ l @ u
    array([[1., 2.],
           [4., 4.]])
    """
    factors, pivots, _ = bound._lu(finite_array("lu", a, check_finite))
    m, n = factors.shape[-2:]
    least = min(m, n)
    columns = factors[..., :, :least]
    lower = dpnp.tril(columns, -1) + dpnp.eye(
        m, least, dtype=factors.dtype, usm_type=factors.usm_type, sycl_queue=factors.sycl_queue
    )
    upper = dpnp.triu(factors[..., :least, :])
    rows = dpt.argsort(bound._row_order(pivots, m), axis=-1)
    if permute_l:
        return dpt.take_along_axis(lower, rows[..., None], axis=-2), upper
    if p_indices:
        return as_dpnp(rows), lower, upper
    places = dpt.arange(m, dtype=rows.dtype, usm_type=rows.usm_type, sycl_queue=rows.sycl_queue)
    permutation = dpt.astype(rows[..., None] == places, dpt.real(factors).dtype)
    return as_dpnp(permutation), lower, upper


def cholesky(a: object, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> dpnp_ndarray:
    """Return the triangular Cholesky factors of symmetric or Hermitian positive definite matrices.

    Parameters
    ----------
    a : ndarray
        Square matrices, in the last two axes. Only the triangle that the factor has is read.
    lower : bool, optional
        Whether to return the lower triangular factor; else it is the upper one, unlike in `dpnp.linalg.cholesky`.
    overwrite_a : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Raises
    ------
    LinAlgError
        When a matrix is not positive definite.
    ValueError
        When matrices are not square, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.cholesky(np.array([[4.0, 2.0], [2.0, 2.0]]))
    array([[2., 1.],
           [0., 1.]])
    """
    return bound.cholesky(finite_array("cholesky", a, check_finite), upper=not lower)


def cho_factor(
    a: object, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[dpnp_ndarray, bool]:
    """Return the Cholesky factors of matrices, and whether they are lower triangular, for `cho_solve`.

    The arguments and errors are those of `cholesky`. The other triangle of the factors is zero.

    >>> import dpnp as np
    >>> np.scipy.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 2.0]]))
    (array([[2., 1.],
           [0., 1.]]), False)
    """
    return cholesky(a, lower=lower, check_finite=check_finite), bool(lower)


def cho_solve(
    c_and_lower: tuple[object, bool], b: object, overwrite_b: bool = False, check_finite: bool = True
) -> dpnp_ndarray:
    """Return the solutions of a x = b from the Cholesky factors of a.

    Parameters
    ----------
    c_and_lower : tuple of ndarray and bool
        The results of `cho_factor`.
    b : ndarray
        The right sides: a vector if it has one axis, else matrices, whose columns are solved for.
    overwrite_b : bool, optional
        Has no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Examples
    --------
    >>> import dpnp as np
    >>> factor = np.scipy.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 2.0]]))
    >>> np.scipy.linalg.cho_solve(factor, np.array([8.0, 6.0]))
    array([1., 2.])
    """
    c, lower = c_and_lower
    check_arrays("cho_solve", c, b)
    c, b = finite_array("cho_solve", c, check_finite), finite_array("cho_solve", b, check_finite)
    c = common_kind("cho_solve", c, b)
    first, second = ("N", "C") if lower else ("C", "N")
    right = dpt.expand_dims(b, axis=-1) if b.ndim == 1 else b
    between = bound._solve_triangular(c, right, upper=not lower, trans=first, unit_diagonal=False)
    found = bound._solve_triangular(c, between, upper=not lower, trans=second, unit_diagonal=False)
    return found[..., 0] if b.ndim == 1 else found
