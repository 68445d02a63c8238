"""The functions of a basis of polynomials, which have the same arguments for all bases."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays, check_numbers

import dpnp
from dpnp._support import named
from dpnp.polynomial._bases import Basis
from dpnp.polynomial._documentation import documentation
from dpnp.polynomial._grids import grid_functions_of
from dpnp.polynomial._series import in_place_of, inexact, joined, placed, series, trimmed

__all__ = ["fitted", "functions_of"]


def _sum(a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
    if a.size == b.size:
        return trimmed(a + b)
    a, b = (a, b) if a.size > b.size else (b, a)
    return joined(a[: b.size] + b, a[b.size :])


def _count(name: str, what: str, value: object) -> int:
    """An int that must not be negative."""
    count = operator.index(value)
    if count < 0:
        raise ValueError(f"{name}: {what} must not be negative, got {count}")
    return count


def _arithmetic(basis: Basis) -> dict[str, Callable]:
    prefix = basis.prefix

    def add(c1: object, c2: object) -> dpnp_ndarray:
        return _sum(*series(f"{prefix}add", c1, c2))

    def sub(c1: object, c2: object) -> dpnp_ndarray:
        a, b = series(f"{prefix}sub", c1, c2)
        return _sum(a, -b)

    def mul(c1: object, c2: object) -> dpnp_ndarray:
        return trimmed(basis.multiplied(*series(f"{prefix}mul", c1, c2)))

    def mulx(c: object) -> dpnp_ndarray:
        (c,) = series(f"{prefix}mulx", c)
        return basis.times_x(c) if c.size > 1 or bool(c[0] != 0) else c

    def div(c1: object, c2: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        a, b = series(f"{prefix}div", c1, c2)
        if b.size == 1 and bool(b[0] == 0):
            raise ZeroDivisionError(f"{prefix}div: division by the polynomial 0")
        if a.size < b.size:
            return a[:1] * 0, a
        quotient, rest = basis.divided(a, b)
        return trimmed(quotient), rest

    def power(c: object, pow: int, maxpower: int | None = None) -> dpnp_ndarray:
        (c,) = series(f"{prefix}pow", c)
        if int(pow) != pow or pow < 0:
            raise ValueError(f"{prefix}pow: power must be a non-negative integer, got {pow}")
        if maxpower is not None and pow > maxpower:
            raise ValueError(f"{prefix}pow: power is too large, got {pow} for at most {maxpower}")
        made = dpnp.ones_like(c[:1])
        for _ in range(int(pow)):
            made = basis.multiplied(made, c)
        return made

    return {"add": add, "sub": sub, "mul": mul, "mulx": mulx, "div": div, "pow": power}


def _calculus(basis: Basis) -> dict[str, Callable]:
    prefix = basis.prefix

    def der(c: object, m: int = 1, scl: float = 1, axis: int = 0) -> dpnp_ndarray:
        name = f"{prefix}der"
        m = _count(name, "the order of the derivative", m)
        (c,) = placed(name, c)
        c = inexact(dpnp.atleast_1d(c))
        axis = normalize_axis_index(axis, c.ndim)
        if m == 0:
            return dpnp.copy(c)
        c = dpnp.moveaxis(c, axis, 0)
        if m >= c.shape[0]:
            return dpnp.moveaxis(c[:1] * 0, 0, axis)
        for _ in range(m):
            c = basis.derived(c if scl == 1 else c * scl)
        return dpnp.moveaxis(c, 0, axis)

    def integral(
        c: object, m: int = 1, k: object = (), lbnd: object = 0, scl: float = 1, axis: int = 0
    ) -> dpnp_ndarray:
        name = f"{prefix}int"
        m = _count(name, "the order of integration", m)
        (c,) = placed(name, c)
        c = inexact(dpnp.atleast_1d(c))
        constants = list(k) if isinstance(k, (list, tuple)) or getattr(k, "ndim", 0) else [k]
        if len(constants) > m:
            raise ValueError(f"{name}: too many integration constants, got {len(constants)} for {m} integrations")
        for what, value in (("lbnd", lbnd), ("scl", scl)):
            if numpy.ndim(value):
                raise ValueError(f"{name}: {what} must be a number, got shape {numpy.shape(value)}")
        axis = normalize_axis_index(axis, c.ndim)
        if m == 0:
            return dpnp.copy(c)
        c = dpnp.moveaxis(c, axis, 0)
        for constant in constants + [0] * (m - len(constants)):
            if c.shape[0] == 1 and not bool(bound.any(c)):
                c = c + constant
                continue
            c = basis.integrated(c if scl == 1 else c * scl)
            at_bound = basis.values(dpnp.asarray(lbnd, dtype=c.dtype, **in_place_of(c)), list(c))
            c[0] += constant - at_bound
        return dpnp.moveaxis(c, 0, axis)

    return {"der": der, "int": integral}


def _values(basis: Basis) -> dict[str, Callable]:
    prefix = basis.prefix

    def val(x: object, c: object, tensor: bool = True) -> dpnp_ndarray:
        name = f"{prefix}val"
        check_numbers(name, x)
        # Numbers of Python have no dtype of their own beside arrays.
        x, c = (x, *placed(name, c)) if type(x) in (int, float, complex) else placed(name, x, c)
        c = inexact(dpnp.atleast_1d(c))
        if c.shape[0] == 0:
            raise ValueError(f"{name}: expected at least one coefficient, got shape {c.shape}")
        if tensor and isinstance(x, array_base):
            c = dpnp.reshape(c, c.shape + (1,) * x.ndim)
        return as_dpnp(basis.values(x, list(c)))

    def vander(x: object, deg: int) -> dpnp_ndarray:
        name = f"{prefix}vander"
        deg = _count(name, "deg", deg)
        check_numbers(name, x)
        (x,) = placed(name, x)
        return basis.columns(inexact(dpnp.atleast_1d(x)), deg)

    def fromroots(roots: object) -> dpnp_ndarray:
        (roots,) = placed(f"{prefix}fromroots", roots)
        if roots.ndim > 1:
            raise ValueError(f"{prefix}fromroots: roots must have one axis, got shape {roots.shape}")
        roots = inexact(dpnp.reshape(roots, (-1,)))
        return basis.from_roots(roots) if roots.size else dpnp.ones(1, dtype=roots.dtype, **in_place_of(roots))

    def companion(c: object) -> dpnp_ndarray:
        (c,) = series(f"{prefix}companion", c)
        if c.size < 2:
            raise ValueError(f"{prefix}companion: the series must have a degree of at least 1, got {c.size - 1}")
        return basis.companion(c)

    def roots(c: object) -> dpnp_ndarray:
        (c,) = series(f"{prefix}roots", c)
        if c.size < 2:
            return c[:0]
        if c.size == 2:
            return -c[:1] / c[1]
        # Rotated, the matrix has its large elements first, which improves the precision of eigenvalues.
        return dpnp.sort(dpnp.linalg.eigvals(basis.companion(c)[::-1, ::-1]))

    def line(off: object, scl: object) -> dpnp_ndarray:
        parts = [dpnp.reshape(inexact(x), (1,)) for x in placed(f"{prefix}line", off, scl)]
        return trimmed(joined(*parts))

    made = {"val": val, "vander": vander, "fromroots": fromroots}
    return made | {"companion": companion, "roots": roots, "line": line}


def _least_squares_operands(
    name: str, x: object, y: object, deg: object, w: object
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray | None, list[int]]:
    """The arguments, values and weights, and the degrees of terms."""
    check_arrays(name, x, y, *([] if w is None else [w]))
    x, y, *rest = (inexact(a) for a in placed(name, x, y, *([] if w is None else [w])))
    weights = rest[0] if rest else None
    degrees = numpy.asarray(deg)
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or degrees.size == 0:
        raise TypeError(f"{name}: deg must be an int or a sequence of ints with at least one, got {deg}")
    if degrees.min() < 0:
        raise ValueError(f"{name}: expected deg >= 0, got {deg}")
    if x.ndim != 1 or x.size == 0:
        raise TypeError(f"{name}: expected non-empty 1D vector for x, got shape {x.shape}")
    if y.ndim not in (1, 2) or y.shape[0] != x.shape[0]:
        raise TypeError(f"{name}: expected 1D or 2D array for y of the length of x, {x.size}, got shape {y.shape}")
    if weights is not None and weights.shape != x.shape:
        raise TypeError(f"{name}: expected w to have the shape of x, {x.shape}, got {weights.shape}")
    terms = list(range(int(degrees) + 1)) if degrees.ndim == 0 else sorted(degrees.tolist())
    return x, y, weights, terms


def fitted(
    name: str, basis: Basis, x: object, y: object, deg: object, rcond: float | None, full: bool, w: object
) -> object:
    """The coefficients of least squares, with `full` also the residuals, rank, singular values and rcond."""
    x, y, weights, terms = _least_squares_operands(name, x, y, deg, w)
    left, right = basis.columns(x, terms[-1]), y
    if len(terms) != terms[-1] + 1:
        left = left[:, dpnp.asarray(terms, **in_place_of(x))]
    if weights is not None:
        left = left * weights[:, None]
        right = right * (weights[:, None] if y.ndim == 2 else weights)
    if rcond is None:
        rcond = x.size * float(numpy.finfo(x.dtype).eps)
    scale = bound.sqrt(bound.sum(bound.square(bound.abs(left)), axis=0))
    scale = dpnp.where(scale == 0, 1, scale)
    c, residuals, rank, singular = dpnp.linalg.lstsq(left / scale, right, rcond)
    c = as_dpnp(c) / (scale[:, None] if y.ndim == 2 else scale)
    if len(terms) != terms[-1] + 1:
        made = dpnp.zeros((terms[-1] + 1, *c.shape[1:]), dtype=c.dtype, **in_place_of(c))
        made[dpnp.asarray(terms, **in_place_of(c))] = c
        c = made
    if full:
        return c, [residuals, rank, singular, rcond]
    if int(rank) != len(terms):
        warnings.warn(f"{name}: the fit may be poorly conditioned", numpy.exceptions.RankWarning, stacklevel=3)
    return c


def functions_of(basis: Basis) -> dict[str, Callable]:
    """The functions of a basis, by their names without the prefix."""
    prefix = basis.prefix

    def fit(
        x: object, y: object, deg: object, rcond: float | None = None, full: bool = False, w: object = None
    ) -> object:
        return fitted(f"{prefix}fit", basis, x, y, deg, rcond, full, w)

    def trim(c: object, tol: float = 0) -> dpnp_ndarray:
        if tol < 0:
            raise ValueError(f"{prefix}trim: tol must not be negative, got {tol}")
        (c,) = series(f"{prefix}trim", c)
        large = numpy.flatnonzero(dpnp.asnumpy(dpt.abs(c)) > tol)
        return dpnp.copy(c[: int(large[-1]) + 1]) if large.size else c[:1] * 0

    made = {**_arithmetic(basis), **_calculus(basis), **_values(basis), "fit": fit, "trim": trim}
    made = {name: named(f, prefix + name, documentation(name, basis)) for name, f in made.items()}
    return made | grid_functions_of(basis, made)
