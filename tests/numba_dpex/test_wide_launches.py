"""Launches of two and three dimensions whose rows are longer than those that the CPU runs one after the other."""

from __future__ import annotations

import dpctl
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex import kernel_api as kapi


@ndx.kernel
def number_2d(item: kapi.Item, y):
    i, j = item.get_id(0), item.get_id(1)
    y[i, j] += i * y.shape[1] + j + 1


@ndx.kernel
def number_3d(item: kapi.Item, y):
    i, j, k = item.get_id(0), item.get_id(1), item.get_id(2)
    y[i, j, k] += (i * y.shape[1] + j) * y.shape[2] + k + 1


@pytest.mark.parametrize("width", [1, 8191, 8192, 8193, 16_384, 40_001])
@pytest.mark.parametrize("rows", [(1,), (2,), (37,), (1, 1), (3, 4), (1, 9), (9, 1)])
def test_ranges(rows, width):
    shape = (*rows, width)
    y = dpnp.zeros(shape, dtype="i8")
    ndx.call_kernel(number_2d if len(shape) == 2 else number_3d, ndx.Range(*shape), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.arange(1, y.size + 1).reshape(shape))


@ndx.kernel
def number_of_groups(item: kapi.NdItem, y, tile):
    i, j = item.get_global_id(0), item.get_global_id(1)
    tile[item.get_local_id(1)] = j
    kapi.group_barrier(item.get_group())
    other = tile[item.get_local_range(1) - 1 - item.get_local_id(1)]
    y[i, other] += i * y.shape[1] + other + 1


@ndx.kernel
def number_of_groups_3d(item: kapi.NdItem, y):
    i, j, k = item.get_global_id(0), item.get_global_id(1), item.get_global_id(2)
    y[i, j, k] += (i * y.shape[1] + j) * y.shape[2] + k + 1


@pytest.mark.parametrize(
    ("width", "local"), [(50, 50), (8192, 64), (8256, 64), (40_000, 64), (40_000, 10_000), (30_000, 3)]
)
@pytest.mark.parametrize("rows", [1, 2, 17])
def test_work_groups(rows, width, local):
    device = dpctl.select_default_device()
    if 3 * local > device.max_work_group_size and not device.is_cpu:
        pytest.skip(f"the device has work-groups of up to {device.max_work_group_size}")
    width = width // local * local
    y = dpnp.zeros((rows, width), dtype="i8")
    tile = kapi.LocalAccessor(local, np.int64)
    ndx.call_kernel(number_of_groups, ndx.NdRange((rows, width), (1, local)), y, tile)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.arange(1, y.size + 1).reshape(y.shape))
    y = dpnp.zeros((rows, 6, width), dtype="i8")
    ndx.call_kernel(number_of_groups_3d, ndx.NdRange((rows, 6, width), (1, 3, local)), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.arange(1, y.size + 1).reshape(y.shape))


def pairs(x, y, result):
    for i in prange(x.size):
        for j in prange(y.size):
            result[i, j] = x[i] - y[j]


@pytest.mark.parametrize("width", [100, 20_000])
def test_nested_loops_of_dpjit(width):
    x, y = np.arange(23.0), np.arange(width) * 2.0
    result = dpnp.zeros((23, width))
    dpjit(pairs)(dpnp.asarray(x), dpnp.asarray(y), result)
    np.testing.assert_array_equal(dpnp.asnumpy(result), x[:, None] - y)
