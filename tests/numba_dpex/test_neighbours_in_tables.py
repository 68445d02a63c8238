"""Loads of neighbours at computed positions, of which some count from the end of the array."""

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi


@ndx.kernel
def two(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    k = at[i]
    out[i] = table[k] + 2 * table[k + 1]


@ndx.kernel
def four(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    k = at[i]
    out[i] = table[k - 1] + 2 * table[k] + 3 * table[k + 1] + 4 * table[k + 2]


@ndx.kernel
def stored_between(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    k = at[i]
    out[i] = table[k]
    out[i] += 2 * table[k + 1]


@ndx.kernel
def changed_between(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    k = at[i]
    a = table[k]
    if k == at[(i + 1) % at.size]:
        a = -a
    out[i] = a + 2 * table[k + 1]


@ndx.kernel
def looped(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    out[i] = 0
    for j in range(3):
        k = at[(i + j) % at.size]
        out[i] += table[k] + 2 * table[k + 1]


@ndx.kernel
def chained(item: kapi.Item, at, table, out):
    i = item.get_id(0)
    k = at[i]
    m = int(table[k]) % 5
    out[i] = table[k + 1] + table[m] + table[m + 1]


def expected(kernel, at, t):
    k = at.astype(np.int64)
    if kernel is four:
        return t[k - 1] + 2 * t[k] + 3 * t[k + 1] + 4 * t[k + 2]
    if kernel is changed_between:
        return np.where(k == np.roll(k, -1), -t[k], t[k]) + 2 * t[k + 1]
    if kernel is looped:
        return sum(t[np.roll(k, -j)] + 2 * t[np.roll(k, -j) + 1] for j in range(3))
    if kernel is chained:
        m = t[k].astype(np.int64) % 5
        return t[k + 1] + t[m] + t[m + 1]
    return t[k] + 2 * t[k + 1]


@pytest.mark.parametrize("signs", ["nonnegative", "negative", "mixed", "one of many", "around zero"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
@pytest.mark.parametrize("index", ["i4", "i8"])
@pytest.mark.parametrize("kernel", [two, four, stored_between, changed_between, looped, chained])
def test_positions_of_any_sign(kernel, index, dtype, signs):
    count, size = 1003, 300
    random = np.random.default_rng(7)
    low, high = {"negative": (1 - size, -3), "mixed": (1 - size, size - 3), "around zero": (-3, 4)}.get(
        signs, (1, size - 3)
    )
    at = random.integers(low, high, count).astype(index)
    if signs == "one of many":
        at[500] = -1
    table = random.integers(0, 1000, size).astype(dtype)
    out = dpnp.zeros(count, dtype=dtype)
    ndx.call_kernel(kernel, ndx.Range(count), dpnp.asarray(at), dpnp.asarray(table), out)
    np.testing.assert_array_equal(out.asnumpy(), expected(kernel, at, table))


@ndx.kernel
def bilinear(item: kapi.Item, x, y, image, out):
    i = item.get_id(0)
    u, v = int(x[i]), int(y[i])
    a, b = x[i] - u, y[i] - v
    upper = image[v, u] * (1 - a) + image[v, u + 1] * a
    out[i] = upper * (1 - b) + (image[v + 1, u] * (1 - a) + image[v + 1, u + 1] * a) * b


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("low", [0, -60])
def test_bilinear_interpolation(low, dtype):
    random = np.random.default_rng(3)
    image = random.random((71, 63)).astype(dtype)
    x, y = (random.uniform(low, 60, 5003).astype(dtype) for _ in range(2))
    out = dpnp.zeros(x.size, dtype=dtype)
    ndx.call_kernel(bilinear, ndx.Range(x.size), *map(dpnp.asarray, (x, y, image)), out)
    u, v = x.astype(np.int64), y.astype(np.int64)
    a, b = x - u, y - v
    upper = image[v, u] * (1 - a) + image[v, u + 1] * a
    wanted = upper * (1 - b) + (image[v + 1, u] * (1 - a) + image[v + 1, u + 1] * a) * b
    np.testing.assert_allclose(out.asnumpy(), wanted, rtol=1e-5, atol=1e-5)


@ndx.dpjit
def differences(at, table, out):
    for i in ndx.prange(at.size):
        k = at[i]
        out[i] = table[k, 0] - table[k, 1] + table[k + 1, 0] * table[k + 1, 2]


@pytest.mark.parametrize("low", [0, -40])
def test_rows_of_short_vectors(low):
    random = np.random.default_rng(5)
    at, table = random.integers(low, 39, 3001), random.random((41, 3))
    out = dpnp.zeros(at.size)
    differences(dpnp.asarray(at), dpnp.asarray(table), out)
    wanted = table[at, 0] - table[at, 1] + table[at + 1, 0] * table[at + 1, 2]
    np.testing.assert_allclose(out.asnumpy(), wanted, rtol=1e-14)
