"""Factorials and numbers of combinations."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.special import beta, gamma

from dpnp._support import array_or_number, first_as_array

__all__ = ["binom", "comb", "factorial", "perm"]

_EXACT = "exact=True is not supported: arrays on devices have no integers of any size; use {}"


def _in_double(x: object) -> object:
    return dpt.astype(x, "f8") if isinstance(x, dpnp_ndarray) and x.dtype.kind in "biu" else x


def binom(n: object, k: object) -> dpnp_ndarray:
    """Return the binomial coefficients of real numbers.

    Results of integers are rounded to integers. Floating-point numbers stay in their precision.

    Parameters
    ----------
    n, k : ndarray or number
        The numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.binom(np.array([5, 10]), 2)
    array([10., 45.])
    """
    n = first_as_array("binom", n, k)
    n, k = _in_double(n), _in_double(k)
    made = 1 / ((n + 1) * beta(n - k + 1, k + 1))
    whole = (dpt.floor(n + 0 * made) == n) & (dpt.floor(k + 0 * made) == k)
    rounded = dpt.where(whole, dpt.round(made), made)
    is_pole = (n < 0) & whole
    return dpt.where(is_pole, dpt.full_like(made, float("nan")), rounded)


def comb(N: object, k: object, *, exact: bool = False, repetition: bool = False) -> dpnp_ndarray:
    """Return the numbers of combinations of N things taken k at a time.

    Parameters
    ----------
    N, k : ndarray or number
        The numbers. Where N or k is negative, or k larger than N, the result is 0.
    exact : bool, optional
        Only False: results are floating-point numbers.
    repetition : bool, optional
        Whether things may be taken several times.

    Raises
    ------
    NotImplementedError
        When `exact` is true.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.comb(np.array([4, 5]), 2)
    array([ 6., 10.])
    """
    N = first_as_array("comb", N, k)
    if exact:
        raise NotImplementedError("comb: " + _EXACT.format("math.comb"))
    if repetition:
        made = comb(N + k - 1, k)
        return dpt.where((k == 0) & (N >= 0) & (made == made), dpt.ones_like(made), made)
    N, k = _in_double(N), _in_double(k)
    made = binom(N, k)
    return dpt.where((k <= N) & (N >= 0) & (k >= 0), made, dpt.zeros_like(made))


def perm(N: object, k: object, exact: bool = False) -> dpnp_ndarray:
    """Return the numbers of sequences of k of N things.

    Parameters
    ----------
    N, k : ndarray or number
        The numbers. Where N or k is negative, or k larger than N, the result is 0.
    exact : bool, optional
        Only False: results are floating-point numbers.

    Raises
    ------
    NotImplementedError
        When `exact` is true.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.perm(np.array([4, 5]), 2).round(6)
    array([12., 20.])
    """
    N = first_as_array("perm", N, k)
    if exact:
        raise NotImplementedError("perm: " + _EXACT.format("math.perm"))
    N, k = _in_double(N), _in_double(k)
    made = comb(N, k) * gamma(k + 1 + 0 * N)
    return dpt.where((k <= N) & (N >= 0) & (k >= 0), made, dpt.zeros_like(made))


def factorial(n: object, exact: bool = False) -> dpnp_ndarray:
    """Return n!, or gamma(n + 1) of numbers that are not integers; 0 for negative numbers.

    Parameters
    ----------
    n : ndarray or number
        The numbers.
    exact : bool, optional
        Only False: results are floating-point numbers.

    Raises
    ------
    NotImplementedError
        When `exact` is true.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.factorial(np.array([0, 3, -1]))
    array([1., 6., 0.])
    """
    n = array_or_number("factorial", n)
    if exact:
        raise NotImplementedError("factorial: " + _EXACT.format("math.factorial"))
    made = gamma(_in_double(n) + 1)
    return dpt.where(n < 0, dpt.zeros_like(made), made)
