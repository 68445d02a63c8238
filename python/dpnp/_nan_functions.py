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
from dpep._array.dpnp import as_dpnp

from dpnp._reductions import spread_function, var
from dpnp._support import check_limitations, check_supported_arrays_type, delivered, named

__all__ = [
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum",
    "nanvar",
]  # fmt: skip

_Axes = int | tuple[int, ...] | None


def _without_nan(a: object, neutral: float) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    """The array with a neutral value for NaN, and the mask of NaN; None for dtypes without NaN."""
    check_supported_arrays_type(a)
    a = as_dpnp(a)
    if a.dtype.kind not in "fc":
        return a, None
    absent = bound.isnan(a)
    return dpt.where(absent, neutral, a), absent


def _total(name: str, neutral: float, documentation: str) -> Callable[..., dpnp_ndarray]:
    """Create nansum or nanprod."""
    plain = getattr(bound, name)

    def function(
        a: object,
        axis: _Axes = None,
        dtype: object = None,
        out: object = None,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
    ) -> dpnp_ndarray:
        return plain(_without_nan(a, neutral)[0], axis, dtype, out, keepdims, initial, where)

    return named(function, "nan" + name, documentation)


nansum = _total(
    "sum",
    0.0,
    """Return the sum over axes of elements that are not NaN. The arguments are those of `sum`.

    >>> import dpnp as np
    >>> np.nansum(np.array([1.0, np.nan, 2.0]))
    array(3.)
    """,
)
nanprod = _total(
    "prod",
    1.0,
    """Return the product over axes of elements that are not NaN. The arguments are those of `prod`.

    >>> import dpnp as np
    >>> np.nanprod(np.array([3.0, np.nan, 2.0]))
    array(6.)
    """,
)


def _running_total(name: str, neutral: float, documentation: str) -> Callable[..., dpnp_ndarray]:
    """Create nancumsum or nancumprod."""
    plain = getattr(bound, name)

    def function(a: object, axis: int | None = None, dtype: object = None, out: object = None) -> dpnp_ndarray:
        return plain(_without_nan(a, neutral)[0], axis, dtype, out)

    return named(function, "nan" + name, documentation)


nancumsum = _running_total(
    "cumsum",
    0.0,
    """Return the cumulative sums of elements, with 0 for NaN. The arguments are those of `cumsum`.

    >>> import dpnp as np
    >>> np.nancumsum(np.array([1.0, np.nan, 2.0]))
    array([1., 1., 3.])
    """,
)
nancumprod = _running_total(
    "cumprod",
    1.0,
    """Return the cumulative products of elements, with 1 for NaN. The arguments are those of `cumprod`.

    >>> import dpnp as np
    >>> np.nancumprod(np.array([3.0, np.nan, 2.0]))
    array([3., 3., 6.])
    """,
)


def _extreme(name: str, neutral: float, documentation: str) -> Callable[..., dpnp_ndarray]:
    """Create nanmax or nanmin."""
    plain = getattr(bound, name)

    def function(
        a: object,
        axis: _Axes = None,
        out: object = None,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
    ) -> dpnp_ndarray:
        check_limitations(initial=initial, where=where)
        values, absent = _without_nan(a, neutral)
        result = plain(values, axis=axis, keepdims=keepdims)
        if absent is not None:
            all_nan = bound.all(absent, axis=axis, keepdims=keepdims)
            if bool(bound.any(all_nan)):
                warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=2)
            result = dpt.where(all_nan, math.nan, result)
        return delivered(result, out)

    return named(function, "nan" + name, documentation)


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
    plain = getattr(bound, name)

    def function(a: object, axis: int | None = None, out: object = None, *, keepdims: bool = False) -> dpnp_ndarray:
        values, absent = _without_nan(a, neutral)
        if absent is not None and bool(bound.any(bound.all(absent, axis=axis))):
            raise ValueError("All-NaN slice encountered")
        return plain(values, axis=axis, out=out, keepdims=keepdims)

    return named(function, "nan" + name, documentation)


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


def _check_inexact(dtype: object, out: object) -> None:
    if dtype is not None and numpy.dtype(dtype).kind not in "fc":
        raise TypeError(f"for an array of floating-point numbers, dtype must be one, too, got {numpy.dtype(dtype)}")
    if out is not None:
        check_supported_arrays_type(out)
        if out.dtype.kind not in "fc":
            raise TypeError(f"for an array of floating-point numbers, out must have such a dtype, too, got {out.dtype}")


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
    check_limitations(where=where)
    values, absent = _without_nan(a, 0.0)
    if absent is None:
        return bound.mean(values, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    _check_inexact(dtype, out)
    total = bound.sum(values, axis=axis, dtype=dtype, keepdims=keepdims)
    count = bound.sum(bound.logical_not(absent), axis=axis, dtype=total.real.dtype, keepdims=keepdims)
    return delivered(total / count, out)


def _spread(
    root: bool, a: object, axis: _Axes, dtype: object, out: object, ddof: float, keepdims: bool, mean: object
) -> dpnp_ndarray:
    """The variance, or with `root` the standard deviation."""
    values, absent = _without_nan(a, 0.0)
    if absent is None:
        result = var(values, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, mean=mean)
        return delivered(bound.sqrt(result) if root else result, out)
    _check_inexact(dtype, out)
    present = bound.logical_not(absent)
    if mean is None:
        count = bound.sum(present, axis=axis, dtype=values.real.dtype, keepdims=True)
        mean = bound.sum(values, axis=axis, dtype=dtype, keepdims=True) / count
    deviation = dpt.where(absent, 0.0, values - as_dpnp(mean))
    if deviation.dtype.kind == "c":
        square = bound.square(deviation.real) + bound.square(deviation.imag)
    else:
        square = bound.square(deviation)
    total = bound.sum(square, axis=axis, dtype=dtype, keepdims=keepdims)
    remaining = bound.sum(present, axis=axis, dtype=total.real.dtype, keepdims=keepdims) - ddof
    result = dpt.where(remaining <= 0, math.nan, total / remaining)
    return delivered(bound.sqrt(result) if root else result, out)


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
