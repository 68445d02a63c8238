"""Iterative solvers of linear equations: conjugate gradients, GMRES and BiCGSTAB.

The algorithms are those of Barrett et al., Templates for the Solution of Linear Systems (SIAM, 1994), with the stopping
rule of SciPy: the norm of the residual is at most max(rtol * norm(b), atol).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse._arguments import is_dense
from dpnp.scipy.sparse.linalg._operators import aslinearoperator

__all__ = ["bicgstab", "cg", "gmres"]


class _System:
    """The operands of a solver, and its stopping rule."""

    def __init__(self, name: str, A: object, b: object, x0: object, rtol: float, atol: float, M: object):
        self.operator = aslinearoperator(A)
        m, n = self.operator.shape
        if m != n:
            raise ValueError(f"expected square matrix, but got shape={(m, n)}")
        if not is_dense(b):
            raise TypeError(f"{name}: b must be an array on a device, got {type(b).__name__}")
        b = dpnp.asarray(b)
        if b.shape not in ((n,), (n, 1)):
            raise ValueError(f"{name}: shapes of A {(m, n)} and b {b.shape} are incompatible")
        real = dpnp.default_float_type(sycl_queue=b.sycl_queue)
        given = self.operator.dtype
        if given is None:
            given = self.operator.matvec(dpnp.zeros_like(b.reshape(-1), dtype=real)).dtype
        dtype = dpnp.result_type(*(real if d.kind in "bi" else d for d in map(numpy.dtype, (given, b.dtype))))
        self.b = b.reshape(-1).astype(dtype)
        if x0 is None:
            self.x = dpnp.zeros_like(self.b)
        else:
            if tuple(x0.shape) not in ((n,), (n, 1)):
                raise ValueError(f"{name}: shapes of A {(m, n)} and x0 {tuple(x0.shape)} are incompatible")
            self.x = dpnp.asarray(x0).reshape(-1).astype(dtype, copy=True)
        self.precondition: Callable = (lambda v: v) if M is None else aslinearoperator(M).matvec
        if M is not None and aslinearoperator(M).shape != (m, n):
            raise ValueError(f"{name}: matrix and preconditioner have different shapes")
        length = float(dpnp.linalg.norm(self.b))
        if rtol < 0 or atol < 0:
            raise ValueError(f"{name}: tolerances must not be negative, got rtol={rtol} and atol={atol}")
        self.tolerance = max(float(rtol) * length, float(atol))
        self.solved = length == 0
        self.epsilon = numpy.finfo(dtype).eps

    def residual(self) -> dpnp_ndarray:
        return self.b - self.operator.matvec(self.x)


def _dot(a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
    return dpnp.vdot(a, b)


def cg(
    A: object,
    b: object,
    x0: object = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: object = None,
    callback: Callable | None = None,
) -> tuple[dpnp_ndarray, int]:
    """Solve A x = b by conjugate gradients, for a Hermitian, positive definite A.

    Parameters
    ----------
    A : sparse matrix, array or LinearOperator
        The matrix.
    b : ndarray
        The right side, a vector.
    x0 : ndarray, optional
        The first approximation.
    rtol, atol : float, optional
        The iteration ends when the norm of the residual is at most max(rtol * norm(b), atol).
    maxiter : int, optional
        The largest number of iterations, by default 10 times the number of rows.
    M : sparse matrix, array or LinearOperator, optional
        The preconditioner, an approximation of the inverse of A.
    callback : callable, optional
        Called with x after each iteration.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 if the iteration has converged, otherwise the number of iterations.

    Raises
    ------
    ValueError
        When shapes do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.diags([[-1.0] * 2, [2.0] * 3, [-1.0] * 2], [-1, 0, 1])
    >>> x, info = sparse.linalg.cg(a, np.array([1.0, 0.0, 1.0]))
    >>> np.round(x, 6), info
    (array([1., 1., 1.]), 0)
    """
    s = _System("cg", A, b, x0, rtol, atol, M)
    if s.solved:
        return dpnp.zeros_like(s.b), 0
    maxiter = 10 * s.b.size if maxiter is None else maxiter
    r = s.residual() if x0 is not None else s.b
    p = rho_before = None
    for _ in range(maxiter):
        if float(dpnp.linalg.norm(r)) <= s.tolerance:  # the one number that is read
            return s.x, 0
        z = s.precondition(r)
        rho = _dot(r, z)
        p = z if p is None else z + (rho / rho_before) * p
        q = s.operator.matvec(p)
        step = rho / _dot(p, q)
        s.x, r, rho_before = s.x + step * p, r - step * q, rho
        if callback is not None:
            callback(s.x)
    return s.x, 0 if float(dpnp.linalg.norm(r)) <= s.tolerance else maxiter


def bicgstab(
    A: object,
    b: object,
    x0: object = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: object = None,
    callback: Callable | None = None,
) -> tuple[dpnp_ndarray, int]:
    """Solve A x = b by the stabilised method of biconjugate gradients.

    Parameters
    ----------
    A, b, x0, rtol, atol, maxiter, M, callback
        As of cg(). A may be any square matrix.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 if the iteration has converged, otherwise the number of iterations, or -10 or -11 if it broke down.

    Raises
    ------
    ValueError
        When shapes do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_matrix(np.array([[4.0, 1.0], [2.0, 3.0]]))
    >>> x, info = sparse.linalg.bicgstab(a, np.array([5.0, 5.0]))
    >>> np.round(x, 6), info
    (array([1., 1.]), 0)
    """
    s = _System("bicgstab", A, b, x0, rtol, atol, M)
    if s.solved:
        return dpnp.zeros_like(s.b), 0
    maxiter = 10 * s.b.size if maxiter is None else maxiter
    r = s.residual() if x0 is not None else s.b
    shadow, p, v, rho_before, alpha, omega = r, None, None, None, None, None
    broken = s.epsilon**2
    for _ in range(maxiter):
        rho = _dot(shadow, r)
        # the norm of r and the size of rho, in one transfer
        length, size = dpnp.asnumpy(dpnp.stack([dpnp.linalg.norm(r), dpnp.abs(rho)]))
        if length <= s.tolerance:
            return s.x, 0
        if size < broken:
            return s.x, -10
        p = r if p is None else r + (rho / rho_before) * (alpha / omega) * (p - omega * v)
        preconditioned = s.precondition(p)
        v = s.operator.matvec(preconditioned)
        alpha = rho / _dot(shadow, v)
        half = r - alpha * v
        direction = s.precondition(half)
        t = s.operator.matvec(direction)
        # an exact solution has a zero residual, whose quotient would be NaN
        size_of_t = dpnp.real(_dot(t, t))
        omega = _dot(t, half) / dpnp.where(size_of_t == 0, dpnp.ones_like(size_of_t), size_of_t)
        s.x = s.x + alpha * preconditioned + omega * direction
        r, rho_before = half - omega * t, rho
        if callback is not None:
            callback(s.x)
    return s.x, 0 if float(dpnp.linalg.norm(r)) <= s.tolerance else maxiter


def gmres(
    A: object,
    b: object,
    x0: object = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: object = None,
    callback: Callable | None = None,
    callback_type: str | None = None,
) -> tuple[dpnp_ndarray, int]:
    """Solve A x = b by the generalised method of minimal residuals.

    Vectors are made orthogonal by the classical Gram-Schmidt method, applied twice: two products of matrices an
    iteration. The small least-squares problem is solved by the host.

    Parameters
    ----------
    A, b, x0, rtol, atol, M
        As of cg(). A may be any square matrix.
    restart : int, optional
        Iterations between restarts, by default 20.
    maxiter : int, optional
        The largest number of restarts, by default 10 times the number of rows.
    callback : callable, optional
        Called after each iteration with the norm of the residual relative to b, or with `callback_type` 'x' after each
        restart with x.
    callback_type : {'pr_norm', 'legacy', 'x'}, optional
        See `callback`.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 if the iteration has converged, otherwise the number of iterations.

    Raises
    ------
    ValueError
        When shapes do not match, and for an unknown `callback_type`.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_matrix(np.array([[4.0, 1.0], [2.0, 3.0]]))
    >>> x, info = sparse.linalg.gmres(a, np.array([5.0, 5.0]))
    >>> np.round(x, 6), info
    (array([1., 1.]), 0)
    """
    if callback_type not in (None, "pr_norm", "legacy", "x"):
        raise ValueError(f"Unknown callback_type: {callback_type!r}")
    s = _System("gmres", A, b, x0, rtol, atol, M)
    if s.solved:
        return dpnp.zeros_like(s.b), 0
    n = s.b.size
    restart = min(20 if restart is None else restart, n)
    maxiter = 10 * n if maxiter is None else maxiter
    length = float(dpnp.linalg.norm(s.b))
    iterations = 0
    for _ in range(maxiter):
        r = s.residual()
        norm = float(dpnp.linalg.norm(r))
        if norm <= s.tolerance:
            return s.x, 0
        basis = dpnp.zeros((restart + 1, n), dtype=s.b.dtype, usm_type=s.b.usm_type, sycl_queue=s.b.sycl_queue)
        basis[0] = r / norm
        h = numpy.zeros((restart + 1, restart), dtype=s.b.dtype)
        right = numpy.zeros(restart + 1, dtype=s.b.dtype)
        right[0] = norm
        used = 0
        for j in range(restart):
            w = s.operator.matvec(s.precondition(basis[j]))
            known = basis[: j + 1]
            first = dpnp.conj(known) @ w
            w = w - first @ known
            second = dpnp.conj(known) @ w
            w = w - second @ known
            size = dpnp.linalg.norm(w)
            # a column of the Hessenberg matrix, in one transfer
            column = dpnp.asnumpy(dpnp.concatenate([first + second, size.reshape(1).astype(w.dtype)]))
            h[: j + 2, j] = column
            used, iterations = j + 1, iterations + 1
            y = numpy.linalg.lstsq(h[: j + 2, : j + 1], right[: j + 2], rcond=None)[0]
            left = float(numpy.linalg.norm(right[: j + 2] - h[: j + 2, : j + 1] @ y))
            if callback is not None and callback_type != "x":
                callback(left / length)
            if left <= s.tolerance or abs(column[-1]) <= s.epsilon * norm:
                break
            basis[j + 1] = w / size
        y = dpnp.asarray(y, usm_type=s.b.usm_type, sycl_queue=s.b.sycl_queue)
        s.x = s.x + s.precondition(y @ basis[:used])
        if callback is not None and callback_type == "x":
            callback(s.x)
    return s.x, 0 if float(dpnp.linalg.norm(s.residual())) <= s.tolerance else iterations
