"""Kernels whose work-items read neighbours, by how they treat the borders of arrays, beside NumPy's `pad`.

The compiler runs the inner work-items of such kernels without the conditions of the borders.
"""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

SHAPES = [(1, 1), (1, 2), (3, 5), (16, 16), (7, 33), (40, 100), (6, 259)]
DTYPES = ["u1", "i2", "i4", "f4", "f8"]


@ndx.func
def weighted(a, left, right, above, below, y, x):
    return a[y, left] + 2 * a[y, right] + 3 * a[above, x] + 4 * a[below, x] + 5 * a[above, left] + 6 * a[below, right]


@ndx.kernel
def by_min_and_max(item: kapi.Item, a, out):
    y, x = item.get_id(0), item.get_id(1)
    h, w = a.shape
    out[y, x] = weighted(a, max(x - 1, 0), min(x + 1, w - 1), max(y - 1, 0), min(y + 1, h - 1), y, x)


@ndx.kernel
def by_choices(item: kapi.Item, a, out):
    y, x = item.get_id(0), item.get_id(1)
    h, w = a.shape
    left = x - 1 if x > 0 else 0
    right = x + 1 if x < w - 1 else x
    above = 0 if y == 0 else y - 1
    below = y if y + 1 == h else y + 1
    out[y, x] = weighted(a, left, right, above, below, y, x)


@ndx.kernel
def by_negative_indices(item: kapi.Item, a, out):
    y, x = item.get_id(0), item.get_id(1)
    h, w = a.shape
    out[y, x] = weighted(a, x - 1, x + 1 if x + 1 < w else 0, y - 1, (y + 1) % h, y, x)


@ndx.kernel
def by_remainders(item: kapi.Item, a, out):
    y, x = item.get_id(0), item.get_id(1)
    h, w = a.shape
    out[y, x] = weighted(a, (x - 1) % w, (x + 1) % w, (y - 1) % h, (y + 1) % h, y, x)


@ndx.kernel
def remainders_in_groups(item: kapi.NdItem, a, out):
    y, x = item.get_global_id(0), item.get_global_id(1)
    h, w = a.shape
    if y < h and x < w:
        out[y, x] = weighted(a, (x - 1) % w, (x + 1) % w, (y - 1) % h, (y + 1) % h, y, x)


@ndx.kernel
def min_and_max_in_groups(item: kapi.NdItem, a, out):
    y, x = item.get_global_id(0), item.get_global_id(1)
    h, w = a.shape
    if y < h and x < w:
        out[y, x] = weighted(a, max(x - 1, 0), min(x + 1, w - 1), max(y - 1, 0), min(y + 1, h - 1), y, x)


def wanted(a, mode):
    p = np.pad(a.astype("i8"), 1, mode=mode)
    return (
        p[1:-1, :-2] + 2 * p[1:-1, 2:] + 3 * p[:-2, 1:-1] + 4 * p[2:, 1:-1] + 5 * p[:-2, :-2] + 6 * p[2:, 2:]
    ).astype(a.dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_neighbours(shape, dtype):
    a = np.random.default_rng(1).integers(0, 12, shape).astype(dtype)
    grid = tuple(-(-n // 16) * 16 for n in shape)
    for kernel, mode in (
        (by_min_and_max, "edge"),
        (by_choices, "edge"),
        (by_negative_indices, "wrap"),
        (by_remainders, "wrap"),
        (remainders_in_groups, "wrap"),
        (min_and_max_in_groups, "edge"),
    ):
        out = dpnp.zeros(shape, dtype=dtype)
        grouped = "groups" in kernel.__name__
        ndx.call_kernel(kernel, ndx.NdRange(grid, (16, 16)) if grouped else ndx.Range(*shape), dpnp.asarray(a), out)
        np.testing.assert_array_equal(dpnp.asnumpy(out), wanted(a, mode), err_msg=kernel.__name__)


@ndx.kernel
def window(item: kapi.Item, a, out, radius):
    i = item.get_id(0)
    n = a.shape[0]
    total = 0
    for j in range(-radius, radius + 1):
        k = min(max(i + j, 0), n - 1)
        total += a[k] * (j + radius + 1)
    out[i] = total


@ndx.kernel
def skipping(item: kapi.Item, a, out, radius):
    i = item.get_id(0)
    n = a.shape[0]
    total = 0
    for j in range(-radius, radius + 1):
        if i + j >= 0 and i + j < n:
            total += a[i + j] * (j + radius + 1)
    out[i] = total


@pytest.mark.parametrize("size", [1, 5, 100, 5000])
@pytest.mark.parametrize("radius", [0, 1, 3, 40])
def test_windows(size, radius):
    a = np.arange(size) * 3 % 17
    weights = np.arange(2 * radius + 1, 0, -1)
    for kernel, mode in (window, "edge"), (skipping, "constant"):
        out = dpnp.zeros(size, dtype="i8")
        ndx.call_kernel(kernel, ndx.Range(size), dpnp.asarray(a), out, radius)
        np.testing.assert_array_equal(dpnp.asnumpy(out), np.convolve(np.pad(a, radius, mode=mode), weights, "valid"))
