"""Some eigenvalues of Hermitian matrices, and some singular values, by the Lanczos method.

Each vector of the basis is orthogonalised twice against the others, and the basis is restarted with the best of its
Ritz vectors: K. Wu and H. Simon, Thick-Restart Lanczos Method for Large Symmetric Eigenvalue Problems (SIAM J. Matrix
Anal. Appl. 22, 2000). Matrices of the size of the basis are on the host.
"""

from __future__ import annotations

import operator

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse._arguments import is_dense
from dpnp.scipy.sparse.linalg._operators import LinearOperator, aslinearoperator

__all__ = ["ArpackError", "ArpackNoConvergence", "eigsh", "svds"]


class ArpackError(RuntimeError):
    """An iteration for eigenvalues failed; named as SciPy's."""


class ArpackNoConvergence(ArpackError):
    """Some eigenvalues did not converge. `eigenvalues` and `eigenvectors` are those that did."""

    def __init__(self, text: str, eigenvalues: dpnp_ndarray, eigenvectors: dpnp_ndarray) -> None:
        super().__init__(text)
        self.eigenvalues, self.eigenvectors = eigenvalues, eigenvectors


_ORDERS = {
    "LM": lambda values: -numpy.abs(values), "SM": numpy.abs, "LA": lambda values: -values, "SA": lambda values: values,
}  # fmt: skip


