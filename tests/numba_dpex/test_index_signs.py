"""Conditions from which the compiler derives the signs of indices, and others from which it must not, beside CPython.

Each function is executed by CPython and by a kernel, for numbers from -5 to 20, so that negative indices occur wherever
the conditions allow them.
"""

from __future__ import annotations

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi


def is_after_a_counter(a, x, y):
    total = 0
    for step in range(1, 5):
        if step <= x < 18 and y > 0:
            total += a[x - 1] * step
    return total


def is_before_a_counter(a, x, y):
    total = 0
    for step in range(1, 5):
        if step <= x + 3 and x < 18:
            total += a[x - 1] * step
    return total


def is_after_a_counter_from_zero(a, x, y):
    total = 0
    for step in range(4):
        if step <= x < 18:
            total += a[x - 1] * step
    return total


def is_in_both_ranges(a, x, y):
    inside = 0 <= x < 18 and 0 <= y < 18
    return a[x] - a[y] if inside else -1


def is_in_both_ranges_by_names(a, x, y):
    right = 0 <= x < 18
    both = right and y >= 0
    if y > 17:
        return -2
    return a[x] - 3 * a[y] if both else -1


def is_in_one_range(a, x, y):
    inside = 0 <= x < 18 or 0 <= y < 18
    return a[min(x, 17)] - a[min(y, 17)] if inside else -1


def is_not_outside(a, x, y):
    outside = x < 0 or x > 17 or y < 0 or y > 17
    return -1 if outside else a[x] + 2 * a[y]


def is_not_outside_of_both(a, x, y):
    outside = x < 0 and y < 0
    return -1 if outside else a[min(x, 17)] + 2 * a[min(y, 17)]


def changes_after_its_test(a, x, y):
    inside = x > 0
    x -= 3
    return a[min(x, 17)] if inside else -1


def changes_in_a_loop(a, x, y):
    total = 0
    inside = False
    for _ in range(3):
        if inside:
            total += a[min(x, 17)]
        inside = x >= 0
        x -= 4
    return total


def was_tested_in_the_round_before(a, x, y):
    total = 0
    last = x
    for step in range(4):
        total += a[min(last - 1, 17)] if last >= 1 else a[min(x - 2 * step, 17)]
        last = y - step
    return total


def is_not_below_another(a, x, y):
    return a[min(x - y, 17)] if 0 <= y <= x else -1


def is_not_below_a_negative(a, x, y):
    return a[min(max(x - y, -18), 17)] if -3 <= y <= x + 2 else -1


def equals(a, x, y):
    return a[x - 1] if x == y and 1 <= y < 18 else a[-1]


def is_below_as_unsigned(a, x, y):
    return a[x - 2] if 4 <= x < 18 else a[min(x - 2, 17)]


def has_a_chain_of_tests(a, x, y):
    if x < 1:
        return -1
    if y < x:
        return -2
    return a[min(y - 1, 17)] * 2 + a[min(y - x, 17)] + a[min(x - 2, 17)]


FUNCTIONS = [
    each for name, each in list(globals().items()) if name.startswith(("is_", "changes", "was", "equals", "has"))
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_negative_indices_count_from_the_end_where_conditions_allow_them(function, dtype):
    compiled = ndx.device_func(function)

    @ndx.kernel
    def kernel(item, a, xs, ys, out):
        i = item.get_id(0)
        out[i] = compiled(a, xs[i], ys[i])

    x, y = (each.ravel().astype(dtype) for each in np.mgrid[-5:21, -5:21])
    a = np.arange(18) ** 2 + 100
    wanted = [function(a.tolist(), int(p), int(q)) for p, q in zip(x, y, strict=True)]
    out = dpt.empty(x.size, dtype="i8")
    ndx.call_kernel(kernel, ndx.Range(x.size), *map(dpt.asarray, (a, x, y)), out)
    np.testing.assert_array_equal(dpt.asnumpy(out), wanted)


@ndx.kernel
def stepped(item: kapi.NdItem, u, out, now, after):
    group = item.get_group()
    y, x = item.get_local_id(0), item.get_local_id(1)
    row, column = group.get_group_id(0) * 4 + y - 2, group.get_group_id(1) * 4 + x - 2
    inside = 0 <= row < u.shape[0] and 0 <= column < u.shape[1]
    now[y, x] = u[row, column] if inside else 0
    kapi.group_barrier(group)
    for step in range(1, 3):
        if step <= x < 8 - step and step <= y < 8 - step:
            after[y, x] = now[y - 1, x] + now[y + 1, x] + now[y, x - 1] + now[y, x + 1]
        kapi.group_barrier(group)
        now[y, x] = after[y, x]
        kapi.group_barrier(group)
    if 2 <= x < 6 and 2 <= y < 6 and inside:
        out[row, column] = now[y, x]


def test_tiles_with_halos_need_no_tests_of_signs():
    u = np.random.default_rng(3).integers(0, 100, (22, 31))
    out = dpt.zeros(u.shape, dtype="i8")
    tile = (8, 8)
    arguments = (dpt.asarray(u), out, *(kapi.LocalAccessor(tile, np.int64) for _ in range(2)))
    ndx.call_kernel(stepped, ndx.NdRange((6 * 8, 8 * 8), tile), *arguments)
    wanted = np.pad(u, 2)
    for _ in (1, 2):
        wanted = wanted[:-2, 1:-1] + wanted[2:, 1:-1] + wanted[1:-1, :-2] + wanted[1:-1, 2:]
    np.testing.assert_array_equal(dpt.asnumpy(out), wanted)
    assert all("llvm.umin" not in text for text in stepped.inspect_ir().values())
