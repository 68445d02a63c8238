"""Differences of neighbouring elements, gradients, integrals and phase unwrapping."""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, check_numbers, checked_array, placed_like, placement_of

from dpnp._shapes import ravel
from dpnp._support import default_float_type

__all__ = ["diff", "ediff1d", "gradient", "trapezoid", "unwrap"]


def diff(a: object, n: int = 1, axis: int = -1, prepend: object = None, append: object = None) -> dpnp_ndarray:
    """Return the n-th differences of neighbouring elements along an axis.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    n : int, optional
        How many times differences are taken.
    axis : int, optional
        The axis.
    prepend, append : ndarray, usm_ndarray or number, optional
        Values to put before and after the elements along the axis first.

    Examples
    --------
    >>> import dpnp as np
    >>> np.diff(np.array([1, 2, 4, 7]))
    array([1, 2, 3])
    """
    a = checked_array("diff", a)
    for edge in (prepend, append):
        if edge is not None:
            check_numbers("diff", edge)
    if n == 0:
        return a
    prepend, append = (edge if edge is None else placed_like(edge, a) for edge in (prepend, append))
    return dpt.diff(a, axis=axis, n=n, prepend=prepend, append=append)  # as in NumPy, numbers have their default types


def _edge(argument: str, values: object, a: dpnp_ndarray) -> dpnp_ndarray:
    placement_of("ediff1d", a, values)
    values = placed_like(values, a)
    if not numpy.can_cast(values.dtype, a.dtype, casting="same_kind"):
        raise TypeError(
            f"ediff1d: {argument} of dtype {values.dtype} cannot be cast to the array's {a.dtype} "
            "with casting='same_kind'"
        )
    return dpt.astype(ravel(values), a.dtype, copy=False)


def ediff1d(ary: object, to_end: object = None, to_begin: object = None) -> dpnp_ndarray:
    """Return the differences of neighbouring elements of the flattened array, between values for the ends.

    Parameters
    ----------
    ary : ndarray or usm_ndarray
        The array.
    to_end, to_begin : array_like, optional
        Values to put after and before the differences.

    Examples
    --------
    >>> import dpnp as np
    >>> np.ediff1d(np.array([1, 2, 4]), to_begin=-9)
    array([-9,  1,  2])
    """
    check_arrays("ediff1d", ary)
    flat = ravel(ary)
    begin = [] if to_begin is None else [_edge("to_begin", to_begin, flat)]
    end = [] if to_end is None else [_edge("to_end", to_end, flat)]
    differences = bound.subtract(flat[1:], flat[:-1])
    return dpt.concat([*begin, differences, *end]) if begin or end else differences