def _wanted(values: numpy.ndarray, which: str, count: int) -> numpy.ndarray:
    """The positions of the wanted values, the best first."""
    if which != "BE":
        return numpy.argsort(_ORDERS[which](values), kind="stable")[:count]
    order = numpy.argsort(values)
    ends = [order[i // 2] if i % 2 else order[-1 - i // 2] for i in range(min(count, len(order)))]
    return numpy.array(ends, dtype=int)


class _Basis:
    """An orthonormal basis, the rows of `vectors`, and the matrix `projected` of the operator in it."""

    def __init__(self, apply: object, first: dpnp_ndarray, size: int) -> None:
        self.apply, self.size = apply, size
        self.vectors = dpnp.zeros((size + 1, first.size), dtype=first.dtype, **_place(first))
        self.vectors[0] = first / dpnp.linalg.norm(first)
        self.projected = numpy.zeros((size, size), dtype=first.dtype)
        self.random = dpnp.random.default_rng(7, **{"sycl_queue": first.sycl_queue})

    def _orthogonal(self, w: dpnp_ndarray, count: int) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """The part of a vector that is orthogonal to `count` vectors, and its components along them."""
        known = self.vectors[:count]
        total = 0
        for _ in range(2):
            along = dpnp.conj(known) @ w
            w = w - along @ known
            total = total + along
        return w, total

    def extend(self, start: int) -> float:
        """Complete the basis from the vector at `start` on. Returns the norm of the last residual."""
        columns, length, scale = [], 0.0, 0.0
        for j in range(start, self.size):
            w, along = self._orthogonal(self.apply(self.vectors[j]), j + 1)
            columns.append(along)
            length = float(dpnp.linalg.norm(w))  # the one number that is read
            scale = max(scale, length, float(dpnp.max(dpnp.abs(along))) if j == start else 0.0)
            if length <= numpy.finfo(w.dtype).eps * scale * 10:  # the vectors span an invariant space
                length = 0.0
                w = self._orthogonal(dpnp.astype(self.random.standard_normal(w.size), w.dtype), j + 1)[0]
                norm = float(dpnp.linalg.norm(w))
                if norm <= 1e-8 * w.size**0.5:
                    w = dpnp.zeros_like(w)
                else:
                    w = self._orthogonal(w / norm, j + 1)[0]
                    w = w / dpnp.linalg.norm(w)
            else:
                w = w / length
            self.vectors[j + 1] = w
        for j, along in zip(range(start, self.size), columns, strict=True):
            column = dpt.asnumpy(along)
            self.projected[: j + 1, j] = column
            self.projected[j, : j + 1] = column.conj()
        return length

    def restart(self, values: numpy.ndarray, combinations: numpy.ndarray) -> None:
        """Keep combinations of the vectors and the one behind them."""
        kept = combinations.shape[1]
        last = dpnp.copy(self.vectors[self.size])
        self.vectors[:kept] = self.combined(combinations)
        self.vectors[kept] = last
        self.projected[...] = 0
        self.projected[numpy.arange(kept), numpy.arange(kept)] = values

    def combined(self, combinations: numpy.ndarray) -> dpnp_ndarray:
        """Combinations of the vectors, as rows."""
        weights = dpnp.asarray(numpy.ascontiguousarray(combinations.T), **_place(self.vectors))
        return weights @ self.vectors[: self.size]


def _place(x: dpnp_ndarray) -> dict[str, object]:
    return {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}


def _checked(name: str, k: object, n: int, which: object, choices: object) -> int:
    k = operator.index(k)
    if which not in choices:
        raise ValueError(f"{name}: which must be one of {', '.join(map(repr, choices))}, got {which!r}")
    if k <= 0:
        raise ValueError(f"{name}: k must be greater than 0, got {k}")
    if k >= n:
        raise TypeError(f"{name}: k={k} must be less than {n}; use dpnp.linalg.eigh(A.toarray()) for all")
    return k


def _first_vector(name: str, v0: object, n: int, dtype: numpy.dtype, A: object) -> dpnp_ndarray:
    if v0 is not None:
        if not is_dense(v0) or tuple(v0.shape) != (n,):
            raise ValueError(
                f"{name}: v0 must be an array of shape {(n,)}, got {getattr(v0, 'shape', type(v0).__name__)}"
            )
        return dpnp.astype(dpnp.asarray(v0), dtype)
    random = dpnp.random.default_rng(1, sycl_queue=getattr(A, "sycl_queue", None))
    return dpnp.astype(random.uniform(-1, 1, n), dtype)


def _working_dtype(name: str, A: LinearOperator, like: object) -> numpy.dtype:
    """The dtype that eigenvectors are computed in."""
    given = A.dtype
    if given is None:
        given = A.matvec(dpnp.zeros(A.shape[1], sycl_queue=getattr(like, "sycl_queue", None))).dtype
    return numpy.dtype(given if given.kind in "fc" else dpnp.default_float_type(getattr(like, "sycl_queue", None)))


def eigsh(
    A: object,
    k: int = 6,
    M: None = None,
    sigma: None = None,
    which: str = "LM",
    v0: object = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
) -> tuple[dpnp_ndarray, dpnp_ndarray] | dpnp_ndarray:
    """Return some eigenvalues and eigenvectors of a Hermitian matrix.

    Parameters
    ----------
    A : sparse matrix, array or LinearOperator
        The matrix, of n rows.
    k : int, optional
        The number of eigenvalues, less than n.
    M, sigma : None
        Only None: generalised problems and shifts need a factorisation.
    which : {'LM', 'SM', 'LA', 'SA', 'BE'}, optional
        Those of the largest or smallest magnitude, the largest or smallest ones, or of both ends.
    v0 : ndarray, optional
        The first vector.
    ncv : int, optional
        The number of vectors of the basis, by default min(n, max(2 k + 1, 20)).
    maxiter : int, optional
        The largest number of restarts, by default 10 n.
    tol : float, optional
        The relative accuracy of eigenvalues; 0 for that of the dtype.
    return_eigenvectors : bool, optional
        Whether to return eigenvectors.

    Returns
    -------
    w : ndarray
        The eigenvalues, increasing.
    v : ndarray
        The eigenvectors, columns of shape (n, k).

    Raises
    ------
    ArpackNoConvergence
        When eigenvalues have not converged; the exception has those that have.
    ValueError, TypeError
        For matrices that are not square, and other values of k and `which`.
    NotImplementedError
        When M or sigma is given.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.diags([[-1.0] * 29, [2.0] * 30, [-1.0] * 29], [-1, 0, 1])
    >>> sparse.linalg.eigsh(a, 2, which="SA", return_eigenvectors=False).round(6)
    array([0.010261, 0.04094 ])
    """
    name = "eigsh"
    if M is not None or sigma is not None:
        raise NotImplementedError(
            f"{name}: M and sigma need a factorisation, which there is none of; use SciPy on A.get()"
        )
    apply = aslinearoperator(A)
    n = apply.shape[0]
    if apply.shape != (n, n):
        raise ValueError(f"{name}: expected a square matrix, got shape {apply.shape}")
    k = _checked(name, k, n, which, (*_ORDERS, "BE"))
    dtype = _working_dtype(name, apply, A)
    size = min(n, max(2 * k + 1, 20)) if ncv is None else operator.index(ncv)
    if not k < size <= n:
        raise ValueError(f"{name}: ncv must be greater than k={k} and at most {n}, got {size}")
    epsilon = numpy.finfo(dtype).eps
    tolerance = float(tol) if tol else epsilon
    basis = _Basis(apply.matvec, _first_vector(name, v0, n, dtype, A), size)
    kept = 0
    for _ in range(10 * n if maxiter is None else maxiter):
        residual = basis.extend(kept)
        values, combinations = numpy.linalg.eigh(basis.projected)
        best = _wanted(values, which, k)
        errors = residual * numpy.abs(combinations[-1])
        magnitudes = numpy.abs(values)
        limits = tolerance * numpy.maximum(epsilon ** (2 / 3), magnitudes)
        accurate = errors <= numpy.maximum(limits, epsilon * magnitudes.max())  # rounding errors are that large
        if accurate[best].all() or size == n:
            break
        kept = min(k + (size - k) // 2, size - 1)
        chosen = _wanted(values, which, kept)
        basis.restart(values[chosen], combinations[:, chosen])
    else:
        best = best[accurate[best]]
    best = best[numpy.argsort(values[best])]
    found = dpnp.asarray(values[best], **_place(basis.vectors))
    if len(best) < k:
        vectors = basis.combined(combinations[:, best]).T
        raise ArpackNoConvergence(f"{name}: {len(best)} of {k} eigenvalues converged", found, vectors)
    return (found, basis.combined(combinations[:, best]).T) if return_eigenvectors else found


def svds(
    A: object,
    k: int = 6,
    ncv: int | None = None,
    tol: float = 0,
    which: str = "LM",
    v0: object = None,
    maxiter: int | None = None,
    return_singular_vectors: bool | str = True,
) -> tuple[dpnp_ndarray | None, dpnp_ndarray, dpnp_ndarray | None] | dpnp_ndarray:
    """Return some singular values and vectors of a matrix.

    They are computed from eigenvalues of A^H A or A A^H, so that small ones have half of the digits.

    Parameters
    ----------
    A : sparse matrix, array or LinearOperator
        The matrix, of shape (m, n).
    k : int, optional
        The number of singular values, less than min(m, n).
    ncv, tol, v0, maxiter
        As of `eigsh`.
    which : {'LM', 'SM'}, optional
        The largest or the smallest ones.
    return_singular_vectors : bool or {'u', 'vh'}, optional
        Whether to return both kinds of vectors, or only one, with None for the other.

    Returns
    -------
    u : ndarray
        The left singular vectors, columns.
    s : ndarray
        The singular values, increasing.
    vh : ndarray
        The conjugate right singular vectors, rows.

    Raises
    ------
    ArpackNoConvergence, ValueError, TypeError
        As `eigsh`.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.linalg.svds(sparse.diags([1.0, 5.0, 3.0, 2.0]), 2, return_singular_vectors=False).round(6)
    array([3., 5.])
    """
    name = "svds"
    apply = aslinearoperator(A)
    m, n = apply.shape
    k = _checked(name, k, min(m, n), which, ("LM", "SM"))
    if return_singular_vectors not in (True, False, "u", "vh"):
        raise ValueError(
            f"{name}: return_singular_vectors must be a bool, 'u' or 'vh', got {return_singular_vectors!r}"
        )
    dtype = _working_dtype(name, apply, A)
    tall = m >= n

    def square(x: dpnp_ndarray) -> dpnp_ndarray:
        return apply.rmatvec(apply.matvec(x)) if tall else apply.matvec(apply.rmatvec(x))

    first = _first_vector(name, v0, min(m, n), dtype, A)
    values, vectors = eigsh(
        LinearOperator((min(m, n),) * 2, matvec=square, dtype=dtype),
        k, which="LA" if which == "LM" else "SA", v0=first, ncv=ncv, maxiter=maxiter, tol=tol,
    )  # fmt: skip
    s = dpnp.sqrt(dpnp.maximum(values, 0))
    if return_singular_vectors is False:
        return s
    others = (apply.matmat if tall else apply.rmatmat)(vectors)
    others = dpnp.linalg.qr(others / dpnp.where(s > 0, s, 1))  # vectors of values near 0 are not orthogonal
    signs = dpnp.diagonal(others[1])
    others = others[0] * dpnp.where(dpnp.abs(signs) > 0, signs / dpnp.maximum(dpnp.abs(signs), 1e-300), 1)
    left, right = (others, vectors) if tall else (vectors, others)
    return (
        None if return_singular_vectors == "vh" else left,
        s,
        None if return_singular_vectors == "u" else dpnp.conj(right.T),
    )
