"""Differences of neighbours, and what is made of them: gradients and integrals."""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp

from dpnp._shapes import ravel
from dpnp._support import beside, check_supported_arrays_type, default_float_type, place_of

__all__ = ["diff", "ediff1d", "gradient", "trapezoid", "unwrap"]


def diff(a: object, n: int = 1, axis: int = -1, prepend: object = None, append: object = None) -> dpnp_ndarray:
    """Return the differences of neighbours along an axis, of these the differences again, n times.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    n : int, optional
        How often.
    axis : int, optional
        Along which axis.
    prepend, append : ndarray, usm_ndarray or number, optional
        What comes before and after the elements first.

    Examples
    --------
    >>> import dpnp as np
    >>> np.diff(np.array([1, 2, 4, 7]))
    array([1, 2, 3])
    """
    check_supported_arrays_type(a)
    for edge in (prepend, append):
        if edge is not None:
            check_supported_arrays_type(edge, scalar_type=True, all_scalars=True)
    return as_dpnp(dpt.diff(as_dpnp(a), axis=axis, n=n, prepend=prepend, append=append))


def _edge(name: str, values: object, a: dpnp_ndarray) -> dpnp_ndarray:
    place_of(a, values)
    values = beside(values, a)
    if not numpy.can_cast(values.dtype, a.dtype, casting="same_kind"):
        raise TypeError(f"ediff1d: {name} cannot be cast from {values.dtype} to the array's {a.dtype}")
    return dpt.astype(ravel(values), a.dtype, copy=False)


def ediff1d(ary: object, to_end: object = None, to_begin: object = None) -> dpnp_ndarray:
    """Return the differences of neighbours of all elements, one after another, between values for the ends.

    Parameters
    ----------
    ary : ndarray or usm_ndarray
        The array.
    to_end, to_begin : array_like, optional
        What comes after and before the differences.

    Examples
    --------
    >>> import dpnp as np
    >>> np.ediff1d(np.array([1, 2, 4]), to_begin=-9)
    array([-9,  1,  2])
    """
    check_supported_arrays_type(ary)
    flat = ravel(ary)
    parts = [bound.subtract(flat[1:], flat[:-1])]
    if to_begin is not None:
        parts.insert(0, _edge("to_begin", to_begin, flat))
    if to_end is not None:
        parts.append(_edge("to_end", to_end, flat))
    return parts[0] if len(parts) == 1 else dpt.concat(parts)


def trapezoid(y: object, x: object = None, dx: object = 1.0, axis: int = -1) -> dpnp_ndarray:
    """Return the integral along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : ndarray or usm_ndarray
        Values of the function.
    x : ndarray or usm_ndarray, optional
        Where they are; of one axis, or of the shape of `y`.
    dx : float, optional
        Their distance, when `x` is not given.
    axis : int, optional
        Along which axis.

    Examples
    --------
    >>> import dpnp as np
    >>> np.trapezoid(np.array([1, 2, 3]), dx=2)
    array(8.)
    """
    check_supported_arrays_type(y)
    y = dpt.moveaxis(as_dpnp(y), axis, -1)
    if x is None:
        width = dx
    else:
        check_supported_arrays_type(x)
        width = dpt.diff(as_dpnp(x) if x.ndim == 1 else dpt.moveaxis(as_dpnp(x), axis, -1))
    return bound.sum(width * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


def _spacings(f: dpnp_ndarray, axes: tuple[int, ...], given: tuple[object, ...]) -> list[object]:
    """For each axis a number, or an array of distances of neighbours that are not all the same."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and numpy.ndim(given[0]) == 0:
        given *= len(axes)
    if len(given) != len(axes):
        raise TypeError(f"gradient: {len(given)} distances for {len(axes)} axes")
    spacings = []
    for axis, distance in zip(axes, given, strict=True):
        if numpy.isscalar(distance) or getattr(distance, "ndim", 1) == 0:
            spacings.append(distance)
            continue
        check_supported_arrays_type(distance)
        distance = as_dpnp(distance)
        if distance.ndim != 1:
            raise ValueError("gradient: distances must be scalars or 1d arrays")
        if distance.shape[0] != f.shape[axis]:
            raise ValueError(f"gradient: {distance.shape[0]} places for an axis of length {f.shape[axis]}")
        if distance.dtype.kind in "iu":
            distance = dpt.astype(distance, default_float_type(sycl_queue=f.sycl_queue))
        steps = dpt.diff(distance)
        even = steps.size == 0 or bool(bound.all(steps == steps[0]))
        spacings.append(steps[0] if even and steps.size else steps)
    return spacings


def _along_last_axis(f: dpnp_ndarray, h: object, edge_order: int) -> dpnp_ndarray:
    """The derivative along the last axis, of second order inside: Fornberg's weights for places at any distances."""
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
    """Return the derivatives of a function along axes, of second order inside, by its values on a grid.

    Parameters
    ----------
    f : ndarray or usm_ndarray
        The values.
    *varargs : number or ndarray, optional
        The distance of neighbours: one for all axes, or one for each, or the places along each axis.
    axis : int or tuple of int, optional
        Which axes; None is all of them.
    edge_order : {1, 2}, optional
        Order of the differences at the edges.

    Returns
    -------
    ndarray or tuple of ndarray
        A tuple for several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.gradient(np.array([1.0, 2.0, 4.0, 7.0]))
    array([1. , 1.5, 2.5, 3. ])
    """
    check_supported_arrays_type(f)
    f = as_dpnp(f)
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
                f"gradient: an axis of length {f.shape[along]} is too short, it must have {edge_order + 1} at least"
            )
        place_of(f, spacing)
        slope = _along_last_axis(dpt.moveaxis(f, along, -1), spacing, edge_order)
        results.append(dpt.copy(dpt.moveaxis(dpt.astype(slope, dtype, copy=False), -1, along), order="C"))
    return results[0] if len(results) == 1 else tuple(results)


def unwrap(p: object, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi) -> dpnp_ndarray:
    """Return numbers that are known only up to a period, such as angles, so that neighbours are near each other.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The numbers.
    discont : float, optional
        Neighbours that are not further apart are left so; half a period at least.
    axis : int, optional
        Along which axis.
    period : float, optional
        The period.

    Examples
    --------
    >>> import dpnp as np
    >>> np.unwrap(np.array([0, 1, 2, -1, 0]), period=4)
    array([0, 1, 2, 3, 4])
    """
    check_supported_arrays_type(p)
    p = as_dpnp(p)
    steps = diff(p, axis=axis)
    dtype = dpt.result_type(steps, period)
    whole = dtype.kind in "iu"
    high, odd = divmod(period, 2) if whole else (period / 2, 0)
    near = bound.remainder(steps + high, period) - high
    if not odd:  # half a period may be taken up or down: as it was
        near = dpt.where(bound.logical_and(near == -high, steps > 0), high, near)
    correction = dpt.where(bound.abs(steps) < (period / 2 if discont is None else discont), 0, near - steps)
    correction = dpt.astype(bound.cumsum(correction, axis=axis), dtype, copy=False)
    lead = (slice(None),) * (axis % p.ndim)
    first = dpt.astype(p[(*lead, slice(0, 1))], dtype, copy=False)
    return dpt.concat([first, bound.add(p[(*lead, slice(1, None))], correction)], axis=axis)
