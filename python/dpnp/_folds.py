"""Reductions, accumulations and segments by any function of two operands, composed of the engine's operations.

An associative function is applied to halves, or to distances that double, so that n elements take log2(n) operations on
whole arrays. Other functions are applied to one element after another along the axis, as NumPy does.
"""

from __future__ import annotations

from collections.abc import Callable

from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array import sparse as engine

__all__ = ["accumulate", "fold", "fold_in_order", "segments", "segments_in_order", "sums_of_segments"]

_Function = Callable[[object, object], dpnp_ndarray]


def fold(function: _Function, x: dpnp_ndarray) -> dpnp_ndarray:
    """Reduce the first axis, of at least one element, by an associative and commutative function."""
    rest = None
    while x.shape[0] > 1:
        half = x.shape[0] // 2
        if x.shape[0] % 2:
            rest = x[-1] if rest is None else function(rest, x[-1])
        x = function(x[:half], x[half : 2 * half])
    return x[0] if rest is None else function(x[0], rest)


def fold_in_order(
    function: _Function, x: dpnp_ndarray, start: dpnp_ndarray | None, where: dpnp_ndarray | None
) -> dpnp_ndarray:
    """Reduce the first axis from its first element to its last, beginning with `start` if it is given."""
    total, first = (x[0], 1) if start is None else (start, 0)
    for i in range(first, x.shape[0]):
        following = function(total, x[i])
        total = following if where is None else dpt.where(where[i], following, total)
    return total


def accumulate(function: _Function, x: dpnp_ndarray, associative: bool) -> dpnp_ndarray:
    """Return the reductions of the first 1, 2, … elements along the first axis."""
    length = x.shape[0]
    if associative:
        distance = 1  # each element is the reduction of that many elements up to it
        while distance < length:
            x = dpt.concat((x[:distance], function(x[:-distance], x[distance:])))
            distance *= 2
        return x
    made = dpt.copy(x)
    for i in range(1, length):
        made[i] = function(made[i - 1], x[i])
    return made


def _spread(mask: dpnp_ndarray, x: dpnp_ndarray) -> dpnp_ndarray:
    """A value for each element of the first axis, for broadcasting along the others."""
    return dpt.reshape(mask, mask.shape + (1,) * (x.ndim - 1))


def segments(function: _Function, x: dpnp_ndarray, starts: dpnp_ndarray, lengths: dpnp_ndarray) -> dpnp_ndarray:
    """Reduce segments of the first axis, which may overlap, by an associative function.

    The reductions of all 1, 2, 4, … adjacent elements are computed. A segment is their combination by the bits of its
    length, from its first element to its last.
    """
    total = dpt.take(x, starts, axis=0)
    left, position = lengths - 1, starts + 1
    longest = int(dpt.max(left)) if left.size else 0
    adjacent = 1  # each element of x is the reduction of that many elements from it
    while adjacent <= longest:
        present = (left & adjacent) != 0
        found = dpt.take(x, dpt.clip(position, 0, x.shape[0] - 1), axis=0)
        total = dpt.where(_spread(present, x), function(total, found), total)
        position = dpt.where(present, position + adjacent, position)
        if 2 * adjacent <= longest:
            x = function(x[:-adjacent], x[adjacent:])
        adjacent *= 2
    return total


def sums_of_segments(x: dpnp_ndarray, starts: dpnp_ndarray) -> dpnp_ndarray:
    """Sum segments of an array with one axis, which follow each other without gaps, in one pass.

    They are the sums of the rows of a sparse matrix, of int32, int64, float32, float64, complex64 or complex128. Those
    do not depend on the columns: any integers may stand for them, here the bits of the elements.
    """
    code = "i4" if x.dtype.itemsize == 4 else "i8"
    first = int(starts[0])
    x = dpt.copy(x[first:]) if first or not x.flags.c_contiguous else x
    end = dpt.full(1, x.size, dtype="i8", usm_type=starts.usm_type, sycl_queue=starts.sycl_queue)
    rows = dpt.astype(dpt.concat((starts - first, end)), code, copy=False)
    return engine.multiply(rows, x.view(code)[: x.size], x, 1, None)


def segments_in_order(
    function: _Function, x: dpnp_ndarray, starts: dpnp_ndarray, lengths: dpnp_ndarray
) -> dpnp_ndarray:
    """Reduce segments of the first axis from the first element to the last."""
    total = dpt.take(x, starts, axis=0)
    for step in range(1, int(dpt.max(lengths)) if lengths.size else 0):
        found = dpt.take(x, dpt.clip(starts + step, 0, x.shape[0] - 1), axis=0)
        total = dpt.where(_spread(lengths > step, x), function(total, found), total)
    return total
