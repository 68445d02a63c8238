"""The regularised incomplete beta function, by its continued fraction."""

from __future__ import annotations

import math

from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.special import betaln

import dpnp
from dpnp.scipy.special._composed import delivered, real_operands

__all__ = ["betainc", "betaincc"]

_TINY, _EPSILON = 1e-300, 2.0**-53
# Steps of the continued fraction between tests whether all have converged, and their largest number.
_ROUND, _MOST = 8, 20_000
# Above, the logarithm of the gamma function is computed by Stirling's series.
_LARGE = 16.0


def _stirling(a: dpnp_ndarray) -> dpnp_ndarray:
    """The difference of gammaln from (a - 1/2) log(a) - a + log(2 pi) / 2."""
    inverse = 1 / a
    square = inverse * inverse
    coefficients = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
    made = 0.0
    for c in reversed(coefficients):
        made = made * square + c
    return made * inverse


def _prefactor(a: dpnp_ndarray, b: dpnp_ndarray, x: dpnp_ndarray, y: dpnp_ndarray) -> dpnp_ndarray:
    """x**a y**b / beta(a, b), where y = 1 - x."""
    plain = bound.exp(a * bound.log(x) + b * bound.log(y) - betaln(a, b))
    # Relative to the maximum of x**a y**b, so that no large logarithms cancel.
    shift = x * b - a * y
    near = a * bound.log1p(bound.maximum(shift / a, -1.0)) + b * bound.log1p(bound.maximum(-shift / b, -1.0))
    corrections = _stirling(a + b) - _stirling(a) - _stirling(b)
    large = bound.sqrt(a / (a + b) * b / (2 * math.pi)) * bound.exp(near + corrections)
    return dpnp.where(bound.minimum(a, b) > _LARGE, large, plain)


def _fraction(a: dpnp_ndarray, b: dpnp_ndarray, x: dpnp_ndarray) -> dpnp_ndarray:
    """The continued fraction by Lentz's method (Press et al., Numerical Recipes, 6.4)."""

    def away_from_zero(v: dpnp_ndarray) -> dpnp_ndarray:
        return dpnp.where(bound.abs(v) < _TINY, _TINY, v)

    c, d = 1.0, 1 / away_from_zero(1 - (a + b) * x / (a + 1))
    made = d
    for start in range(1, _MOST, _ROUND):
        for m in range(start, start + _ROUND):
            term = m * (b - m) * x / ((a + (2 * m - 1)) * (a + 2 * m))
            d, c = 1 / away_from_zero(1 + term * d), away_from_zero(1 + term / c)
            made = made * (d * c)
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + (2 * m + 1)))
            d, c = 1 / away_from_zero(1 + term * d), away_from_zero(1 + term / c)
            step = d * c
            made = made * step
        if not bool(bound.any(bound.abs(step - 1) > 4 * _EPSILON)):
            break
    return made


def _incomplete(name: str, a: object, b: object, x: object, is_complement: bool) -> dpnp_ndarray:
    (a, b, x), dtype = real_operands(name, a, b, x)
    # The fraction converges fast up to (a + 1) / (a + b + 2); above, that of the complement does.
    is_above = x > (a + 1) / (a + b + 2)
    first, second = dpnp.where(is_above, b, a), dpnp.where(is_above, a, b)
    part, rest = dpnp.where(is_above, 1 - x, x), dpnp.where(is_above, x, 1 - x)
    usual = (a > 0) & (b > 0) & (a < math.inf) & (b < math.inf) & (x > 0) & (x < 1)
    first, second, part, rest = (dpnp.where(usual, v, 0.5) for v in (first, second, part, rest))
    value = _prefactor(first, second, part, rest) / first * _fraction(first, second, part)
    value = dpnp.where(is_above != is_complement, 1 - value, value)
    # At the ends of x, and the limits for parameters that are 0 or infinite.
    to_one = (x == 1) | ((a == 0) & (b > 0)) | ((b == math.inf) & (a < math.inf) & (x > 0))
    to_zero = (x == 0) | ((b == 0) & (a > 0)) | ((a == math.inf) & (b < math.inf) & (x < 1))
    defined = (a >= 0) & (b >= 0) & (x >= 0) & (x <= 1) & (bound.maximum(a, b) > 0) & (bound.minimum(a, b) < math.inf)
    special = dpnp.where((x == 1) | (to_one & (x != 0)), 1.0, dpnp.where(to_zero, 0.0, math.nan))
    special = dpnp.where(defined, 1 - special if is_complement else special, math.nan)
    return delivered(dpnp.where(usual, value, special), dtype)


def betainc(a: object, b: object, x: object) -> dpnp_ndarray:
    """Return the regularised incomplete beta function.

    Relative errors grow with the parameters, from 1e-14 for small ones to 1e-11 for 1e6.

    Parameters
    ----------
    a, b : ndarray or number
        Positive parameters.
    x : ndarray or number
        The upper limit of the integral, from 0 to 1. Values are NaN for other numbers.

    Returns
    -------
    ndarray
        The integral of t**(a - 1) (1 - t)**(b - 1) from 0 to `x`, divided by beta(a, b). float32 if all arrays are of
        float32.

    Raises
    ------
    TypeError
        For complex numbers, and for other objects than arrays and numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.betainc(2.0, 1.0, np.array([0.0, 0.5, 1.0])).round(6)
    array([0.  , 0.25, 1.  ])
    """
    return _incomplete("betainc", a, b, x, False)


def betaincc(a: object, b: object, x: object) -> dpnp_ndarray:
    """Return the complement of the regularised incomplete beta function, 1 - betainc(a, b, x).

    The arguments are those of `betainc`.

    >>> import dpnp as np
    >>> np.scipy.special.betaincc(2.0, 1.0, np.array([0.0, 0.5, 1.0])).round(6)
    array([1.  , 0.75, 0.  ])
    """
    return _incomplete("betaincc", a, b, x, True)
