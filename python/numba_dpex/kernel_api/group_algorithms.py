"""Algorithms of a work-group or sub-group: reductions, scans, broadcasts, shuffles, joint algorithms over arrays.

Names and semantics are those of SYCL 2020. All work-items of the group must make the same call. They are ordered by
their linear ids, of which the last dimension varies fastest. `op` is one of kernel_api's operations (`plus`,
`minimum`, …), of the module `operator`, `min` or `max`; the simulation takes any function of two arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import accumulate

from numba_dpex.kernel_api.collective import collective


def _same_for_all(value: object, count: int) -> list:
    return [value] * count


def reduce_over_group(group, x, op: Callable):
    """Return the reduction of x over all work-items of the group."""
    return collective(group, "reduce_over_group", x, lambda xs: _same_for_all(reduce(op, xs), len(xs)))


def inclusive_scan_over_group(group, x, op: Callable, init=None):
    """Return the reduction of `init`, if given, and x of the work-items up to and including this one."""
    return collective(
        group, "inclusive_scan_over_group", x, lambda xs: list(accumulate(xs, op, initial=init))[init is not None :]
    )


def exclusive_scan_over_group(group, x, op: Callable, init=None):
    """Return the reduction of `init` and x of the work-items before this one.

    By default `init` is the operation's identity: 0, 1 for products, the largest value for minima.
    """
    first = identity(op, x) if init is None else init
    return collective(group, "exclusive_scan_over_group", x, lambda xs: list(accumulate(xs[:-1], op, initial=first)))


def group_broadcast(group, x, local_linear_id: int = 0):
    """Return x of the group's work-item `local_linear_id`, which must be the same in all work-items."""
    return collective(
        group, "group_broadcast", (x, int(local_linear_id)), lambda xs: _same_for_all(xs[xs[0][1]][0], len(xs))
    )


def any_of_group(group, predicate) -> bool:
    """Return whether `predicate` is true for some work-item of the group."""
    return collective(group, "any_of_group", bool(predicate), lambda xs: _same_for_all(any(xs), len(xs)))


def all_of_group(group, predicate) -> bool:
    """Return whether `predicate` is true for all work-items of the group."""
    return collective(group, "all_of_group", bool(predicate), lambda xs: _same_for_all(all(xs), len(xs)))


def none_of_group(group, predicate) -> bool:
    """Return whether `predicate` is true for no work-item of the group."""
    return collective(group, "none_of_group", bool(predicate), lambda xs: _same_for_all(not any(xs), len(xs)))


def _shuffle(group, operation: str, x, source: int):
    """Return x of the work-item `source`. If there is none, which is undefined in SYCL, return this work-item's x."""

    def combine(values: list) -> list:
        return [values[at][0] if 0 <= at < len(values) else own for own, at in values]

    return collective(group, operation, (x, int(source)), combine)


def shift_group_left(group, x, delta: int = 1):
    """Return x of the work-item `delta` after this one; undefined for the last `delta` work-items."""
    return _shuffle(group, "shift_group_left", x, group.get_local_linear_id() + delta)


def shift_group_right(group, x, delta: int = 1):
    """Return x of the work-item `delta` before this one; undefined for the first `delta` work-items."""
    return _shuffle(group, "shift_group_right", x, group.get_local_linear_id() - delta)


def permute_group_by_xor(group, x, mask: int):
    """Return x of the work-item whose id is this one's xor `mask`."""
    return _shuffle(group, "permute_group_by_xor", x, group.get_local_linear_id() ^ mask)


def select_from_group(group, x, remote_local_id: int):
    """Return x of the work-item `remote_local_id`, which may differ between work-items."""
    return _shuffle(group, "select_from_group", x, remote_local_id)


def joint_reduce(group, array, op: Callable, init=None):
    """Return the reduction of a one-dimensional array, computed by all work-items of the group together."""

    def combine(values: list) -> list:
        elements = list(values[0]) if init is None else [init, *values[0]]
        return _same_for_all(reduce(op, elements), len(values))

    return collective(group, "joint_reduce", array, combine)


def joint_inclusive_scan(group, array, result, op: Callable, init=None) -> None:
    """Set `result[i]` to the reduction of `init`, if given, and `array[0]`, …, `array[i]`."""
    _joint_scan(group, "joint_inclusive_scan", array, result, op, init, 1 if init is not None else 0)


def joint_exclusive_scan(group, array, result, op: Callable, init=None) -> None:
    """Set `result[i]` to the reduction of `init`, by default the identity, and the elements before `array[i]`."""
    first = identity(op, array[0]) if init is None and len(array) else init
    _joint_scan(group, "joint_exclusive_scan", array, result, op, first, 0)


