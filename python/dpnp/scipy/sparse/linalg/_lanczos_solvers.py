"""Iterative solvers on bases of Lanczos: MINRES and LSQR, with SciPy's stopping rules.

C. Paige and M. Saunders, Solution of Sparse Indefinite Systems of Linear Equations (1975), and LSQR: an Algorithm for
Sparse Linear Equations and Sparse Least Squares (1982). The numbers of the recurrences are on the host.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_default

import dpnp
from dpnp.scipy.sparse._arguments import is_dense
from dpnp.scipy.sparse.linalg._operators import LinearOperator, aslinearoperator
from dpnp.scipy.sparse.linalg._solvers import _dot, _System

__all__ = ["lsqr", "minres"]


def _number(x: dpnp_ndarray) -> float:
    """A real number of a device, here also the real part of a product that is real but for rounding errors."""
    return float(dpnp.real(x))


def _norm(x: dpnp_ndarray) -> float:
    return float(dpnp.linalg.norm(x))


def _check_symmetry(apply: Callable, y: dpnp_ndarray, epsilon: float, what: str) -> None:
    """ValueError if the products of y with twice the operator and of the operator's value with itself differ."""
    once = apply(y)
    square, product = _number(_dot(once, once)), _number(_dot(y, apply(once)))
    if abs(square - product) > (square + epsilon) * epsilon ** (1 / 3):
        raise ValueError(f"minres: non-symmetric {what}")


class _Symmetric:
    """The QR factorisation of the tridiagonal matrix of Lanczos's basis, and the directions of the solution."""

    def __init__(self, length: float, epsilon: float, like: dpnp_ndarray) -> None:
        self.first = self.rest = length
        self.cosine, self.sine = -1.0, 0.0
        self.next_diagonal = self.above = self.squares = 0.0
        self.largest, self.smallest = 0.0, math.inf
        self.epsilon = epsilon
        self.direction = self.before = dpnp.zeros_like(like)

    def step(self, v: dpnp_ndarray, diagonal: float, beta: float, next_beta: float) -> dpnp_ndarray:
        """The change of the solution for the next vector of the basis."""
        self.squares += diagonal**2 + beta**2 + next_beta**2
        twice_above = self.above
        delta = self.cosine * self.next_diagonal + self.sine * diagonal
        self.gbar = self.sine * self.next_diagonal - self.cosine * diagonal
        self.above = self.sine * next_beta
        self.next_diagonal = -self.cosine * next_beta
        self.root = math.hypot(self.gbar, self.next_diagonal)
        pivot = max(math.hypot(self.gbar, next_beta), self.epsilon)
        self.cosine, self.sine = self.gbar / pivot, next_beta / pivot
        size, self.rest = self.cosine * self.rest, self.sine * self.rest
        self.largest, self.smallest = max(self.largest, pivot), min(self.smallest, pivot)
        self.before, self.direction = self.direction, (
            v - twice_above * self.before - delta * self.direction) * (1 / pivot)  # fmt: skip
        return size * self.direction

    def has_converged(self, x: dpnp_ndarray, rtol: float) -> bool:
        length, norm = _norm(x), math.sqrt(self.squares)
        residual = self.rest / (norm * length) if norm * length else math.inf
        normal = self.root / norm if norm else math.inf
        return (
            residual <= max(rtol, self.epsilon / 2)
            or normal <= max(rtol, self.epsilon / 2)
            or norm * length * self.epsilon >= self.first
            or self.largest / self.smallest >= 0.1 / self.epsilon
        )


