"""Exchanges within sub-groups by distances and sources that are known at run time only."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

DTYPES = ["int8", "uint16", "int32", "float32", "int64", "float64"]


@ndx.kernel
def select(item: kapi.NdItem, x, source, y, sizes):
    i = item.get_global_id(0)
    group = item.get_sub_group()
    y[i] = kapi.select_from_group(group, x[i], source[i] % group.get_local_linear_range())
    sizes[0] = group.get_local_linear_range()


@ndx.kernel
def shift(item: kapi.NdItem, x, distance, y):
    i = item.get_global_id(0)
    group = item.get_sub_group()
    total = x[i]
    step = distance[0]
    while step > 0:
        other = kapi.shift_group_left(group, total, step)
        if group.get_local_linear_id() + step < group.get_local_linear_range():
            total += other
        step //= 2
    y[i] = total


@pytest.mark.parametrize("size", [64, 64_000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sources_that_are_loaded(dtype, size):
    random = np.random.default_rng(size)
    x, source = (random.random(size) * 100).astype(dtype), random.integers(0, 1000, size)
    y, sizes = dpnp.zeros(size, dtype=dtype), dpnp.zeros(1, dtype="i8")
    space = ndx.NdRange((size,), (64,))
    ndx.call_kernel(select, space, dpnp.asarray(x), dpnp.asarray(source), y, sizes)
    lanes = int(sizes[0])
    first = np.arange(size) // lanes * lanes
    np.testing.assert_array_equal(dpnp.asnumpy(y), x[first + source % lanes])


@pytest.mark.parametrize("size", [64, 64_000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_distances_that_are_halved(dtype, size):
    x = (np.arange(size) % 5).astype(dtype)
    y, sizes = dpnp.zeros(size, dtype=dtype), dpnp.zeros(1, dtype="i8")
    space, zeros = ndx.NdRange((size,), (64,)), dpnp.zeros(size, dtype="i8")
    ndx.call_kernel(select, space, dpnp.asarray(x), zeros, dpnp.zeros_like(y), sizes)
    lanes = int(sizes[0])
    for distance in 1, 2, lanes // 2:
        ndx.call_kernel(shift, space, dpnp.asarray(x), dpnp.asarray([distance]), y)
        wanted = x.reshape(-1, lanes).copy()
        step = distance
        while step > 0:
            wanted[:, : lanes - step] = wanted[:, : lanes - step] + wanted[:, step:]
            step //= 2
        np.testing.assert_array_equal(dpnp.asnumpy(y), wanted.ravel())
