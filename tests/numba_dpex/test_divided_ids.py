"""Kernels that divide their ids: `i = id // width; j = id % width`. The compiler cuts launches into rows for them."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex import kernel_api as kapi

SIZES = [1, 10, 1000, 300_007]
DIVISORS = [-1000, -17, -1, 0, 1, 2, 15, 16, 17, 64, 100, 1024, 99_991, 1 << 40]


def quotient(x, y):
    """Floor division and remainder of NumPy."""
    with np.errstate(divide="ignore"):
        return np.floor_divide(x, y), np.remainder(x, y)


@ndx.kernel
def by_argument(item: kapi.Item, divisor, q, r):
    i = item.get_id(0)
    q[i] = i // divisor
    r[i] = i % divisor


@ndx.kernel
def by_argument_with_offset(item: kapi.Item, divisor, q, r):
    i = item.get_id(0)
    n = i - 50
    q[i] = n // divisor
    r[i] = n % divisor


@ndx.kernel
def in_a_branch(item: kapi.Item, divisor, q, r):
    i = item.get_id(0)
    q[i], r[i] = -1, -2
    if i % 3 != 0:
        q[i] = i // divisor
        if i > 40:
            r[i] = (i - 41) % divisor


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("divisor", DIVISORS)
def test_divisors_that_are_arguments(size, divisor):
    i = np.arange(size)
    for kernel in by_argument, by_argument_with_offset, in_a_branch:
        q, r = dpnp.zeros(size, dtype="i8"), dpnp.zeros(size, dtype="i8")
        ndx.call_kernel(kernel, ndx.Range(size), divisor, q, r)
        if kernel is in_a_branch:
            kept = i % 3 != 0
            wanted = np.where(kept, quotient(i, divisor)[0], -1)
            rest = np.where(kept & (i > 40), quotient(i - 41, divisor)[1], -2)
        else:
            wanted, rest = quotient(i - 50 if kernel is by_argument_with_offset else i, divisor)
        np.testing.assert_array_equal(dpnp.asnumpy(q), wanted)
        np.testing.assert_array_equal(dpnp.asnumpy(r), rest)


@ndx.kernel
def by_constants(item: kapi.Item, q, r):
    i = item.get_id(0)
    q[i, 0], r[i, 0] = i // 100, i % 100
    q[i, 1], r[i, 1] = i // 7, i % 7
    q[i, 2], r[i, 2] = i // 128, i % 128
    q[i, 3], r[i, 3] = i >> 5, i & 31
    q[i, 4], r[i, 4] = i // 16 // 16, i // 16 % 16
    q[i, 5], r[i, 5] = (i + 5) // -33, (i + 5) % -33


@pytest.mark.parametrize("size", SIZES)
def test_divisors_that_are_constants(size):
    q, r = dpnp.zeros((size, 6), dtype="i8"), dpnp.zeros((size, 6), dtype="i8")
    ndx.call_kernel(by_constants, ndx.Range(size), q, r)
    i = np.arange(size)
    pairs = [quotient(i, d) for d in (100, 7, 128, 32)]
    pairs += [(i // 256, i // 16 % 16), quotient(i + 5, -33)]
    for column, (wanted, rest) in enumerate(pairs):
        np.testing.assert_array_equal(dpnp.asnumpy(q)[:, column], wanted)
        np.testing.assert_array_equal(dpnp.asnumpy(r)[:, column], rest)


@ndx.kernel
def by_several(item: kapi.Item, a, b, c, result):
    n = item.get_id(0)
    i, rest = n // (a * b), n % (a * b)
    j, k = rest // b, rest % b
    result[n] = (i * 1_000_003 + j) * 1_000_003 + k + n // c


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("a", "b", "c"), [(30, 40, 50), (40, 17, 1000), (3, 5, 7), (1, 64, 64), (64, 1, 3), (-20, 20, 30), (0, 20, 40)]
)
def test_several_divisors(size, a, b, c):
    result = dpnp.zeros(size, dtype="i8")
    ndx.call_kernel(by_several, ndx.Range(size), a, b, c, result)
    n = np.arange(size)
    i, rest = quotient(n, a * b)
    j, k = quotient(rest, b)
    np.testing.assert_array_equal(dpnp.asnumpy(result), (i * 1_000_003 + j) * 1_000_003 + k + n // c)


@ndx.kernel
def in_32_bits(item: kapi.Item, divisor, start, q, r):
    i = item.get_id(0)
    n = np.int32(i) + start
    q[i] = n // divisor
    r[i] = n % divisor


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["int32", "uint32"])
def test_integers_of_32_bits_wrap(size, dtype):
    limits = np.iinfo(dtype)
    for start in 0, int(limits.max) - 500, int(limits.min) + 3:
        for divisor in 1, 19, 700, int(limits.max) - 2:
            q, r = dpnp.zeros(size, dtype=dtype), dpnp.zeros(size, dtype=dtype)
            of = np.dtype(dtype).type
            kernel = in_32_bits if dtype == "int32" else in_unsigned
            ndx.call_kernel(kernel, ndx.Range(size), of(divisor), of(start), q, r)
            n = np.arange(size).astype(dtype) + of(start)
            np.testing.assert_array_equal(dpnp.asnumpy(q), n // of(divisor))
            np.testing.assert_array_equal(dpnp.asnumpy(r), n % of(divisor))


@ndx.kernel
def in_unsigned(item: kapi.Item, divisor, start, q, r):
    i = item.get_id(0)
    n = np.uint32(i) + start
    q[i] = n // divisor
    r[i] = n % divisor


@ndx.kernel
def stencil(item: kapi.Item, x, y):
    n = item.get_id(0)
    height, width = x.shape[0] - 2, x.shape[1] - 2
    if n < height * width:
        i, j = n // width + 1, n % width + 1
        y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]


@ndx.kernel
def transposes(item: kapi.Item, x, y):
    n = item.get_id(0)
    i, j = n // x.shape[1], n % x.shape[1]
    y[j, i] = x[i, j]


@ndx.kernel
def from_the_end(item: kapi.Item, x, y):
    n = item.get_id(0)
    i, j = n // x.shape[1], n % x.shape[1]
    y[i, j] = x[i - 1, j - 3]


@pytest.mark.parametrize("shape", [(3, 3), (7, 5), (40, 33), (300, 1001), (5, 60_000)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_images(shape, dtype):
    x = (np.arange(shape[0] * shape[1]) % 1000).astype(dtype).reshape(shape)
    y = dpnp.zeros(shape, dtype=dtype)
    ndx.call_kernel(stencil, ndx.Range(x.size), dpnp.asarray(x), y)
    wanted = np.zeros_like(x)
    wanted[1:-1, 1:-1] = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
    np.testing.assert_array_equal(dpnp.asnumpy(y), wanted)
    y = dpnp.zeros(shape[::-1], dtype=dtype)
    ndx.call_kernel(transposes, ndx.Range(x.size), dpnp.asarray(x), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), x.T)
    y = dpnp.zeros(shape, dtype=dtype)
    ndx.call_kernel(from_the_end, ndx.Range(x.size), dpnp.asarray(x), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.roll(x, (1, 3), (0, 1)))


@ndx.kernel
def sums_of_rows(item: kapi.Item, x, y, width):
    n = item.get_id(0)
    row = n // width
    total = 0
    for k in range(n % width + 1):
        total += x[row * width + k]
        if total > 5000:
            break
    y[n] = total


@pytest.mark.parametrize("width", [10, 64, 100])
def test_loops_that_end_at_remainders(width):
    x = np.arange(width * 300) % 97
    y = dpnp.zeros(x.size, dtype="i8")
    ndx.call_kernel(sums_of_rows, ndx.Range(x.size), dpnp.asarray(x), y, width)
    sums = x.reshape(-1, width).cumsum(1)
    first = np.where((sums > 5000).any(1), (sums > 5000).argmax(1), width - 1)
    stop = np.minimum(np.arange(width), first[:, None])
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.take_along_axis(sums, stop, 1).ravel())


@ndx.kernel
def in_rows(item: kapi.Item, x, y, width):
    i, j = item.get_id(0), item.get_id(1)
    y[i, j] = x[i, j % width] + j // width


@pytest.mark.parametrize("width", [3, 20, 500])
def test_ranges_of_two_dimensions(width):
    x = np.arange(70 * 1003).reshape(70, 1003)
    y = dpnp.zeros(x.shape, dtype="i8")
    ndx.call_kernel(in_rows, ndx.Range(*x.shape), dpnp.asarray(x), y, width)
    j = np.arange(x.shape[1])
    np.testing.assert_array_equal(dpnp.asnumpy(y), x[:, j % width] + j // width)


def flat(x, width, result):
    for n in prange(x.size):
        result[n] = x[(n // width) * width + (width - 1 - n % width)]


@pytest.mark.parametrize("width", [1, 7, 30, 1000])
def test_loops_of_dpjit(width):
    x = np.arange(width * 999)
    result = dpnp.zeros(x.size, dtype="i8")
    dpjit(flat)(dpnp.asarray(x), width, result)
    np.testing.assert_array_equal(dpnp.asnumpy(result), x.reshape(-1, width)[:, ::-1].ravel())


@ndx.kernel
def fills_tiles(item: kapi.NdItem, x, y, tile):
    li, lj = item.get_local_id(0), item.get_local_id(1)
    for k in range(li * 8 + lj, 10 * 13, 64):
        tile[k // 13, k % 13] = x[k]
    kapi.group_barrier(item.get_group())
    for k in range(li * 8 + lj, 10 * 13, 64):
        y[item.get_group().get_group_id(0), k] = tile[k // 13, k % 13] + tile[k % 10, k // 10]


@pytest.mark.parametrize("groups", [1, 300])
def test_tiles_that_are_filled_by_flat_indices(groups):
    x = np.arange(130.0)
    y = dpnp.zeros((groups, 130))
    space = ndx.NdRange((8 * groups, 8), (8, 8))
    ndx.call_kernel(fills_tiles, space, dpnp.asarray(x), y, kapi.LocalAccessor((10, 13), np.float64))
    k = np.arange(130)
    wanted = x + x.reshape(10, 13)[k % 10, k // 10]
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.tile(wanted, (groups, 1)))


@ndx.kernel
def windows(item: kapi.Item, x, y):
    i, j = item.get_id(0), item.get_id(1)
    if 1 < i < x.shape[0] - 2 and 0 < j < x.shape[1] - 1:
        total = x.dtype.type(0)
        for a in range(5):
            for b in range(3):
                total += x[i + a - 2, j + b - 1] * (a + 2 * b)
        y[i, j] = total
    elif i == 0:
        for b in range(4):
            y[i, j] += x[i - b, j - b]  # from the end


@pytest.mark.parametrize("shape", [(5, 3), (6, 40), (70, 8200)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_windows_behind_tests_of_edges(shape, dtype):
    x = (np.arange(shape[0] * shape[1]) % 100).astype(dtype).reshape(shape)
    y = dpnp.zeros(shape, dtype=dtype)
    ndx.call_kernel(windows, ndx.Range(*shape), dpnp.asarray(x), y)
    wanted = np.zeros_like(x)
    height, width = shape
    for a in range(5):
        for b in range(3):
            wanted[2:-2, 1:-1] += x[a : a + height - 4, b : b + width - 2] * np.asarray(a + 2 * b, dtype)
    for b in range(4):
        wanted[0] += x[-b, (np.arange(width) - b) % width]
    np.testing.assert_array_equal(dpnp.asnumpy(y), wanted)


@ndx.kernel
def periodic(item: kapi.Item, x, y):
    i, j = item.get_id(0), item.get_id(1)
    total = x.dtype.type(0)
    for a in range(-2, 3):
        for b in range(-1, 2):
            total += x[(i + a) % x.shape[0], (j + b) % x.shape[1]] * (2 * a + b)
    y[i, j] = total


@ndx.kernel
def periodic_row(item: kapi.Item, x, y, shift):
    i = item.get_id(0)
    y[i] = x[(i - shift) % x.size] + x[(i + shift) % x.size]


@pytest.mark.parametrize("shape", [(3, 3), (5, 20), (301, 1000), (3, 70_001)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_periodic_neighbours(shape, dtype):
    x = (np.arange(shape[0] * shape[1]) % 101).astype(dtype).reshape(shape)
    y = dpnp.zeros(shape, dtype=dtype)
    ndx.call_kernel(periodic, ndx.Range(*shape), dpnp.asarray(x), y)
    wanted = sum(np.roll(x, (-a, -b), (0, 1)) * (2 * a + b) for a in range(-2, 3) for b in range(-1, 2))
    np.testing.assert_array_equal(dpnp.asnumpy(y), wanted)
    row = x.ravel()
    for shift in 0, 1, 7, row.size - 1, row.size, 3 * row.size + 2, -5:
        y = dpnp.zeros(row.size, dtype=dtype)
        ndx.call_kernel(periodic_row, ndx.Range(row.size), dpnp.asarray(row), y, shift)
        np.testing.assert_array_equal(dpnp.asnumpy(y), np.roll(row, shift) + np.roll(row, -shift))
