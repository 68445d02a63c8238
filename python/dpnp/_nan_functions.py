"""Reductions that ignore NaN: ordinary reductions of arrays in which a neutral element replaces NaN."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, store_result

from dpnp._reductions import spread_function, var
from dpnp._support import named

__all__ = [
    "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmin", "nanstd", "nanvar",
]  # fmt: skip

_Axes = int | tuple[int, ...] | None


def _without_nan(name: str, a: object, neutral: float) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    """The array with a neutral value for NaN, and the mask of NaN; None for dtypes without NaN."""
    a = checked_array(name, a)
    if a.dtype.kind not in "fc":
        return a, None
    absent = bound.isnan(a)
    return dpt.where(absent, neutral, a), absent


def _extreme(name: str, neutral: float, documentation: str) -> Callable[..., dpnp_ndarray]:
    """Create nanmax or nanmin."""
    plain, name = getattr(bound, name), f"nan{name}"

    def function(
        a: object,
        axis: _Axes = None,
        out: object = None,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
    ) -> dpnp_ndarray:
        values, absent = _without_nan(name, a, neutral)
        result = plain(values, axis=axis, keepdims=keepdims, initial=initial, where=where)
        if absent is not None and initial is None:
            all_nan = bound.all(absent, axis=axis, keepdims=keepdims, where=where)
            if bool(bound.any(all_nan)):
                warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=2)
            result = dpt.where(all_nan, math.nan, result)
        return store_result(name, result, out)

    return named(function, name, documentation)


nanmax = _extreme(
    "max",
    -math.inf,
    """Return the largest element over axes, ignoring NaN; NaN with a RuntimeWarning where all elements are NaN.

    The arguments are those of `max`.

    >>> import dpnp as np
    >>> np.nanmax(np.array([1.0, np.nan, 2.0]))
    array(2.)
    """,
)
nanmin = _extreme(
    "min",
    math.inf,
    """Return the smallest element over axes, ignoring NaN; NaN with a RuntimeWarning where all elements are NaN.

    The arguments are those of `min`.

    >>> import dpnp as np
    >>> np.nanmin(np.array([1.0, np.nan, 2.0]))
    array(1.)
    """,
)


def _search(name: str, neutral: float, documentation: str) -> Callable[..., dpnp_ndarray]:
    """Create nanargmax or nanargmin."""
    plain, name = getattr(bound, name), f"nan{name}"

    def function(a: object, axis: int | None = None, out: object = None, *, keepdims: bool = False) -> dpnp_ndarray:
        values, absent = _without_nan(name, a, neutral)
        if absent is not None and bool(bound.any(bound.all(absent, axis=axis))):
            raise ValueError(f"{name}: All-NaN slice encountered")
        return plain(values, axis=axis, out=out, keepdims=keepdims)

    return named(function, name, documentation)


nanargmax = _search(
    "argmax",
    -math.inf,
    """Return the index of the largest element, ignoring NaN. Raises ValueError where all elements are NaN.

    The arguments are those of `argmax`.

    >>> import dpnp as np
    >>> np.nanargmax(np.array([1.0, np.nan, 2.0]))
    array(2)
    """,
)
nanargmin = _search(
    "argmin",
    math.inf,
    """Return the index of the smallest element, ignoring NaN. Raises ValueError where all elements are NaN.

    The arguments are those of `argmin`.

    >>> import dpnp as np
    >>> np.nanargmin(np.array([1.0, np.nan, 2.0]))
    array(0)
    """,
)


def _check_inexact(name: str, dtype: object, out: object) -> None:
    if dtype is not None and numpy.dtype(dtype).kind not in "fc":
        raise TypeError(
            f"{name}: for an array of floating-point numbers, dtype must be one, too, got {numpy.dtype(dtype)}"
        )
    if out is not None:
        check_arrays(name, out)
        if out.dtype.kind not in "fc":
            raise TypeError(
                f"{name}: for an array of floating-point numbers, out must have such a dtype, too, got {out.dtype}"
            )


def nanmean(
    a: object,
    axis: _Axes = None,
    dtype: object = None,
    out: object = None,
    keepdims: bool = False,
    *,
    where: object = True,
) -> dpnp_ndarray:
    """Return the mean over axes of elements that are not NaN. The arguments are those of `mean`.

    >>> import dpnp as np
    >>> np.nanmean(np.array([1.0, np.nan, 2.0]))
    array(1.5)
    """
    values, absent = _without_nan("nanmean", a, 0.0)
    if absent is None:
        return bound.mean(values, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where)
    _check_inexact("nanmean", dtype, out)
    total = bound.sum(values, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    present = bound.logical_not(absent)
    count = bound.sum(present, axis=axis, dtype=total.real.dtype, keepdims=keepdims, where=where)
    return store_result("nanmean", total / count, out)


def _spread(
    root: bool,
    name: str,
    a: object,
    axis: _Axes,
    dtype: object,
    out: object,
    ddof: float,
    keepdims: bool,
    mean: object,
    where: object,
) -> dpnp_ndarray:
    """The variance, or with `root` the standard deviation."""
    values, absent = _without_nan(name, a, 0.0)
    if absent is None:
        result = var(values, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, mean=mean, where=where)
        return store_result(name, bound.sqrt(result) if root else result, out)
    _check_inexact(name, dtype, out)
    present = bound.logical_not(absent)
    if mean is None:
        count = bound.sum(present, axis=axis, dtype=values.real.dtype, keepdims=True, where=where)
        mean = bound.sum(values, axis=axis, dtype=dtype, keepdims=True, where=where) / count
    deviation = dpt.where(absent, 0.0, values - as_dpnp(mean))
    if deviation.dtype.kind == "c":
        square = bound.square(deviation.real) + bound.square(deviation.imag)
    else:
        square = bound.square(deviation)
    total = bound.sum(square, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    remaining = bound.sum(present, axis=axis, dtype=total.real.dtype, keepdims=keepdims, where=where) - ddof
    result = dpt.where(remaining <= 0, math.nan, total / remaining)
    return store_result(name, bound.sqrt(result) if root else result, out)


nanvar = spread_function(
    "nanvar",
    functools.partial(_spread, False),
    """Return the variance over axes of elements that are not NaN. The arguments are those of `var`.

    >>> import dpnp as np
    >>> np.nanvar(np.array([1.0, np.nan, 3.0]))
    array(1.)
    """,
)
nanstd = spread_function(
    "nanstd",
    functools.partial(_spread, True),
    """Return the standard deviation over axes of elements that are not NaN. The arguments are those of `var`.

    >>> import dpnp as np
    >>> np.nanstd(np.array([1.0, np.nan, 3.0]))
    array(1.)
    """,
)