def _joint_scan(group, operation: str, array, result, op: Callable, init, skipped: int) -> None:
    def combine(values: list) -> list:
        source, target = values[0]
        elements = list(source)  # the arrays may be the same
        for i, value in zip(range(len(elements)), list(accumulate(elements, op, initial=init))[skipped:]):
            target[i] = value
        return _same_for_all(None, len(values))

    collective(group, operation, (array, result), combine)


def joint_any_of(group, array) -> bool:
    """Return whether some element of a one-dimensional array is true."""
    return collective(group, "joint_any_of", array, lambda xs: _same_for_all(any(xs[0]), len(xs)))


def joint_all_of(group, array) -> bool:
    """Return whether all elements of a one-dimensional array are true."""
    return collective(group, "joint_all_of", array, lambda xs: _same_for_all(all(xs[0]), len(xs)))


def joint_none_of(group, array) -> bool:
    """Return whether no element of a one-dimensional array is true."""
    return collective(group, "joint_none_of", array, lambda xs: _same_for_all(not any(xs[0]), len(xs)))


def joint_sort(group, array, descending: bool = False) -> None:
    """Sort a one-dimensional array, which all work-items of the group pass. NaN comes last.

    `descending` must be a constant. Elements are compared and exchanged by Batcher's odd-even merge sort, in
    O(n log(n)^2) steps of the whole group; the array may be in local memory.
    """

    def combine(values: list) -> list:
        elements = list(values[0])
        elements.sort(key=_order_of(descending))
        for i, value in enumerate(elements):
            values[0][i] = value
        return _same_for_all(None, len(values))

    collective(group, "joint_sort", array, combine)


def sort_over_group(group, x, descending: bool = False):
    """Return the number that is at the work-item's place when those of all work-items are sorted. NaN comes last.

    `descending` must be a constant.
    """
    return collective(group, "sort_over_group", x, lambda xs: sorted(xs, key=_order_of(descending)))


def _order_of(descending: bool) -> Callable:
    """The sort key of an order in which NaN comes last."""
    return lambda x: (x != x, (-x if descending else x) if x == x else 0)


def group_load(group, in_array, out_array, striped: bool = False) -> None:
    """Copy consecutive elements of an array to the private arrays of the group's work-items.

    Args:
        group: the group. All its work-items pass the same array.
        in_array: an array of one dimension, of at least as many elements as the private arrays have together. A slice
            selects where the elements begin: `x[start:]`.
        out_array: a PrivateArray of k elements. Work-item i of n gets the elements i * k, i * k + 1, …
        striped: a constant; if true, work-item i gets the elements i, i + n, i + 2 n, …, which is faster on GPUs.
    """
    first, step = _placement(group, len(out_array), striped)
    for k in range(len(out_array)):
        out_array[k] = in_array[first + k * step]


def group_store(group, in_array, out_array, striped: bool = False) -> None:
    """Copy the private arrays of the group's work-items to consecutive elements of an array.

    The inverse of `group_load`: `in_array` is a PrivateArray, `out_array` an array of one dimension.
    """
    first, step = _placement(group, len(in_array), striped)
    for k in range(len(in_array)):
        out_array[first + k * step] = in_array[k]


def _placement(group, count: int, striped: bool) -> tuple[int, int]:
    """The index of a work-item's first element, and the distance of its elements."""
    own = group.get_local_linear_id()
    return (own, group.get_local_linear_range()) if striped else (own * count, 1)


def identity(op: Callable, like):
    """Return the identity element of `op`, in the type of `like`.

    Raises:
        TypeError: the identity of `op` is not known, so `init` is required.
    """
    import operator

    import numpy

    from numba_dpex.kernel_api import function_objects as ops

    dtype = numpy.asarray(like).dtype
    limits = numpy.iinfo(dtype) if dtype.kind in "iu" else None
    table = (
        (0, (ops.plus, operator.add, ops.bit_or, operator.or_, ops.bit_xor, operator.xor)),
        (1, (ops.multiplies, operator.mul)),
        (limits.max if limits else numpy.inf, (ops.minimum, min)),
        (limits.min if limits else -numpy.inf, (ops.maximum, max)),
    )
    for value, operations in table:
        if op in operations:
            return dtype.type(value)
    if op in (ops.bit_and, operator.and_):
        return ~dtype.type(0)
    raise TypeError(f"{getattr(op, '__name__', op)} has no known identity: pass init")
