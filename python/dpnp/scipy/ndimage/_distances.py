"""Distances to the nearest background: distance_transform_edt.

Squares of distances are minimised along one axis after another. Along the first one, the nearest background is the last
one before or the first one after an element: two scans. Along the others, squares of elements at growing offsets are
compared, until the offset alone exceeds all squares; so the work grows with the largest distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp

import dpnp
from dpnp.scipy.ndimage._arguments import input_array, line, per_axis, real_of

__all__ = ["distance_transform_edt"]

_BATCH = 8  # offsets that are compared between two looks at the largest square


def _positions(x: dpnp_ndarray, axis: int) -> dpnp_ndarray:
    """The indices of elements along an axis, which are broadcast to x."""
    n = x.shape[axis]
    ramp = dpnp.arange(n, dtype="i8", usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    return dpnp.reshape(ramp, line(x.ndim, axis, n))


def _nearest_in_lines(inside: dpnp_ndarray, step: float) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The squares of distances to the background in the same line of the first axis, and its indices."""
    n, at = inside.shape[0], _positions(inside, 0)
    last = bound.maximum.accumulate(dpnp.where(inside, -1, at), axis=0)
    following = dpnp.flip(bound.minimum.accumulate(dpnp.flip(dpnp.where(inside, n, at), axis=0), axis=0), axis=0)
    is_before = (last >= 0) & ((following == n) | (at - last <= following - at))
    index = dpnp.where(is_before, last, following)
    apart = dpnp.astype(index - at, real_of(inside)) * step
    return dpnp.where(index == n, numpy.inf, apart * apart), index


def _nearest_of_lines(
    squares: dpnp_ndarray, axis: int, step: float, offsets: dpnp_ndarray | None
) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    """The least sums of a square along the axis and that of the distance to it, and the offsets of these squares."""
    n = squares.shape[axis]
    borders = [(n - 1, n - 1) if i == axis else (0, 0) for i in range(squares.ndim)]
    whole = dpnp.pad(squares, borders, constant_values=numpy.inf)
    along, least = (slice(None),) * axis, squares
    for start in range(1, n, _BATCH):
        if (start * step) ** 2 >= float(bound.max(least)):
            break
        for k in range(start, min(start + _BATCH, n)):
            for offset in (-k, k):
                there = whole[(*along, slice(n - 1 + offset, 2 * n - 1 + offset))] + (k * step) ** 2
                if offsets is not None:
                    offsets = dpnp.where(there < least, offset, offsets)
                least = bound.minimum(least, there)
    return least, offsets


def _transformed(
    inside: dpnp_ndarray, steps: list[float], with_indices: bool
) -> tuple[dpnp_ndarray, list[dpnp_ndarray]]:
    """The squares of distances, and, if they are wanted, the indices of the nearest background along each axis."""
    squares, index = _nearest_in_lines(inside, steps[0])
    if not math.isfinite(float(bound.min(squares))):
        return squares, [dpnp.full_like(index, -1)] * inside.ndim
    indices = [index]
    for axis in range(1, inside.ndim):
        offsets = dpnp.zeros_like(index) if with_indices else None
        squares, offsets = _nearest_of_lines(squares, axis, steps[axis], offsets)
        if offsets is not None:
            there = offsets + _positions(inside, axis)
            indices = [dpnp.take_along_axis(each, there, axis=axis) for each in indices] + [there]
    return squares, indices


def _stored(name: str, what: str, made: dpnp_ndarray, output: object) -> dpnp_ndarray:
    """The result, or the output array with the result's elements."""
    if output is None:
        return made
    if not isinstance(output, array_base):
        raise TypeError(f"{name}: {what} must be an array of dpnp, got {type(output).__name__}")
    if output.shape != made.shape or output.dtype != made.dtype:
        raise RuntimeError(
            f"{name}: {what} must have shape {made.shape} and dtype {made.dtype}, got {output.shape} and {output.dtype}"
        )
    output[...] = made
    return as_dpnp(output)


def distance_transform_edt(
    input: object,
    sampling: float | Sequence[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: object = None,
    indices: object = None,
) -> object:
    """Return the Euclidean distances of elements that are not 0 to the nearest element that is 0, the background.

    The time grows with the largest distance. Without background, distances are infinite and indices -1.

    Parameters
    ----------
    input : ndarray
        The array.
    sampling : float or sequence of float, optional
        The distance of neighbours along all axes, or along each, by default 1.
    return_distances : bool, optional
        Whether to return distances.
    return_indices : bool, optional
        Whether to return the indices of the nearest background, along the first axis: one of them, if several are.
    distances : ndarray, optional
        An array of float64 for the distances, which are not returned then.
    indices : ndarray, optional
        An array of int32 for the indices, which are not returned then.

    Returns
    -------
    ndarray or tuple or None
        The distances, the indices, or both.

    Raises
    ------
    RuntimeError
        When neither is wanted, an array for a result that is not wanted is given, or one of another shape or dtype, and
        for another number of distances in `sampling` than axes.
    TypeError
        When `input` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.distance_transform_edt(np.array([[0, 1, 1], [1, 1, 1]])).round(3)
    array([[0.   , 1.   , 2.   ],
           [1.   , 1.414, 2.236]])
    """
    name = "distance_transform_edt"
    inside = dpnp.atleast_1d(input_array(name, input) != 0)
    if not (return_distances or return_indices):
        raise RuntimeError(f"{name}: at least one of return_distances and return_indices must be True")
    for what, output, wanted in (("distances", distances, return_distances), ("indices", indices, return_indices)):
        if output is not None and not wanted:
            raise RuntimeError(f"{name}: return_{what} must be True when {what} is given")
    steps = [float(s) for s in per_axis(name, "sampling", 1.0 if sampling is None else sampling, inside.ndim)]
    if inside.size == 0:
        squares, found = dpnp.astype(inside, real_of(inside)), [dpnp.astype(inside, "i8")] * inside.ndim
    else:
        squares, found = _transformed(inside, steps, return_indices)
    results = []
    if return_distances:
        made = _stored(name, "distances", bound.sqrt(squares), distances)
        results += [made] if distances is None else []
    if return_indices:
        made = _stored(name, "indices", dpnp.astype(dpnp.stack(found), "i4"), indices)
        results += [made] if indices is None else []
    return tuple(results) if len(results) > 1 else results[0] if results else None
