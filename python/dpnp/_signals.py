"""Convolutions, correlations and interpolation."""

from __future__ import annotations

import numbers

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import (
    check_arrays,
    checked_array,
    convolutions,
    correlations,
    interpolate,
    placed_like,
    placement_of,
)

from dpnp._support import common_kind, default_float_type

__all__ = ["convolve", "correlate", "interp"]


def convolve(a: object, v: object, mode: str = "full", method: str = "auto") -> dpnp_ndarray:
    """Return the discrete convolution of two arrays with one axis.

    Parameters
    ----------
    a, v : ndarray or usm_ndarray
        The arrays.
    mode : {'full', 'same', 'valid'}, optional
        Whether to return all len(a) + len(v) - 1 elements, the middle ones, as many as the longer array has, or those
        for which the arrays overlap completely.
    method : {'auto', 'direct', 'fft'}, optional
        The algorithm: sums of products, or Fourier transforms, which are faster for long arrays of floating-point
        numbers. Their error is relative to the largest elements, not to each element. "auto" uses them where they take
        less than half the time and all numbers are finite, from about 2,000 elements of the shorter array on. With
        "fft", integers are transformed as floating-point numbers, and the results rounded.

    Returns
    -------
    ndarray
        The convolution, in the dtype that both arrays are promoted to.

    Raises
    ------
    TypeError
        When `a` or `v` is not an array.
    ValueError
        For arrays that are empty or have several axes, and an unknown mode or method.

    Examples
    --------
    >>> import dpnp as np
    >>> np.convolve(np.array([1, 2, 3]), np.array([0, 1, 5]))
    array([ 0,  1,  7, 13, 15])
    """
    return convolutions(a, v, mode, method)


def correlate(a: object, v: object, mode: str = "valid", method: str = "auto") -> dpnp_ndarray:
    """Return the cross-correlation of two arrays with one axis: sums of a[n + k] * conj(v[n]) over n.

    The arguments are those of `convolve`.

    >>> import dpnp as np
    >>> np.correlate(np.array([1, 2, 3]), np.array([0, 1, 5]), "same")
    array([11, 17,  3])
    """
    if not getattr(a, "ndim", 1) or not getattr(v, "ndim", 1):
        raise ValueError("correlate: expected arrays with one axis, got one without axes")
    made = correlations(a, v, mode, method)
    return made if made.flags.c_contiguous else dpt.copy(made, order="C")  # it is reversed if v is longer than a


def _number(x: object) -> object:
    """The element of a 0-d array, or the number."""
    if not isinstance(x, array_base):
        return x
    if x.ndim:
        raise ValueError(f"interp: left, right and period must be numbers or 0-d arrays, got shape {x.shape}")
    return x.item()


def interp(
    x: object, xp: object, fp: object, left: object = None, right: object = None, period: object = None
) -> dpnp_ndarray:
    """Return the values at `x` of the function that is linear between the points (xp, fp).

    Parameters
    ----------
    x : ndarray, usm_ndarray or number
        Where to evaluate the function, real numbers.
    xp : ndarray or usm_ndarray
        The points, in an array with one axis, which must increase unless there is a period.
    fp : ndarray or usm_ndarray
        The values at the points, real or complex numbers.
    left, right : number, optional
        The values before the first point and behind the last one; by default those of these points.
    period : float, optional
        The period of the function. `left` and `right` have no effect then.

    Returns
    -------
    ndarray
        Values in the shape of `x`, of the default floating-point dtype, or the complex one for complex `fp`.

    Raises
    ------
    TypeError
        When `xp` or `fp` is not an array, and for complex `x` or `xp`.
    ValueError
        For points that are none, have not one axis, or are not as many as the values, and for a period of 0.

    Examples
    --------
    >>> import dpnp as np
    >>> np.interp(np.array([1.5, 2.5, 9]), np.array([1, 2, 3]), np.array([3, 2, 0]))
    array([2.5, 1. , 0. ])
    """
    if not isinstance(x, array_base) and isinstance(x, numbers.Number):
        check_arrays("interp", xp, fp)
        x = placed_like(x, xp)
    check_arrays("interp", x, xp, fp)
    if isinstance(left, array_base) or isinstance(right, array_base):
        x = common_kind("interp", x, xp, fp, left, right)
        left, right = _number(left), _number(right)
    if period is None:
        return interpolate(x, xp, fp, left, right)
    period = abs(_number(period))
    if period == 0:
        raise ValueError("interp: period must be a non-zero value")
    placement_of("interp", x, xp, fp)
    x, xp, fp = (checked_array("interp", a) for a in (x, xp, fp))
    if xp.ndim != 1 or fp.ndim != 1 or xp.shape != fp.shape:
        raise ValueError(f"interp: xp and fp must have one axis of the same length, got shapes {xp.shape}, {fp.shape}")
    dtype = default_float_type(x.sycl_device)
    x, xp = (bound.remainder(dpt.astype(a, dtype, copy=False), period) for a in (x, xp))
    order = dpt.argsort(xp)
    xp, fp = xp[order], fp[order]
    xp = dpt.concat((xp[-1:] - period, xp, xp[:1] + period))
    fp = dpt.concat((fp[-1:], fp, fp[:1]))
    return interpolate(x, xp, fp, None, None)
