"""Indices that are converted from floating-point numbers, also from numbers that are no indices, beside CPython."""

from __future__ import annotations

import math

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi


def limited(a, v):
    return a[min(max(int(v), 0), len(a) - 1)]


def limited_in_the_other_order(a, v):
    return a[max(0, min(len(a) - 1, int(v)))]


def limited_number(a, v):
    k = min(max(int(v), -3), 900)
    return a[min(k, 17)] + k


def limited_above(a, v):
    k = min(int(max(v, -18)), len(a) - 2)
    return a[k] * (v - k) + a[k + 1]


def compared(a, v):
    k = int(v)
    return a[k] if 0 <= k < len(a) else -1


def compared_and_used_otherwise(a, v):
    k = int(v)
    return a[k] if -len(a) <= k < len(a) else k


def compared_with_large_numbers(a, v):
    k = int(v)
    if k > 2147483646:
        return -1
    if k >= 2147483647 or k == 2147483647 or k < -2147483647:
        return -2
    return a[k] if 0 <= k < 18 else -3


def compared_after_a_step(a, v):
    k = int(v)
    return a[k] + a[k + 1] if k >= 0 and k + 1 < len(a) else -1


def difference_where_it_is_no_index(a, v):
    k = int(v)
    part = v - k
    return a[k] + part if 0 <= k < len(a) else part


def halves(a, v):
    k = int(v)
    return a[k // 2] if 0 <= k < 2 * len(a) else k // 2


def neighbours(a, v):
    k = int(max(min(v, 15), -10))
    part = v - k
    return a[k - 1] + a[k] * part + a[k + 1] + a[k + 2]


def floored(a, v):
    k = math.floor(max(min(v, 15.5), -16.5))
    return a[k] + 2 * a[k + 1] + (v - k)


def in_a_loop(a, v):
    total = 0
    at = max(min(v, 14), -14)
    for step in range(3):
        k = int(at)
        total += a[k] * (at - k) + step
        at += 0.75
    return total


def of_two(a, v):
    k, m = int(v), int(v / 2)
    return a[min(max(k, m, 0), 17)] - a[max(min(k, m, 17), -18)]


def squared(a, v):
    k = int(max(min(v, 4), -4))
    return a[k * k] + a[k] * k


def of_a_branch(a, v):
    k = int(v)
    total = k * 2
    if v < 18:
        total = a[k] if v > -18 else k
    return total


FUNCTIONS = [
    limited, limited_in_the_other_order, limited_number, limited_above, compared, compared_and_used_otherwise,
    compared_with_large_numbers, compared_after_a_step, difference_where_it_is_no_index, halves, neighbours, floored,
    in_a_loop, of_two, squared, of_a_branch,
]  # fmt: skip
NUMBERS = [*np.arange(-20, 21, 0.25), 2.0**31 - 1, 2.0**31, -(2.0**31), -(2.0**31) - 1, 2.0**31 - 128, 2.0**32 + 5,
           -(2.0**32) - 5, 3e9, -3e9, 1e12, -1e12, 2.0**53, -(2.0**53)]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_elements_are_those_that_cpython_takes(function, dtype):
    compiled = ndx.device_func(function)

    @ndx.kernel
    def kernel(item, a, numbers, out):
        i = item.get_id(0)
        out[i] = compiled(a, numbers[i])

    with np.errstate(over="ignore"):
        numbers = np.array(NUMBERS).astype(dtype)
    numbers = np.tile(numbers[np.isfinite(numbers)], 3)
    a = np.arange(18.0) ** 2 + 100
    wanted = [function(a.tolist(), float(v)) for v in numbers]
    out = dpt.empty(numbers.size, dtype="f8")
    ndx.call_kernel(kernel, ndx.Range(numbers.size), *map(dpt.asarray, (a, numbers)), out)
    np.testing.assert_allclose(dpt.asnumpy(out), wanted, rtol=1e-2 if dtype == "f2" else 1e-6)


@ndx.kernel
def looked_up(item, x, table, y):
    i = item.get_id(0)
    at = x[i] * np.float32(table.size - 1)
    low = min(int(at), table.size - 2)
    part = at - np.float32(low)
    y[i] = table[low] * (1 - part) + table[low + 1] * part


def test_interpolation_computes_in_32_bits():
    x, table = np.linspace(0, 1, 1001, dtype="f4"), np.random.default_rng(5).random(37, dtype="f4")
    y = dpt.empty(x.size, dtype="f4")
    ndx.call_kernel(looked_up, ndx.Range(x.size), dpt.asarray(x), dpt.asarray(table), y)
    np.testing.assert_allclose(dpt.asnumpy(y), np.interp(x, np.linspace(0, 1, 37), table), atol=1e-5)
    lines = [line for text in looked_up.inspect_ir().values() for line in text.split("\n") if "fptosi" in line]
    assert lines
    assert all("to i32" in line for line in lines)


@ndx.kernel
def counted(item, x, low, width, counts):
    i = item.get_id(0)
    k = int((x[i] - low) / width)
    if 0 <= k < counts.size:
        kapi.AtomicRef(counts, k).fetch_add(1)


def test_histogram_leaves_out_numbers_beyond_its_range():
    x = np.random.default_rng(6).normal(0, 3, 10007)
    x[::100], x[1::100] = 1e30 % 1e15, -1e12
    counts = dpt.zeros(16, dtype="i8")
    ndx.call_kernel(counted, ndx.Range(x.size), dpt.asarray(x), 1.0, 0.25, counts)
    kept = ((x - 1.0) / 0.25).astype("i8")
    np.testing.assert_array_equal(dpt.asnumpy(counts), np.bincount(kept[(kept >= 0) & (kept < 16)], minlength=16))


@ndx.kernel
def between_bounds(item: kapi.Item, x, small, large, negative):
    i = item.get_id(0)
    small[i] = np.uint32(min(max(x[i], 0.0), 1023.0))
    large[i] = np.int64(min(max(x[i], -2147483648.0), 2147483647.0))
    negative[i] = np.int64(max(min(x[i], 2.5), -7.5))


@pytest.mark.parametrize("length", [1, 1003, 100_000])
def test_floats_between_constant_bounds_are_converted(length):
    edges = [
        0,
        -0.5,
        -1,
        1022.99,
        1023,
        1024,
        2.0**31,
        2.0**31 - 1,
        -(2.0**31),
        -(2.0**31) - 1,
        2.0**40,
        -7.5,
        np.inf,
        -np.inf,
    ]
    x = np.resize(np.array(edges), length)
    results = [dpt.empty(length, dtype=dtype) for dtype in ("u4", "i8", "i8")]
    ndx.call_kernel(between_bounds, ndx.Range(length), dpt.asarray(x), *results)
    np.testing.assert_array_equal(dpt.asnumpy(results[0]), np.clip(x, 0, 1023).astype("u4"))
    np.testing.assert_array_equal(dpt.asnumpy(results[1]), np.clip(x, -(2.0**31), 2.0**31 - 1).astype("i8"))
    np.testing.assert_array_equal(dpt.asnumpy(results[2]), np.clip(x, -7.5, 2.5).astype("i8"))
