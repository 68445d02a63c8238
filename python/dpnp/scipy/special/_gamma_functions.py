"""Functions that are composed of the gamma and zeta functions."""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.special import _hurwitz_zeta, _riemann_zeta, digamma, gamma, gammaln

from dpnp._support import array_or_number, first_as_array

__all__ = ["gammasgn", "loggamma", "multigammaln", "poch", "polygamma", "rgamma", "zeta"]


def loggamma(x: object) -> dpnp_ndarray:
    """Return the principal branch of the logarithm of the gamma function of real numbers.

    For negative numbers, where it is complex, the result is NaN; `gammaln` is the logarithm of the absolute value.

    Parameters
    ----------
    x : ndarray
        Real numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.loggamma(np.array([1.0, -0.5]))
    array([ 0., nan])
    """
    x = array_or_number("loggamma", x)
    logarithms = gammaln(x)
    return dpt.where(x < 0, dpt.full_like(logarithms, numpy.nan), logarithms)


def gammasgn(x: object) -> dpnp_ndarray:
    """Return the signs of the gamma function: 1, -1, or NaN at its poles, the integers below 0.

    >>> import dpnp as np
    >>> np.scipy.special.gammasgn(np.array([2.5, -0.5, -1.0]))
    array([ 1., -1., nan])
    """
    x = array_or_number("gammasgn", x)
    floats = x if x.dtype.kind == "f" else dpt.astype(x, "f8")
    below = dpt.floor(floats)
    is_odd = dpt.remainder(below, 2) == 1
    ones = dpt.ones_like(floats)
    of_negative = dpt.where(below == floats, dpt.full_like(floats, numpy.nan), dpt.where(is_odd, -ones, ones))
    signs = dpt.where(floats == 0, dpt.copysign(ones, floats), dpt.where(floats > 0, ones, of_negative))
    return dpt.where(dpt.isnan(floats), floats, signs)


def rgamma(x: object) -> dpnp_ndarray:
    """Return 1 / gamma(x), which is 0 for 0 and negative integers.

    >>> import dpnp as np
    >>> np.scipy.special.rgamma(np.array([3.0, 0.0, -1.0]))
    array([0.5, 0. , 0. ])
    """
    x = array_or_number("rgamma", x)
    inverse = 1 / gamma(x)
    return dpt.where(_is_pole(x), dpt.zeros_like(inverse), inverse)


def poch(z: object, m: object) -> dpnp_ndarray:
    """Return the rising factorials gamma(z + m) / gamma(z) of real numbers.

    The error grows with the logarithm of gamma(z + m). Where gamma has poles, the result is the limit: 0 for a pole at
    z, infinity for one at z + m, and the ratio of the residues for both.

    >>> import dpnp as np
    >>> np.scipy.special.poch(np.array([1.0, 3.0, -0.5]), 2.0).round(6)
    array([ 2.  , 12.  , -0.25])
    """
    z = first_as_array("poch", z, m)
    sums = z + m
    ones = dpt.ones_like(sums)
    start, by = z * ones, m * ones  # in the shape and dtype of the sums
    pole, pole_of_sum = _is_pole(start), _is_pole(sums)
    # by reflection, gamma(z + m) / gamma(z) = (-1)**m gamma(1 - z) / gamma(1 - z - m) for whole m
    reflected = (dpt.floor(by) == by) & (start <= 0.5) & (sums <= 0.5)
    above, below = dpt.where(reflected, 1 - start, sums), dpt.where(reflected, 1 - sums, start)
    sign_of_reflected = dpt.where(dpt.remainder(by, 2) == 1, -ones, ones)
    sign = dpt.where(reflected, sign_of_reflected, gammasgn(sums) * gammasgn(start))
    ratio = sign * dpt.exp(gammaln(above) - gammaln(below))
    ratio = dpt.where(pole & ~pole_of_sum & ~dpt.isnan(sums), 0, ratio)
    return dpt.where(pole_of_sum & ~pole & ~reflected, numpy.inf, ratio)


def _is_pole(x: dpnp_ndarray) -> dpnp_ndarray:
    """Whether numbers are poles of gamma: 0, -1, -2, …"""
    return (x <= 0) & (dpt.floor(x) == x)


def multigammaln(a: object, d: int) -> dpnp_ndarray:
    """Return the logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : ndarray
        Numbers larger than (d - 1) / 2.
    d : int
        The dimension.

    Raises
    ------
    ValueError
        When d is not a positive integer, or a number is too small.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.multigammaln(np.array([3.0]), 1).round(6)
    array([0.693147])
    """
    a = array_or_number("multigammaln", a)
    if isinstance(d, bool) or int(d) != d or d < 1:
        raise ValueError(f"multigammaln: d must be a positive integer, got {d!r}")
    if bool(dpt.any(a <= 0.5 * (d - 1))):
        raise ValueError(f"multigammaln: expected numbers above (d - 1) / 2 = {0.5 * (d - 1)}")
    total = gammaln(a) + d * (d - 1) * 0.25 * math.log(math.pi)
    for j in range(1, int(d)):
        total = total + gammaln(a - j / 2)
    return total


def zeta(x: object, q: object = None, out: object = None) -> dpnp_ndarray:
    """Return the zeta function of Riemann, or with `q` that of Hurwitz.

    Parameters
    ----------
    x : ndarray or number
        The exponents. With `q`, the sum of (q + k)^-x for k = 0, 1, … is infinite for 1, and NaN for numbers below 1.
    q : ndarray or number, optional
        The first terms. The result is infinite where they are 0 or negative integers, NaN for other negative numbers.
    out : ndarray, optional
        The array to write the result to.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.zeta(np.array([2.0, 4.0])).round(6)
    array([1.644934, 1.082323])
    """
    return _riemann_zeta(x, out=out) if q is None else _hurwitz_zeta(x, q, out=out)


def polygamma(n: object, x: object) -> dpnp_ndarray:
    """Return derivatives of the digamma function.

    Parameters
    ----------
    n : int or ndarray
        The orders of the derivatives: integers that are not negative.
    x : ndarray or number
        The arguments. For derivatives, those of negative numbers are NaN.

    Raises
    ------
    ValueError
        When an order is negative or not an integer.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.polygamma(1, np.array([1.0, 2.0])).round(6)
    array([1.644934, 0.644934])
    """
    x = first_as_array("polygamma", x, n)
    if not isinstance(n, dpnp_ndarray):
        if n < 0 or int(n) != n:
            raise ValueError(f"polygamma: n must be an integer that is not negative, got {n!r}")
        return digamma(x) if n == 0 else _hurwitz_zeta(x * 0 + (n + 1.0), x) * ((-1.0) ** (n + 1) * math.factorial(n))
    if bool(dpt.any((n < 0) | (dpt.floor(n) != n))):
        raise ValueError("polygamma: n must consist of integers that are not negative")
    order = dpt.astype(n, "f8") + 1
    arguments = x if isinstance(x, dpnp_ndarray) else dpt.full_like(order, x)
    signs = 1 - 2 * dpt.remainder(order, 2)
    derivatives = signs * gamma(order) * _hurwitz_zeta(order, arguments)
    return dpt.where(n == 0, digamma(arguments), derivatives)
