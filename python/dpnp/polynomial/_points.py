"""Nodes and weights of Gauss's quadratures, and points for interpolation."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_arrays

import dpnp
from dpnp.polynomial._bases import CHEBYSHEV, LEGENDRE
from dpnp.polynomial._series import in_place_of, inexact

__all__ = [
    "chebgauss", "chebinterpolate", "chebpts1", "chebpts2", "chebweight", "leggauss", "legweight",
]  # fmt: skip


def _positive(name: str, what: str, value: object, least: int = 1) -> int:
    if int(value) != value or value < least:
        raise ValueError(f"{name}: {what} must be an integer of at least {least}, got {value}")
    return int(value)


def chebpts1(npts: int, **place: object) -> dpnp_ndarray:
    """Return the roots of a Chebyshev polynomial, in increasing order. `place` is as of `dpnp.arange`.

    Raises ValueError when `npts` is not a positive integer.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.chebpts1(2).round(6)
    array([-0.707107,  0.707107])
    """
    n = _positive("chebpts1", "npts", npts)
    return bound.sin((0.5 * math.pi / n) * dpnp.arange(-n + 1, n + 1, 2, **place))


def chebpts2(npts: int, **place: object) -> dpnp_ndarray:
    """Return the extremes of a Chebyshev polynomial in [-1, 1], in increasing order. `place` is as of `dpnp.arange`.

    Raises ValueError when `npts` is not an integer of at least 2.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.chebpts2(3).round(6) + 0.0
    array([-1.,  0.,  1.])
    """
    n = _positive("chebpts2", "npts", npts, 2)
    return bound.cos(dpnp.linspace(-math.pi, 0, n, **place))


def chebgauss(deg: int, **place: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the nodes and weights of Gauss-Chebyshev quadrature. `place` is as of `dpnp.arange`.

    Raises ValueError when `deg` is not a positive integer.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.chebgauss(2)[1].round(6)
    array([1.570796, 1.570796])
    """
    n = _positive("chebgauss", "deg", deg)
    x = bound.cos((math.pi / (2 * n)) * dpnp.arange(1, 2 * n, 2, **place))
    return x, dpnp.full_like(x, math.pi / n)


def chebweight(x: object) -> dpnp_ndarray:
    """Return the weights of Gauss-Chebyshev quadrature as a function: (1 - x**2)**-0.5.

    Raises TypeError when `x` is not an array.

    >>> import dpnp as np
    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.chebweight(np.array([0.0, 0.6]))
    array([1.  , 1.25])
    """
    check_arrays("chebweight", x)
    return 1 / (bound.sqrt(1 + inexact(x)) * bound.sqrt(1 - inexact(x)))


def chebinterpolate(func: Callable[..., dpnp_ndarray], deg: int, args: tuple[object, ...] = ()) -> dpnp_ndarray:
    """Return the coefficients of the series that has the values of a function at the roots of a polynomial.

    Parameters
    ----------
    func : callable
        The function, which takes an array and `args`.
    deg : int
        The degree.
    args : tuple, optional
        Further arguments of the function.

    Raises
    ------
    TypeError
        When `deg` is no int.
    ValueError
        When `deg` is negative.

    Examples
    --------
    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.chebinterpolate(lambda x: x * x, 2).round(6) + 0.0
    array([0.5, 0. , 0.5])
    """
    if numpy.ndim(deg) > 0 or numpy.asarray(deg).dtype.kind not in "iu":
        raise TypeError(f"chebinterpolate: deg must be an int, got {deg}")
    degree = operator.index(deg)
    if degree < 0:
        raise ValueError(f"chebinterpolate: expected deg >= 0, got {degree}")
    x = chebpts1(degree + 1)
    values = inexact(func(x, *args))
    made = dpnp.matmul(CHEBYSHEV.columns(x, degree).T, values)
    made[0] /= degree + 1
    made[1:] /= 0.5 * (degree + 1)
    return made


def leggauss(deg: int, **place: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the nodes and weights of Gauss-Legendre quadrature. `place` is as of `dpnp.arange`.

    Raises ValueError when `deg` is not a positive integer.

    >>> from dpnp.polynomial import legendre
    >>> legendre.leggauss(2)[0].round(6)
    array([-0.57735,  0.57735])
    """
    n = _positive("leggauss", "deg", deg)
    unit = dpnp.zeros(n + 1, **place)
    unit[n] = 1
    x = dpnp.linalg.eigvalsh(LEGENDRE.companion(unit))
    slopes = LEGENDRE.values(x, list(LEGENDRE.derived(unit)))
    x = x - LEGENDRE.values(x, list(unit)) / slopes  # one step of Newton's method
    before = LEGENDRE.values(x, list(unit[1:]))
    # Scaled, so that products neither overflow nor underflow.
    weights = 1 / (before / bound.max(bound.abs(before)) * slopes / bound.max(bound.abs(slopes)))
    x, weights = (x - dpnp.flip(x)) / 2, (weights + dpnp.flip(weights)) / 2
    return x, weights * (2 / bound.sum(weights))


def legweight(x: object) -> dpnp_ndarray:
    """Return the weights of Gauss-Legendre quadrature as a function, which are 1.

    Raises TypeError when `x` is not an array.

    >>> import dpnp as np
    >>> from dpnp.polynomial import legendre
    >>> legendre.legweight(np.array([0.0, 0.6]))
    array([1., 1.])
    """
    check_arrays("legweight", x)
    return dpnp.ones(x.shape, dtype=inexact(x).dtype, **in_place_of(x))