def trapezoid(y: object, x: object = None, dx: object = 1.0, axis: int = -1) -> dpnp_ndarray:
    """Return the integral along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : ndarray or usm_ndarray
        Values of the function.
    x : ndarray or usm_ndarray, optional
        The sample points: of one axis, or of the shape of `y`.
    dx : float, optional
        The distance of sample points when `x` is None.
    axis : int, optional
        The axis.

    Examples
    --------
    >>> import dpnp as np
    >>> np.trapezoid(np.array([1, 2, 3]), dx=2)
    array(8.)
    """
    check_arrays("trapezoid", y)
    y = dpt.moveaxis(as_dpnp(y), axis, -1)
    if x is None:
        width = dx
    else:
        check_arrays("trapezoid", x)
        width = dpt.diff(as_dpnp(x) if x.ndim == 1 else dpt.moveaxis(as_dpnp(x), axis, -1))
    return bound.sum(width * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


def _spacings(f: dpnp_ndarray, axes: tuple[int, ...], given: tuple[object, ...]) -> list[object]:
    """For each axis the distance of sample points: a number, or an array if they are not equidistant."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and numpy.ndim(given[0]) == 0:
        given *= len(axes)
    if len(given) != len(axes):
        raise TypeError(f"gradient: expected one spacing or one for each of {len(axes)} axes, got {len(given)}")
    spacings = []
    for axis, distance in zip(axes, given, strict=True):
        if numpy.isscalar(distance) or getattr(distance, "ndim", 1) == 0:
            spacings.append(distance)
            continue
        distance = checked_array("gradient", distance)
        if distance.ndim != 1:
            raise ValueError(f"gradient: distances must be scalars or 1d arrays, got {distance.ndim} dimensions")
        if distance.shape[0] != f.shape[axis]:
            raise ValueError(
                f"gradient: expected as many sample points as the axis' length {f.shape[axis]}, got {distance.shape[0]}"
            )
        if distance.dtype.kind in "iu":
            distance = dpt.astype(distance, default_float_type(sycl_queue=f.sycl_queue))
        steps = dpt.diff(distance)
        even = steps.size == 0 or bool(bound.all(steps == steps[0]))
        spacings.append(steps[0] if even and steps.size else steps)
    return spacings


def _along_last_axis(f: dpnp_ndarray, h: object, edge_order: int) -> dpnp_ndarray:
    """The derivative along the last axis, of second order inside: Fornberg's weights for arbitrary sample points."""
    if numpy.isscalar(h) or h.ndim == 0:
        inside = (f[..., 2:] - f[..., :-2]) / (2.0 * h)
        first = last = h
        second = second_last = h
    else:
        before, after = h[:-1], h[1:]
        inside = (
            f[..., :-2] * (-after / (before * (before + after)))
            + f[..., 1:-1] * ((after - before) / (before * after))
            + f[..., 2:] * (before / (after * (before + after)))
        )
        first, last = h[0], h[-1]
        second, second_last = (h[1], h[-2]) if h.size > 1 else (first, last)
    if edge_order == 1:
        start = (f[..., 1:2] - f[..., :1]) / first
        end = (f[..., -1:] - f[..., -2:-1]) / last
    else:
        both = first + second
        start = (
            f[..., :1] * (-(2.0 * first + second) / (first * both))
            + f[..., 1:2] * (both / (first * second))
            + f[..., 2:3] * (-first / (second * both))
        )
        both = last + second_last
        end = (
            f[..., -3:-2] * (last / (second_last * both))
            + f[..., -2:-1] * (-both / (last * second_last))
            + f[..., -1:] * ((2.0 * last + second_last) / (last * both))
        )
    return dpt.concat([start, inside, end], axis=-1)


def gradient(
    f: object, *varargs: object, axis: int | tuple[int, ...] | None = None, edge_order: int = 1
) -> dpnp_ndarray | tuple[dpnp_ndarray, ...]:
    """Return the derivatives along axes of a function given by its values on a grid, of second order inside.

    Parameters
    ----------
    f : ndarray or usm_ndarray
        The values.
    *varargs : number or ndarray, optional
        Distance of grid points: one number for all axes, or for each axis a number or the sample points.
    axis : int or tuple of int, optional
        The axes; all when None.
    edge_order : {1, 2}, optional
        Order of accuracy at the edges.

    Returns
    -------
    ndarray or tuple of ndarray
        A tuple when there are several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.gradient(np.array([1.0, 2.0, 4.0, 7.0]))
    array([1. , 1.5, 2.5, 3. ])
    """
    f = checked_array("gradient", f)
    if f.dtype.kind == "b":
        raise TypeError("gradient: not defined for bools")
    axes = tuple(range(f.ndim)) if axis is None else normalize_axis_tuple(axis, f.ndim)
    spacings = _spacings(f, axes, varargs)
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order must be 1 or 2, got {edge_order}")
    dtype = f.dtype if f.dtype.kind in "fc" else default_float_type(sycl_queue=f.sycl_queue)
    f = dpt.astype(f, dtype, copy=False)
    results = []
    for along, spacing in zip(axes, spacings, strict=True):
        if f.shape[along] < edge_order + 1:
            raise ValueError(
                f"gradient: an axis of length {f.shape[along]} is too short; it must be at least {edge_order + 1}"
            )
        placement_of("gradient", f, spacing)
        slope = _along_last_axis(dpt.moveaxis(f, along, -1), spacing, edge_order)
        results.append(dpt.copy(dpt.moveaxis(dpt.astype(slope, dtype, copy=False), -1, along), order="C"))
    return results[0] if len(results) == 1 else tuple(results)


def unwrap(p: object, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi) -> dpnp_ndarray:
    """Return numbers, such as angles, changed by multiples of a period so that neighbours differ by at most half.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The numbers.
    discont : float, optional
        The greatest difference of neighbours that is not changed; at least half a period.
    axis : int, optional
        The axis.
    period : float, optional
        The period.

    Examples
    --------
    >>> import dpnp as np
    >>> np.unwrap(np.array([0, 1, 2, -1, 0]), period=4)
    array([0, 1, 2, 3, 4])
    """
    p = checked_array("unwrap", p)
    steps = diff(p, axis=axis)
    dtype = dpt.result_type(steps, period)
    whole = dtype.kind in "iu"
    high, odd = divmod(period, 2) if whole else (period / 2, 0)
    near = bound.remainder(steps + high, period) - high
    if not odd:  # a difference of exactly half a period keeps its sign
        near = dpt.where(bound.logical_and(near == -high, steps > 0), high, near)
    correction = dpt.where(bound.abs(steps) < (period / 2 if discont is None else discont), 0, near - steps)
    correction = dpt.astype(bound.cumsum(correction, axis=axis), dtype, copy=False)
    lead = (slice(None),) * (axis % p.ndim)
    first = dpt.astype(p[(*lead, slice(0, 1))], dtype, copy=False)
    return dpt.concat([first, bound.add(p[(*lead, slice(1, None))], correction)], axis=axis)
