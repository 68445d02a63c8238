"""Binary searches as they are usually written, beside CPython; loops with steps that are known at run time."""

from __future__ import annotations

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest


def below(a, x):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def below_by_shifts(a, x):
    low = 0
    high = len(a)
    while high > low:
        middle = (low + high) >> 1
        if a[middle] >= x:
            high = middle
        else:
            low = middle + 1
    return high


def below_by_a_distance(a, x):
    low, high = 0, len(a)
    while low < high:
        middle = low + (high - low) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def place_or_none(a, x):
    low, high = 0, len(a) - 1
    while low <= high:
        middle = (low + high) // 2
        if a[middle] == x:
            return 1000 + a[middle]
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -low


def with_a_count(a, x):
    low, high, steps = 0, len(a), 0
    while low < high:
        steps += 1
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low + 1000 * (steps > 0)


def interval_of(a, x):
    low, high = 0, len(a) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if a[middle] <= x:
            low = middle
        else:
            high = middle
    return low


def from_a_start(a, x):
    low, high = x % 3, len(a) - x % 2
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def between_large_numbers(a, x):
    low, high = 0, 2**33 + x
    while low < high:
        middle = (low + high) // 2
        if middle < 2**32 + 5 * x:
            low = middle + 1
        else:
            high = middle
    return low


def between_negative_numbers(a, x):
    low, high = -len(a), len(a)
    while low < high:
        middle = (low + high) // 2
        if middle < x - 5:
            low = middle + 1
        else:
            high = middle
    return low


def up_to_the_end_of_32_bits(a, x):
    low, high = 2**31 - 100, 2**31 - 1 + x % 3
    while low < high:
        middle = (low + high) // 2
        if middle < 2**31 - 40 + 2 * x:
            low = middle + 1
        else:
            high = middle
    return low


def square_root(a, x):
    low, high = 0, len(a)
    number = abs(x)
    while low < high:
        middle = (low + high + 1) // 2
        if middle * middle <= number:
            low = middle
        else:
            high = middle - 1
    return low


def of_the_last_test(a, x):
    low, high, last = 0, len(a), -7
    while low < high:
        last = (low + high) // 2
        if a[last] < x:
            low = last + 1
        else:
            high = last
    return last * 100 + low


NARROW = [below, below_by_shifts, below_by_a_distance, place_or_none, with_a_count, interval_of]
OTHERS = [
    from_a_start, between_large_numbers, between_negative_numbers, up_to_the_end_of_32_bits, square_root,
    of_the_last_test,
]  # fmt: skip


@pytest.mark.parametrize("function", [*NARROW, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("length", [1, 2, 37, 64])
def test_results_are_those_of_cpython(function, length):
    compiled = ndx.device_func(function)

    @ndx.kernel
    def kernel(item, a, wanted, found):
        i = item.get_id(0)
        found[i] = compiled(a, wanted[i])

    a = np.sort(np.random.default_rng(length).integers(0, 3 * length, length))
    wanted = np.arange(-5, 3 * length + 5)
    found = dpt.empty(wanted.size, dtype="i8")
    ndx.call_kernel(kernel, ndx.Range(wanted.size), *map(dpt.asarray, (a, wanted)), found)
    expected = [function(a.tolist(), int(x)) for x in wanted]
    np.testing.assert_array_equal(dpt.asnumpy(found), expected)


@pytest.mark.parametrize(
    "function", [below, below_by_shifts, below_by_a_distance, place_or_none, with_a_count, interval_of]
)
def test_bounds_have_32_bits(function):
    compiled = ndx.device_func(function)

    @ndx.kernel
    def kernel(item, a, wanted, found):
        i = item.get_id(0)
        found[i] = compiled(a, wanted[i])

    arrays = [dpt.arange(10, dtype="i4") for _ in range(3)]
    ndx.call_kernel(kernel, ndx.Range(10), *arrays)
    (text,) = kernel.inspect_ir().values()
    assert text.count("phi i32") >= 2
    assert "phi i64" not in text


@ndx.kernel
def strided(item, starts, ends, steps, sums, last):
    i = item.get_id(0)
    step = abs(steps[i]) + 1
    total, at = 0, -1
    for k in range(starts[i], ends[i], step):
        total += k * k
        at = k
    for k in range(starts[i], ends[i], item.get_range(0)):
        total += 1000 * k
    for k in range(ends[i], starts[i], steps[i] - 100):
        total += 7 * k
    sums[i] = total
    last[i] = at


@pytest.mark.parametrize("dtype", ["i4", "i8", "u1", "u4"])
def test_loops_with_variable_steps(dtype):
    random, n = np.random.default_rng(9), 203
    starts, ends = (random.integers(-50 if dtype[0] == "i" else 0, 50, n).astype(dtype) for _ in range(2))
    steps = random.integers(0, 9, n)
    sums, last = (dpt.empty(n, dtype="i8") for _ in range(2))
    ndx.call_kernel(strided, ndx.Range(n), *map(dpt.asarray, (starts, ends, steps)), sums, last)
    for i in range(n):
        start, end = int(starts[i]), int(ends[i])
        up = range(start, end, int(steps[i]) + 1)
        total = sum(k * k for k in up) + 1000 * sum(range(start, end, n))
        total += 7 * sum(range(end, start, int(steps[i]) - 100))
        assert (int(sums[i]), int(last[i])) == (total, up[-1] if up else -1)
