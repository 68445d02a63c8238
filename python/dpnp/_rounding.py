"""Functions that round numbers or limit their range: round, clip, nan_to_num, real_if_close."""

from __future__ import annotations

import math
import operator

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, checked_array, placed_like, store_result

from dpnp._support import also_named, array_or_number, as_numbers

__all__ = ["around", "clip", "nan_to_num", "real_if_close", "round"]


@also_named(x="a")
def round(a: object, decimals: int = 0, out: object = None, dtype: object = None) -> dpnp_ndarray:
    """Return numbers rounded to a number of decimals, halves to even digits.

    Parameters
    ----------
    a : ndarray, usm_ndarray or number
        Numbers.
    decimals : int, optional
        Number of digits after the decimal point; negative for digits before it.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    dtype : dtype, optional
        Data type of the result.

    Raises
    ------
    TypeError
        When `a` is neither an array nor a number, or is an array of bool and `decimals` is not 0.

    Examples
    --------
    >>> import dpnp as np
    >>> np.round(np.array([1.25, 2.718]), 1)
    array([1.2, 2.7])
    """
    decimals = operator.index(decimals)
    if decimals == 0 and isinstance(a, array_base) and a.dtype.kind in "bfc":
        return bound.rint(a, out=out) if dtype is None else bound.rint(a, out=out, dtype=dtype)
    x = array_or_number("round", a)
    if x.dtype.kind == "b":
        raise TypeError(f"round: arrays of bool support only decimals=0, got {decimals}")
    if x.dtype.kind in "iu":
        # As in NumPy, halves are rounded as floats. Integers have no digits after the point.
        scale = 10 ** max(-decimals, 0)
        result = dpt.copy(x) if decimals >= 0 else dpt.astype(bound.rint(x / scale) * scale, x.dtype)
    elif decimals > 0:
        result = bound.rint(x * 10.0**decimals) / 10.0**decimals
    else:
        result = bound.rint(x / 10.0**-decimals) * 10.0**-decimals
    if dtype is not None:
        result = dpt.astype(result, dtype, copy=False)
    return store_result("round", result, out)


@also_named(x="a")
def around(a: object, decimals: int = 0, out: object = None) -> dpnp_ndarray:
    """Return numbers rounded to a number of decimals. The same as `round`.

    >>> import dpnp as np
    >>> np.around(np.array([0.5, 1.5, 2.5]))
    array([0., 2., 2.])
    """
    return round(a, decimals, out)


def clip(
    a: object,
    a_min: object = None,
    a_max: object = None,
    out: object = None,
    *,
    min: object = None,
    max: object = None,
    order: str | None = "K",
    dtype: object = None,
    **keywords: object,
) -> dpnp_ndarray:
    """Return numbers limited to a range.

    Parameters
    ----------
    a : ndarray, usm_ndarray or number
        Numbers.
    a_min, a_max : ndarray, usm_ndarray or number, optional
        The limits, which are broadcast; None for no limit.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    min, max : ndarray, usm_ndarray or number, optional
        Other names of `a_min` and `a_max`.
    dtype : dtype, optional
        Data type in which the result is computed.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order of a new result.

    Examples
    --------
    >>> import dpnp as np
    >>> np.clip(np.arange(5), 1, 3)
    array([1, 1, 2, 3, 3])
    """
    if keywords:
        raise NotImplementedError(f"clip: the keyword {next(iter(keywords))} is not supported")
    if (min is not None and a_min is not None) or (max is not None and a_max is not None):
        raise ValueError("clip: a_min and min are one argument, as are a_max and max; give one of both names")
    min, max = (a_min if min is None else min), (a_max if max is None else max)
    for limit in (min, max):
        if limit is not None and not isinstance(limit, array_base) and not numpy.isscalar(limit):
            raise TypeError(f"clip: limits must be arrays, numbers or None, got {type(limit).__name__}")
    a = array_or_number("clip", a)
    if dtype is not None:
        a = dpt.astype(a, dtype, casting="same_kind", copy=False)
        limits = (x if x is None or _is_python_real(x) else placed_like(x, a) for x in (min, max))
        min, max = (
            dpt.astype(x, dtype, casting="same_kind", copy=False) if isinstance(x, array_base) else x for x in limits
        )
    if min is max is None:
        return bound.positive(a, out=out, order=order)
    # As in NumPy, limits may have a wider dtype than the numbers. Real Python numbers adopt a floating-point dtype.
    if not (_is_python_real(min) and _is_python_real(max) and a.dtype.kind == "f"):
        limits = [limit for limit in (min, max) if limit is not None and not _is_beyond_int64(limit)]
        promoted = dpt.result_type(a, *limits)
        if promoted != a.dtype:
            a = dpt.astype(a, promoted)
    out_array = None if out is None else checked_array("clip", out)
    result = dpt.clip(a, min, max, out=out_array, order=order or "K")
    return as_dpnp(result if out is None else out)


def _is_python_real(x: object) -> bool:
    return x is None or type(x) in (float, int)


def _is_beyond_int64(x: object) -> bool:
    return type(x) is int and not -(2**63) <= x < 2**63


def _number(name: str, x: object) -> float:
    x = as_numbers(x)
    if not isinstance(x, (int, float)):
        raise TypeError(f"nan_to_num: {name} must be a real number, got {type(x).__name__}")
    return x


def nan_to_num(
    x: object, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> dpnp_ndarray:
    """Return numbers with NaN and infinities replaced by finite numbers.

    Parameters
    ----------
    x : ndarray, usm_ndarray or number
        Numbers. Real and imaginary parts are treated separately.
    copy : bool, optional
        Whether the result is a new array. False: `x` is changed in place.
    nan, posinf, neginf : float, optional
        The replacements. Default for infinities: the largest and the smallest finite number.

    Raises
    ------
    ValueError
        When `x` is read-only and copy=False.

    Examples
    --------
    >>> import dpnp as np
    >>> np.nan_to_num(np.array([1.0, np.nan, np.inf]), posinf=9)
    array([1., 0., 9.])
    """
    result = array_or_number("nan_to_num", x)
    nan = _number("nan", nan)
    if result.dtype.kind not in "fc":
        return as_dpnp(dpt.copy(result)) if copy else result
    if not copy and not result.flags.writable:
        raise ValueError("nan_to_num: the array is read-only, which copy=False does not support")
    limits = numpy.finfo(result.dtype)
    posinf = float(limits.max) if posinf is None else _number("posinf", posinf)
    neginf = float(limits.min) if neginf is None else _number("neginf", neginf)
    result = dpt.copy(result) if copy else result
    for part in (result.real, result.imag) if result.dtype.kind == "c" else (result,):
        finite = dpt.where(part == math.inf, posinf, dpt.where(part == -math.inf, neginf, part))
        part[...] = dpt.where(bound.isnan(part), nan, finite)
    return result


def real_if_close(a: object, tol: float = 100) -> dpnp_ndarray:
    """Return the real parts of complex numbers if all imaginary parts are close to 0, else the array.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Numbers.
    tol : float, optional
        The tolerance: in multiples of the dtype's eps, or absolute when it is at most 1.

    Examples
    --------
    >>> import dpnp as np
    >>> np.real_if_close(np.array([1 + 1e-20j]))
    array([1.])
    """
    a = checked_array("real_if_close", a)
    if a.dtype.kind != "c":
        return a
    if not numpy.isscalar(tol):
        raise TypeError(f"real_if_close: tol must be a number, got {type(tol).__name__}")
    if tol > 1:
        tol = float(numpy.finfo(a.dtype).eps) * tol
    return a.real if bool(bound.all(bound.abs(a.imag) < tol)) else a