def minres(
    A: object,
    b: object,
    x0: object = None,
    *,
    rtol: float = 1e-5,
    shift: float = 0.0,
    maxiter: int | None = None,
    M: object = None,
    callback: Callable | None = None,
    show: bool = False,
    check: bool = False,
) -> tuple[dpnp_ndarray, int]:
    """Solve (A - shift) x = b by the method of minimal residuals, for a Hermitian A, which may be indefinite.

    Parameters
    ----------
    A : sparse matrix, array or LinearOperator
        The matrix.
    b : ndarray
        The right side, a vector.
    x0 : ndarray, optional
        The first approximation.
    rtol : float, optional
        The iteration ends when the norm of the residual is at most rtol * norm(A) * norm(x), with the norm of A as
        estimated, or when that of the residual's product with A is at most rtol times those of both.
    shift : float, optional
        A number that is subtracted from the diagonal.
    maxiter : int, optional
        The largest number of iterations, by default 5 times the number of rows.
    M : sparse matrix, array or LinearOperator, optional
        The preconditioner, an approximation of the inverse of A, positive definite.
    callback : callable, optional
        Called with x after each iteration.
    show : bool, optional
        Must be False.
    check : bool, optional
        Whether to test that A and M are Hermitian.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 if the iteration has converged, otherwise the number of iterations.

    Raises
    ------
    ValueError
        When shapes do not match, and for matrices that are seen not to be Hermitian or a preconditioner that is not
        positive definite.
    NotImplementedError
        With `show`.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_matrix(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> x, info = sparse.linalg.minres(a, np.array([3.0, 3.0]))
    >>> np.round(x, 6), info
    (array([1., 1.]), 0)
    """
    check_default("minres", "show", show, False)
    s = _System("minres", A, b, x0, 0.0, 0.0, M)
    maxiter = 5 * s.b.size if maxiter is None else maxiter
    old = last = s.b if x0 is None else s.residual()
    y = s.precondition(last)
    square = _number(_dot(last, y))
    if square < 0:
        raise ValueError("minres: indefinite preconditioner")
    if square == 0:
        return s.x, 0
    if s.solved:
        return s.b, 0
    if check:
        _check_symmetry(s.operator.matvec, y, s.epsilon, "matrix")
        _check_symmetry(s.precondition, last, s.epsilon, "preconditioner")
    beta, before = math.sqrt(square), 0.0
    factors = _Symmetric(beta, s.epsilon, s.b)
    for k in range(maxiter):
        v = (1 / beta) * y
        y = s.operator.matvec(v)
        if shift:
            y = y - shift * v
        if k:
            y = y - (beta / before) * old
        diagonal = _number(_dot(v, y))
        y = y - (diagonal / beta) * last
        old, last = last, y
        y = s.precondition(last)
        square = _number(_dot(last, y))
        if square < 0:
            raise ValueError("minres: non-symmetric matrix")
        before, beta = beta, math.sqrt(square)
        s.x = s.x + factors.step(v, diagonal, before, beta)
        if callback is not None:
            callback(s.x)
        if factors.has_converged(s.x, rtol) or (not k and beta / before <= 10 * s.epsilon):
            return s.x, 0
    return s.x, maxiter


def _normalised(x: dpnp_ndarray) -> tuple[dpnp_ndarray, float]:
    """The vector of length 1, and the length."""
    length = _norm(x)
    return (x * (1 / length), length) if length > 0 else (x, length)


class _Bidiagonal:
    """The QR factorisation of the bidiagonal matrix of a Golub-Kahan basis, and estimates of norms."""

    def __init__(self, damp: float, alpha: float, beta: float, length: float) -> None:
        self.damp, self.length = damp, length
        self.diagonal, self.rest = alpha, beta
        self.norm = self.inverse_squares = self.damped = self.xnorm = self.known = self.z = 0.0
        self.cosine, self.sine = -1.0, 0.0
        self.arnorm = alpha * beta
        self.rnorm = self.r1norm = beta

    def step(self, alpha: float, beta: float) -> tuple[float, float, float]:
        """The factors of the change of the solution and of the direction, and the pivot."""
        damped = math.hypot(self.diagonal, self.damp) if self.damp else self.diagonal
        share = self.damp / damped * self.rest if self.damp else 0.0
        self.rest *= self.diagonal / damped if self.damp else 1.0
        pivot = math.hypot(damped, beta)
        cosine, sine = damped / pivot, beta / pivot
        theta, self.diagonal = sine * alpha, -cosine * alpha
        phi, self.rest = cosine * self.rest, sine * self.rest
        # The norm of x, by a rotation from the right that makes the matrix lower bidiagonal.
        delta, gbar = self.sine * pivot, -self.cosine * pivot
        right = phi - delta * self.z
        self.xnorm = math.sqrt(self.known + (right / gbar) ** 2)
        gamma = math.hypot(gbar, theta)
        self.cosine, self.sine, self.z = gbar / gamma, theta / gamma, right / gamma
        self.known += self.z**2
        self.damped += share**2
        self.rnorm = math.hypot(self.rest, math.sqrt(self.damped))
        self.arnorm = alpha * abs(sine * phi)
        difference = self.rnorm**2 - self.damp**2 * self.known
        self.r1norm = math.copysign(math.sqrt(abs(difference)), difference) if self.damp else self.rnorm
        return phi / pivot, -theta / pivot, pivot

    def reason(self, atol: float, btol: float, conlim: float, epsilon: float) -> int:
        """Why to end, SciPy's `istop`: 0 to go on."""
        self.condition = self.norm * math.sqrt(self.inverse_squares)
        size = self.norm * self.xnorm / self.length
        residual = self.rnorm / self.length
        normal = self.arnorm / (self.norm * self.rnorm + epsilon)
        inverse = 1 / (self.condition + epsilon)
        tests = (
            (1, residual <= btol + atol * size),
            (2, normal <= atol),
            (3, inverse <= (1 / conlim if conlim > 0 else 0)),
            (4, 1 + residual / (1 + size) <= 1),
            (5, 1 + normal <= 1),
            (6, 1 + inverse <= 1),
        )
        return next((number for number, holds in tests if holds), 0)


