"""Factorials and numbers of combinations."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.special import beta, gamma

import dpnp
from dpnp._support import array_or_number, first_as_array

__all__ = ["binom", "comb", "factorial", "perm"]


def _exact(function: str, compute: Callable[[int, int], int], N: object, k: object) -> int:
    """The result for Python's integers; TypeError for others."""
    try:
        N, k = operator.index(N), operator.index(k)
    except TypeError:
        raise TypeError(
            f"{function}: exact=True is for two integers, got {type(N).__name__} and {type(k).__name__}; results of "
            "arrays are floating-point numbers"
        ) from None
    return compute(N, k) if 0 <= k <= N else 0


def _exact_factorials(n: dpnp_ndarray) -> dpnp_ndarray:
    """The factorials of integers up to 20, as int64."""
    if n.dtype.kind not in "iu":
        raise TypeError(f"factorial: exact=True is for integers, got dtype {n.dtype}")
    if n.size and int(dpnp.max(n)) > 20:
        raise OverflowError("factorial: exact results of arrays are of 64 bits, which hold those up to 20")
    table = [0, *map(math.factorial, range(21))]
    place = {"usm_type": n.usm_type, "sycl_queue": n.sycl_queue}
    return dpnp.take(dpnp.array(table, dtype="i8", **place), dpnp.maximum(n.astype("i8"), -1) + 1)


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


def comb(N: object, k: object, *, exact: bool = False, repetition: bool = False) -> dpnp_ndarray | int:
    """Return the numbers of combinations of N things taken k at a time.

    Parameters
    ----------
    N, k : ndarray or number
        The numbers. Where N or k is negative, or k larger than N, the result is 0.
    exact : bool, optional
        Whether N and k are integers of Python, and the result is one, too.
    repetition : bool, optional
        Whether things may be taken several times.

    Raises
    ------
    TypeError
        When `exact` is true and N or k is no integer.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.comb(np.array([4, 5]), 2)
    array([ 6., 10.])
    """
    if exact:
        if repetition:
            return comb(N + k - 1, k, exact=True) if k else int(N >= 0)
        return _exact("comb", math.comb, N, k)
    N = first_as_array("comb", N, k)
    if repetition:
        made = comb(N + k - 1, k)
        return dpt.where((k == 0) & (N >= 0) & (made == made), dpt.ones_like(made), made)
    N, k = _in_double(N), _in_double(k)
    made = binom(N, k)
    return dpt.where((k <= N) & (N >= 0) & (k >= 0), made, dpt.zeros_like(made))


def perm(N: object, k: object, exact: bool = False) -> dpnp_ndarray | int:
    """Return the numbers of sequences of k of N things.

    Parameters
    ----------
    N, k : ndarray or number
        The numbers. Where N or k is negative, or k larger than N, the result is 0.
    exact : bool, optional
        Whether N and k are integers of Python, and the result is one, too.

    Raises
    ------
    TypeError
        When `exact` is true and N or k is no integer.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.perm(np.array([4, 5]), 2).round(6)
    array([12., 20.])
    """
    if exact:
        return _exact("perm", math.perm, N, k)
    N = first_as_array("perm", N, k)
    N, k = _in_double(N), _in_double(k)
    made = comb(N, k) * gamma(k + 1 + 0 * N)
    return dpt.where((k <= N) & (N >= 0) & (k >= 0), made, dpt.zeros_like(made))


def factorial(n: object, exact: bool = False) -> dpnp_ndarray | int:
    """Return n!, or gamma(n + 1) of numbers that are not integers; 0 for negative numbers.

    Parameters
    ----------
    n : ndarray or number
        The numbers.
    exact : bool, optional
        Whether the result of an integer of Python is one, and that of an array of integers is of int64.

    Raises
    ------
    TypeError
        When `exact` is true and n is not of integers.
    OverflowError
        When `exact` is true and an element is greater than 20.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.factorial(np.array([0, 3, -1]))
    array([1., 6., 0.])
    """
    if exact and not isinstance(n, array_base):
        return _exact("factorial", lambda n, _: math.factorial(n), n, 0) if operator.index(n) >= 0 else 0
    n = array_or_number("factorial", n)
    if exact:
        return _exact_factorials(n)
    made = gamma(_in_double(n) + 1)
    return dpt.where(n < 0, dpt.zeros_like(made), made)
