"""dpjit: parallel loops that reduce arrays, and that create arrays of variable size, beside the same code in NumPy."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import NumbaDpexPerformanceWarning
from test_dpjit import check, values

SHAPES = [(0, 3), (1, 1), (10, 3), (257, 40), (100_003, 2)]


def adds(x, total):
    for i in prange(x.shape[0]):
        total += x[i]
    return total


def adds_to_new(x, total):
    for i in prange(x.shape[0]):
        total = total + 2 * x[i]
    return total


def adds_from_the_right(x, total):
    for i in prange(x.shape[0]):
        total = x[i] + total
    return total


def subtracts(x, total):
    for i in prange(x.shape[0]):
        if i % 3 != 1:
            total -= x[i] - 1
    return total


def adds_numbers(x, total):
    for i in prange(x.shape[0]):
        total += x[i, 0]
    return total


@pytest.mark.parametrize("dtype", ["i4", "u8", "i8", "f4", "f8", "c16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_of_rows(shape, dtype):
    x, total = values(shape[0] * shape[1], dtype).reshape(shape), values(shape[1], dtype)
    rtol = 1e-3 if dtype == "f4" else 1e-9
    for function in adds, adds_to_new, adds_from_the_right, subtracts, adds_numbers:
        check(function, x, total, rtol=rtol)


def multiplies(x, total):
    for i in prange(x.shape[0]):
        total *= 1 + x[i] / 1e6
    return total


def least(x, total):
    for i in prange(x.shape[0]):
        total = dpnp.minimum(total, x[i])
    return total


def greatest(x, total):
    for i in prange(x.shape[0]):
        total = dpnp.maximum(x[i] * 2, total)
    return total


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_products_and_extrema_of_rows(shape, dtype):
    x, total = values(shape[0] * shape[1], dtype).reshape(shape), values(shape[1], dtype)
    for function in multiplies, least, greatest:
        check(function, x, total, rtol=1e-3 if dtype == "f4" else 1e-9)
    if len(x) > 5:
        x[5, 0] = np.nan
        for function in least, greatest:
            check(function, x, total)


def ands(x, total):
    for i in prange(x.shape[0]):
        total &= x[i] | 5
    return total


def ors(x, total):
    for i in prange(x.shape[0]):
        total |= x[i]
    return total


def exclusive_ors(x, total):
    for i in prange(x.shape[0]):
        total ^= x[i]
    return total


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_of_rows(shape, dtype):
    x = (values(shape[0] * shape[1], "i8").reshape(shape) % 50 == 0).astype(dtype)
    for function in (ors, exclusive_ors) if dtype == "?" else (ands, ors, exclusive_ors):
        check(function, x, np.ones(shape[1], dtype))


def matrices(x, total, factor):
    count, largest = 0, 0.0
    for i in prange(x.shape[0]):
        total += factor * x[i]
        count += 1
        largest = max(largest, x[i, 0, 0])
    return total, count, largest


def test_several_reductions():
    for n in 1, 9, 3000:
        check(matrices, values(n * 12).reshape(n, 3, 4), np.zeros((3, 4)), 2.0)


def array_before_number(x, a, b):
    for i in prange(x.shape[0]):
        a += x[i]
        b += x[i, 0]
    return a, b


def test_an_array_and_a_number():
    for n in 1, 10, 3000:
        check(array_before_number, values(n * 3).reshape(n, 3), np.zeros(3), 1.0)


def of_two_arrays(x, sums, squares):
    for i in prange(x.shape[0]):
        for k in range(2):
            sums += x[i] * k
        squares += x[i] ** 2
    return sums, squares


def test_two_arrays():
    check(of_two_arrays, values(3000).reshape(1000, 3), np.zeros(3), np.zeros(3))


def nested(x, total):
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            total += x[i, j]
    return total


def test_nests():
    check(nested, values(600).reshape(20, 10, 3), np.zeros(3))


def covariance(x):
    n, m = x.shape
    mean = dpnp.sum(x, axis=0) / n
    total = dpnp.zeros((m, m))
    for i in prange(n):
        d = x[i] - mean
        total += d.reshape(m, 1) * d
    return total / n


def test_operations_that_are_not_compiled_keep_their_meaning():
    check(covariance, values(300).reshape(100, 3), warns=True)


def mixed(x, total):
    for i in prange(x.shape[0]):
        total += x[i]
        total = total + 1
    return total


def test_arrays_that_are_reduced_by_python():
    x = values(30).reshape(10, 3)
    check(mixed, x, np.zeros(3), warns=True)
    check(adds_to_new, x, np.zeros(3, "f4"), rtol=1e-5, warns=True)
    check(adds, np.ones((2, 70_000)), np.zeros(70_000), warns=True)
    with pytest.warns(NumbaDpexPerformanceWarning, match="a wider kind of number"), pytest.raises(ValueError):
        dpjit(adds)(dpnp.asarray(x), dpnp.zeros(3, dtype="i4"))


def test_sums_in_arrays_of_dpctl():
    x = values(3000).reshape(1000, 3)
    total = dpt.zeros(3)
    result = dpjit(adds)(dpt.asarray(x), total)
    assert result is total
    np.testing.assert_allclose(dpt.asnumpy(total), x.sum(0))


def test_sums_are_the_same_in_every_call():
    x, function = dpnp.asarray(values(300_000).reshape(100_000, 3)), dpjit(adds)
    first = dpnp.asnumpy(function(x, dpnp.zeros(3)))
    for _ in range(5):
        np.testing.assert_array_equal(dpnp.asnumpy(function(x, dpnp.zeros(3))), first)


# --- arrays that iterations create


def medians(x, out):
    n = x.shape[1]
    for i in prange(x.shape[0]):
        row = dpnp.empty(n, dtype=x.dtype)
        seen = dpnp.zeros((2, n), dtype="i8")
        for j in range(n):
            row[j] = x[i, j]
            seen[1, j] += j
        for a in range(1, n):
            v = row[a]
            b = a - 1
            while b >= 0 and row[b] > v:
                row[b + 1] = row[b]
                b -= 1
            row[b + 1] = v
        out[i] = row[n // 2] + dpnp.sum(seen[1])


def weighted(x, w):
    total = 0.0
    for i in prange(x.shape[0]):
        t = dpnp.full(len(w), 2.0)
        if i % 2 == 0:
            u = dpnp.ones(max(len(w), 3) + 1)
            t += w + u[0]
        total += t.sum() * x[i, 0]
    return total


def squares_of_rows(x, total):
    for i in prange(x.shape[0]):
        t = dpnp.zeros(x.shape[1])
        for j in range(x.shape[1]):
            t[j] = x[i, j] ** 2
        total += t
    return total


@pytest.mark.parametrize("shape", [(0, 5), (1, 20), (5, 3), (100, 17), (3000, 40)])
def test_arrays_of_variable_size(shape):
    x = values(shape[0] * shape[1]).reshape(shape)
    check(medians, x, np.zeros(shape[0]))
    check(medians, (10 * x).astype("i4"), np.zeros(shape[0]))
    check(weighted, x, values(30), rtol=1e-7)
    check(squares_of_rows, x, np.zeros(shape[1]))


def dimensions_of_the_nest(x, out, n):
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            t = dpnp.zeros(n)
            for k in range(n):
                t[k] = x[i, j] * k
            out[i, j] = dpnp.max(t)


def test_arrays_in_nests():
    check(dimensions_of_the_nest, values(60).reshape(6, 10), np.zeros((6, 10)), 5)


def too_large(x, n):
    for i in prange(x.size):
        t = dpnp.zeros(n)
        t[n - 1] = x[i]
        x[i] = t[n - 1] + 1


def unknown_size(x):
    for i in prange(x.size):
        t = dpnp.zeros(i + 1)
        x[i] += t.size


def test_arrays_that_python_creates():
    check(too_large, values(3), 20_000_000, warns=True)
    check(unknown_size, values(5), warns=True)


def previous_row(x, out):
    for i in prange(x.size):
        previous = dpnp.zeros(4)
        for _ in range(5):
            row = dpnp.empty(4)
            for j in range(4):
                row[j] = x[i] + previous[3 - j] * 2 + j
            previous = row
        out[i] = previous[0] + previous[3]


def best_row(x, out):
    for i in prange(x.size):
        best = dpnp.zeros(3)
        least = 1e9
        for k in range(6):
            row = dpnp.full(3, x[i])
            row[k % 3] -= (k * 3) % 5
            if row.sum() < least:
                least = row.sum()
                best = row
        out[i] = best[1]


def buffers(x, out):
    for i in prange(x.size):
        a, b = dpnp.zeros(4), dpnp.ones(4)
        for k in range(5):
            for j in range(4):
                b[j] = a[j] * 2 + x[i] + k
            a, b = b, a
        out[i] = a[0] + b[3]


def test_arrays_that_are_kept_for_the_next_iteration():
    check(previous_row, values(10), np.zeros(10), warns=True)
    check(best_row, values(10), np.zeros(10), warns=True)
    check(buffers, values(10), np.zeros(10))


def dtypes_by_name(x, out):
    for i in prange(x.size):
        a = dpnp.zeros(3, dtype="i1")
        b = dpnp.ones(2, "float32")
        c = dpnp.full(2, 0.1, dtype="f4")
        d = dpnp.zeros(2, dtype="int")
        for k in range(3):
            a[k] = 60 * k
            d[k // 2] += a[k]
        out[i] = a[2] + b[0] * c[1] + d[0] + x[i]


def test_dtypes_by_name():
    with np.errstate(all="ignore"):
        check(dtypes_by_name, values(10), np.zeros(10), rtol=1e-6)
