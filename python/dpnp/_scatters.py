"""Updates of elements at indices, which may be repeated, by a function: the method `at` of ufuncs."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_numbers, placed_like, placement_of, view_as

from dpnp import _folds

__all__ = ["scatter"]

_Function = Callable[..., dpnp_ndarray]

# A count of bins takes a pass over them. With more bins than this for each value, the values are sorted instead.
_BINS_FOR_EACH_VALUE = 16
# At indices that are repeated at most so often, values are added in their order, a round for each repetition.
_ROUNDS = 8
# Functions whose second operands are combined by another function.
_INVERSES = {"subtract": bound.add}


def _positions(name: str, a: dpnp_ndarray, indices: object) -> dpnp_ndarray:
    """The positions in the flattened array of the elements a[indices]."""
    several = indices if isinstance(indices, tuple) else (indices,)
    several = tuple(placed_like(i, a) if isinstance(i, list | numpy.ndarray) else i for i in several)
    placement_of(name, a, *several)
    _check_bounds(name, a, several)
    if len(several) == 1 and a.ndim == 1 and isinstance(several[0], array_base) and several[0].dtype.kind in "iu":
        given = dpt.astype(as_dpnp(several[0]), "i8", copy=False)
        return dpt.where(given < 0, given + a.size, given)
    numbers = dpt.arange(a.size, dtype="i8", usm_type=a.usm_type, sycl_queue=a.sycl_queue)
    return dpt.asarray(as_dpnp(dpt.reshape(numbers, a.shape))[several if len(several) != 1 else several[0]])


def _check_bounds(name: str, a: dpnp_ndarray, indices: tuple[object, ...]) -> None:
    """IndexError for arrays of indices out of bounds, which indexing limits to the bounds."""
    used = sum(
        0 if i is None or i is Ellipsis else i.ndim if isinstance(i, array_base) and i.dtype.kind == "b" else 1
        for i in indices
    )
    axis = 0
    for i in indices:
        if i is None:
            continue
        if i is Ellipsis:
            axis += a.ndim - used
        elif isinstance(i, array_base) and i.dtype.kind == "b":
            axis += i.ndim
        else:
            if isinstance(i, array_base) and i.dtype.kind in "iu" and i.size and axis < a.ndim:
                n = a.shape[axis]
                wrong = as_dpnp(i)[bound.logical_or(i < -n, i >= n)]
                if wrong.size:
                    raise IndexError(
                        f"{name}: index {int(wrong[0])} is out of bounds for axis {axis} with {n} elements"
                    )
            axis += 1


def _sum_by_bins(
    flat: dpnp_ndarray, positions: dpnp_ndarray, values: dpnp_ndarray, subtract: bool
) -> dpnp_ndarray | None:
    """Sums by a weighted count, which adds in float64; None for dtypes or sizes that it does not suit."""
    if positions.size < 64 or flat.size > _BINS_FOR_EACH_VALUE * positions.size:
        return None
    if flat.dtype.kind not in "iuf" or not flat.sycl_device.has_aspect_fp64:
        return None

    def counted(weights: object) -> dpnp_ndarray:
        return bound.bincount(positions, dpt.astype(weights, "f8", copy=False), flat.size)

    if flat.dtype.kind == "f":
        sums = counted(values)
    elif positions.size > 2**20:  # sums of 32-bit numbers could be inexact
        return None
    elif flat.dtype.itemsize <= 4:
        sums = dpt.astype(counted(values), "i8")  # wraps in the narrower dtype
    else:
        bits = view_as(dpt.astype(values, flat.dtype, copy=False), "i8")
        low, high = counted(bound.bitwise_and(bits, 0xFFFFFFFF)), counted(bound.right_shift(bits, 32))
        sums = dpt.astype(low, "i8") + bound.left_shift(dpt.astype(high, "i8"), 32)
        sums = view_as(sums, flat.dtype)
    total = bound.subtract(flat, sums) if subtract else bound.add(flat, sums)
    return dpt.astype(total, flat.dtype, copy=False)


def scatter(function: _Function, a: dpnp_ndarray, indices: object, b: object, associative: bool) -> None:
    """Apply a function of one or two operands to a[indices], with `b`, once for each occurrence of an index.

    Occurrences are sorted by index. The k-th occurrences of all indices are computed together, in rounds; where
    indices occur often and the function is associative, the values of each index are reduced first.
    """
    name = function.__name__
    full = f"{name}.at"
    positions = _positions(full, a, indices)
    values, in_order = None, False
    if b is not None:
        b = placed_like(b, a) if isinstance(b, list | numpy.ndarray) else b
        check_numbers(full, b)
        placement_of(full, a, b)
        none = as_dpnp(dpt.empty(0, dtype=a.dtype, sycl_queue=a.sycl_queue))
        loop = function(none, dpt.reshape(b, (-1,))[:0] if isinstance(b, array_base) else b).dtype
        if loop.kind == "c" and a.dtype.kind not in "bc":
            raise TypeError(f"{full}: the result has dtype {loop}, which cannot be cast to {a.dtype}")
        # Casts to integers after each step, as in NumPy, depend on the order of the steps.
        in_order = not dpt.can_cast(loop, a.dtype, casting="same_kind")
        values = placed_like(b, a) if isinstance(b, array_base) or in_order else placed_like(b, a, a.dtype)
        values = dpt.reshape(dpt.broadcast_to(values, positions.shape), (-1,))
    positions = dpt.reshape(positions, (-1,))
    if positions.size == 0:
        return
    flat = dpt.reshape(a, (-1,))
    changed = None
    if values is not None and not in_order and name in ("add", "subtract"):
        changed = _sum_by_bins(flat, positions, values, name == "subtract")
    if changed is not None:
        a[...] = dpt.reshape(changed, a.shape)
        return
    _apply_sorted(
        function, flat, positions, values, None if in_order else _INVERSES.get(name, function if associative else None)
    )
    if not a.flags.c_contiguous:
        a[...] = dpt.reshape(flat, a.shape)


def _apply_sorted(
    function: _Function,
    flat: dpnp_ndarray,
    positions: dpnp_ndarray,
    values: dpnp_ndarray | None,
    reducer: _Function | None,
) -> None:
    """Update the elements at positions. `reducer` combines the values of a position if that is possible."""
    order = dpt.argsort(positions, stable=True)
    positions = dpt.take(positions, order)
    values = None if values is None else dpt.take(values, order)
    first = dpt.concat((dpt.ones_like(positions[:1], dtype=bool), positions[1:] != positions[:-1]))
    (starts,) = dpt.nonzero(first)
    end = dpt.full_like(starts[:1], positions.size)
    lengths = dpt.concat((starts[1:], end)) - starts
    targets = dpt.take(positions, starts)
    repeated = int(dpt.max(lengths))
    if repeated > _ROUNDS and values is not None and reducer is not None:
        total = _folds.segments(reducer, dpt.astype(values, flat.dtype, copy=False), starts, lengths)
        _put(flat, targets, function(dpt.take(flat, targets), total))
        return
    for step in range(repeated):
        if step:
            present = lengths > step
            starts, lengths, targets = starts[present], lengths[present], targets[present]
        old = dpt.take(flat, targets)
        _put(flat, targets, function(old) if values is None else function(old, dpt.take(values, starts + step)))


def _put(flat: dpnp_ndarray, targets: dpnp_ndarray, new: dpnp_ndarray) -> None:
    dpt.put(flat, targets, dpt.astype(new, flat.dtype, copy=False))
