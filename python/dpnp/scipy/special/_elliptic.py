"""Complete elliptic integrals, by the arithmetic-geometric mean (Abramowitz and Stegun, 17.6)."""

from __future__ import annotations

import math

from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.special._composed import delivered, real_operands

__all__ = ["ellipe", "ellipk", "ellipkm1"]

# The steps in which the mean has the precision of float64 for all finite numbers. The last ones double the digits.
_STEPS = 13


def _means(complement: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The mean of 1 and the square root, and the sum of the squares of differences by which E = (m' - sum) K.

    The complement m' is 1 - m. It must not be above 1, so that the terms of the sum have one sign.
    """
    first, second = 1.0, bound.sqrt(complement)
    power, total = 1.0, (1 - complement) * 0.5
    for _ in range(_STEPS):
        difference = (first - second) * 0.5
        first, second = (first + second) * 0.5, bound.sqrt(first * second)
        total = total + power * difference * difference
        power *= 2
    return first, total


def ellipkm1(p: object) -> dpnp_ndarray:
    """Return complete elliptic integrals of the first kind of 1 - p, also for p near 0.

    >>> import dpnp as np
    >>> np.scipy.special.ellipkm1(np.array([1.0, 1e-30])).round(6)
    array([ 1.570796, 35.925071])
    """
    (p,), dtype = real_operands("ellipkm1", p)
    # K(m) = K(m / (m - 1)) / sqrt(1 - m) for negative m
    is_above = p > 1
    mean, _ = _means(dpnp.where(is_above, 1 / p, p))
    values = dpnp.where(is_above, 1 / bound.sqrt(p), 1.0) * (math.pi / 2) / mean
    return delivered(dpnp.where(p == 0, math.inf, dpnp.where(p == math.inf, 0.0, values)), dtype)


def ellipk(m: object) -> dpnp_ndarray:
    """Return complete elliptic integrals of the first kind, of parameters up to 1; NaN above.

    Parameters
    ----------
    m : ndarray or number
        The parameters, squares of the moduli.

    Returns
    -------
    ndarray
        The integrals of (1 - m sin(t)**2)**-0.5 from 0 to pi / 2. float32 if `m` is of float32.

    Raises
    ------
    TypeError
        For complex numbers, and for other objects than arrays and numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.ellipk(np.array([0.0, 0.5])).round(6)
    array([1.570796, 1.854075])
    """
    (m,), dtype = real_operands("ellipk", m)
    return delivered(ellipkm1(1 - m), dtype)


def ellipe(m: object) -> dpnp_ndarray:
    """Return complete elliptic integrals of the second kind, of parameters up to 1; NaN above.

    Parameters
    ----------
    m : ndarray or number
        The parameters, squares of the moduli.

    Returns
    -------
    ndarray
        The integrals of (1 - m sin(t)**2)**0.5 from 0 to pi / 2. float32 if `m` is of float32.

    Raises
    ------
    TypeError
        For complex numbers, and for other objects than arrays and numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.ellipe(np.array([0.0, 0.5, 1.0])).round(6)
    array([1.570796, 1.350644, 1.      ])
    """
    (m,), dtype = real_operands("ellipe", m)
    p = 1 - m
    # E(m) = E(m / (m - 1)) sqrt(1 - m) for negative m
    is_above = p > 1
    complement = dpnp.where(is_above, 1 / p, p)
    mean, total = _means(complement)
    # E = 1 + O(p log p), which the difference 1 - total does not have the digits for.
    near = dpnp.where((complement >= 0) & (complement < 1e-18), 1.0, (1 - total) * (math.pi / 2) / mean)
    values = dpnp.where(is_above, bound.sqrt(p), 1.0) * near
    return delivered(dpnp.where(p == math.inf, math.inf, values), dtype)