def _least_squares_operands(A: object, b: object, x0: object) -> tuple[LinearOperator, dpnp_ndarray, dpnp_ndarray]:
    """The matrix, the right side, and the first approximation or zeros."""
    operator = aslinearoperator(A)
    m, n = operator.shape
    for name, array in (("b", b), ("x0", x0)):
        if not is_dense(array) and not (name == "x0" and array is None):
            raise TypeError(f"lsqr: {name} must be an array on a device, got {type(array).__name__}")
    b = dpnp.asarray(b)
    if b.shape not in ((m,), (m, 1)):
        raise ValueError(f"lsqr: shapes of A {(m, n)} and b {b.shape} are incompatible")
    real = dpnp.default_float_type(sycl_queue=b.sycl_queue)
    b = dpnp.ravel(b)
    b = b if b.dtype.kind in "fc" else b.astype(real)
    if x0 is None:
        dtype = b.dtype if operator.dtype is None else dpnp.result_type(b.dtype, numpy.dtype(operator.dtype))
        return operator, b, dpnp.zeros(n, dtype=dtype, usm_type=b.usm_type, sycl_queue=b.sycl_queue)
    if tuple(x0.shape) != (n,):
        raise ValueError(f"lsqr: shapes of A {(m, n)} and x0 {tuple(x0.shape)} are incompatible")
    return operator, b, dpnp.asarray(x0)


def lsqr(
    A: object,
    b: object,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    iter_lim: int | None = None,
    show: bool = False,
    calc_var: bool = False,
    x0: object = None,
) -> tuple[object, ...]:
    """Minimise the norm of A x - b, for a matrix of any shape, by bidiagonalisation.

    Parameters
    ----------
    A : sparse matrix, array or LinearOperator
        The matrix. A LinearOperator must have products with the adjoint.
    b : ndarray
        The right side, a vector.
    damp : float, optional
        The factor of the norm of x - x0, whose square is added to that of the residual.
    atol, btol : float, optional
        The precisions of A and of b, relative, to which the iteration ends.
    conlim : float, optional
        The iteration ends when the estimated condition of A exceeds this number.
    iter_lim : int, optional
        The largest number of iterations, by default twice the number of columns.
    show : bool, optional
        Must be False.
    calc_var : bool, optional
        Whether to estimate the diagonal of the inverse of A^H A + damp^2.
    x0 : ndarray, optional
        The first approximation.

    Returns
    -------
    x : ndarray
        The solution.
    istop : int
        Why the iteration ended: 0: x is x0; 1: A x = b is solved; 2: the sum of squares is minimal; 3: the condition
        exceeds `conlim`; 4, 5, 6: as 1, 2, 3, with the precision of the arithmetic; 7: after `iter_lim` iterations.
    itn : int
        The number of iterations.
    r1norm, r2norm, anorm, acond, arnorm, xnorm : float
        The norms of the residual without and with `damp`, the estimated norm and condition of A, and the norms of
        A^H (b - A x) - damp^2 (x - x0) and of x - x0.
    var : ndarray
        The estimated diagonal, zeros without `calc_var`.

    Raises
    ------
    TypeError
        When `b` or `x0` is not an array.
    ValueError
        When shapes do not match.
    NotImplementedError
        With `show`.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    >>> x, istop, *_ = sparse.linalg.lsqr(a, np.array([1.0, 0.0, -1.0]))
    >>> np.round(x, 6), istop
    (array([ 1., -1.]), 1)
    """
    check_default("lsqr", "show", show, False)
    operator, b, x = _least_squares_operands(A, b, x0)
    epsilon = float(numpy.finfo(numpy.float64).eps)
    iter_lim = 2 * operator.shape[1] if iter_lim is None else iter_lim
    variances = dpnp.zeros_like(x, dtype=x.real.dtype)
    u, beta = _normalised(b if x0 is None else b - operator.matvec(x))
    v, alpha = _normalised(operator.rmatvec(u)) if beta > 0 else (x, 0.0)
    factors = _Bidiagonal(float(damp), alpha, beta, _norm(b))
    direction, stop, itn, factors.condition = v, 0, 0, 0.0
    if alpha * beta == 0:
        return x, 0, 0, beta, beta, 0.0, 0.0, 0.0, 0.0, variances
    while itn < iter_lim and not stop:
        itn += 1
        u, beta = _normalised(operator.matvec(v) - alpha * u)
        if beta > 0:
            factors.norm = math.sqrt(factors.norm**2 + alpha**2 + beta**2 + factors.damp**2)
            v, alpha = _normalised(operator.rmatvec(u) - beta * v)
        change, turn, pivot = factors.step(alpha, beta)
        scaled = direction * (1 / pivot)
        factors.inverse_squares += _norm(scaled) ** 2
        if calc_var:
            variances = variances + dpnp.abs(scaled) ** 2
        x = x + change * direction
        direction = v + turn * direction
        stop = factors.reason(atol, btol, conlim, epsilon) or (7 if itn >= iter_lim else 0)
    return (x, stop, itn, factors.r1norm, factors.rnorm, factors.norm, factors.condition, factors.arnorm,
            factors.xnorm, variances)  # fmt: skip
