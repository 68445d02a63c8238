"""Modified Bessel functions of the second kind.

K of the order v is half of the integral of exp(v t - z cosh(t)) over all t, which the trapezoidal rule computes to full
precision with few nodes: integrands that are analytic and fall fast have errors that fall exponentially with their
number. Nodes are around the maximum of each integrand.
"""

from __future__ import annotations

import math

from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.special import gamma

import dpnp
from dpnp.scipy.special._composed import delivered, real_operands

__all__ = ["k0", "k0e", "k1", "k1e", "kn", "kv", "kve"]

_EULER = 0.5772156649015329
_ZETA = {2: 1.6449340668482264, 3: 1.2020569031595942, 4: 1.0823232337111382, 5: 1.0369277551433699}
_FALL = 40.0  # the integrand is neglected where it is exp(-40) of its maximum
_STEP = 0.25  # the largest distance of nodes, for which the error is exp(-2 pi (pi / 2) / 0.25)
_TOGETHER = 16  # nodes that are computed together
_SMALL = 1e-8  # arguments below which powers of z are enough


def _inverse_of_cosh(y: dpnp_ndarray) -> dpnp_ndarray:
    """acosh(1 + y)"""
    return bound.log1p(y + bound.sqrt(y) * bound.sqrt(2 + y))


def _integral(v: dpnp_ndarray, z: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The logarithm of the integrand's maximum and z, and half of the integral divided by the maximum."""
    c = bound.hypot(v, z)
    less = z * (z / (c + v))  # c - v
    at = bound.asinh(v / z)
    above = _inverse_of_cosh(_FALL / c)
    # With h = cosh(s) - 1, the exponent is -(c h + v (sinh(s) - s)), for negative s also
    # -((c - v) h + v (exp(s) - 1 - s)), in which no large numbers cancel.
    by_second = (_FALL + bound.sqrt(_FALL * (_FALL + 8 * v))) / (2 * v)
    below = bound.minimum(_inverse_of_cosh(_FALL / less), dpnp.where(v == 0, math.inf, by_second))
    length = above + below
    count = max(48, math.ceil(float(bound.max(length, initial=0.0)) / _STEP))
    step = length / count
    total = 0.0
    for start in range(0, count + 1, _TOGETHER):
        number = dpnp.arange(start, min(start + _TOGETHER, count + 1), usm_type=v.usm_type, sycl_queue=v.sycl_queue)
        s = dpnp.reshape(number, (-1,) + (1,) * v.ndim) * step - below
        half = bound.sinh(s * 0.5)
        height = 2 * half * half
        falling = less * height + v * (bound.expm1(bound.minimum(s, 0.0)) - s)
        rising = c * height + v * (bound.sinh(bound.maximum(s, 0.0)) - s)
        total = total + bound.sum(bound.exp(-dpnp.where(s < 0, falling, rising)), axis=0)
    return v * at - v * (v / (c + z)), total * step * 0.5


def _of_small(v: dpnp_ndarray, z: dpnp_ndarray) -> dpnp_ndarray:
    """The sum of both powers of z, for orders below 1: (gamma(1 + v) w - gamma(1 - v) / w) / (2 v), w = (2 / z)^v."""
    logarithm = -bound.log(z * 0.5)
    power = bound.exp(v * logarithm)
    plain = (gamma(1 + v) * power - gamma(1 - v) / power) / (2 * v)
    # Near 0, of the even and the odd part of the logarithm of gamma(1 + v).
    square = v * v
    even = square * (_ZETA[2] / 2 + square * (_ZETA[4] / 4))
    odd = _EULER + square * (_ZETA[3] / 3 + square * (_ZETA[5] / 5))
    slope = logarithm - odd
    near = bound.exp(even) * dpnp.where(v == 0, slope, bound.sinh(v * slope) / v)
    return dpnp.where(v < 0.01, near, plain)


def _k(name: str, v: object, z: object, is_scaled: bool) -> dpnp_ndarray:
    (v, z), dtype = real_operands(name, v, z)
    v = bound.abs(v)
    usual = (z > 0) & (z < math.inf) & (v < math.inf)
    order, x = dpnp.where(usual, v, 1.0), dpnp.where(usual, z, 1.0)
    is_small = (x < _SMALL) & (order < 0.95)
    power, integral = _integral(order, dpnp.where(is_small, 1.0, x))
    values = bound.exp(power if is_scaled else power - x) * integral
    small = _of_small(dpnp.where(is_small, order, 0.5), dpnp.where(is_small, x, 1.0))
    values = dpnp.where(is_small, small * bound.exp(x) if is_scaled else small, values)
    special = dpnp.where((z == 0) | (v == math.inf), math.inf, dpnp.where(z == math.inf, 0.0, math.nan))
    special = dpnp.where((z < 0) | bound.isnan(v) | bound.isnan(z), math.nan, special)
    return delivered(dpnp.where(usual, values, special), dtype)


def kv(v: object, z: object) -> dpnp_ndarray:
    """Return modified Bessel functions of the second kind of real orders.

    Parameters
    ----------
    v : ndarray or number
        The orders.
    z : ndarray or number
        The arguments. Values are infinite for 0 and NaN for negative numbers.

    Returns
    -------
    ndarray
        The values, float32 if all arrays are of float32.

    Raises
    ------
    TypeError
        For complex numbers, and for other objects than arrays and numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.kv(0.5, np.array([1.0, 2.0])).round(6)
    array([0.461069, 0.119938])
    """
    return _k("kv", v, z, False)


def kve(v: object, z: object) -> dpnp_ndarray:
    """Return exp(z) kv(v, z). The arguments are those of `kv`.

    >>> import dpnp as np
    >>> np.scipy.special.kve(0.5, np.array([1000.0])).round(6)
    array([0.039633])
    """
    return _k("kve", v, z, True)


def kn(n: object, x: object) -> dpnp_ndarray:
    """Return modified Bessel functions of the second kind of integer orders. The arguments are those of `kv`.

    >>> import dpnp as np
    >>> np.scipy.special.kn(2, np.array([1.0])).round(6)
    array([1.624839])
    """
    return _k("kn", n, x, False)


def k0(x: object) -> dpnp_ndarray:
    """Return modified Bessel functions of the second kind of the order 0.

    >>> import dpnp as np
    >>> np.scipy.special.k0(np.array([1.0])).round(6)
    array([0.421024])
    """
    return _k("k0", 0.0, x, False)


def k1(x: object) -> dpnp_ndarray:
    """Return modified Bessel functions of the second kind of the order 1.

    >>> import dpnp as np
    >>> np.scipy.special.k1(np.array([1.0])).round(6)
    array([0.601907])
    """
    return _k("k1", 1.0, x, False)


def k0e(x: object) -> dpnp_ndarray:
    """Return exp(x) k0(x).

    >>> import dpnp as np
    >>> np.scipy.special.k0e(np.array([1.0])).round(6)
    array([1.144463])
    """
    return _k("k0e", 0.0, x, True)


def k1e(x: object) -> dpnp_ndarray:
    """Return exp(x) k1(x).

    >>> import dpnp as np
    >>> np.scipy.special.k1e(np.array([1.0])).round(6)
    array([1.636153])
    """
    return _k("k1e", 1.0, x, True)
