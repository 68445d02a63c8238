"""Kernels whose work-items read rows of a few elements: vectors of the rows are taken apart in registers."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest

SIZES = [1, 10, 1003, 300_000]


@ndx.kernel
def polynomial_of_row(item, x, y):
    i = item.get_id(0)
    total = x.dtype.type(0)
    for k in range(x.shape[1]):
        total = total * x.dtype.type(3) + x[i, k]
    y[i] = total


@ndx.kernel
def outer_members(item, x, y):
    i = item.get_id(0)
    last = x.shape[1] - 1
    if i % 3 != 1:
        y[i] = x[i, 0] - x[i, last]


@ndx.kernel
def reversed_rows(item, x, y):
    i = item.get_id(0)
    for k in range(x.shape[1]):
        y[i, x.shape[1] - 1 - k] = x[i, k]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("length", [2, 3, 4, 5, 7, 9, 11])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "float32", "int64", "float64"])
def test_rows(size, length, dtype):
    x = (np.arange(size * length) * 7 % 5).astype(dtype).reshape(size, length)
    y, wanted = dpnp.zeros(size, dtype=dtype), np.zeros(size, dtype)
    ndx.call_kernel(polynomial_of_row, ndx.Range(size), dpnp.asarray(x), y)
    for k in range(length):
        wanted = wanted * np.dtype(dtype).type(3) + x[:, k]
    np.testing.assert_array_equal(dpnp.asnumpy(y), wanted)
    y = dpnp.zeros(size, dtype=dtype)
    ndx.call_kernel(outer_members, ndx.Range(size), dpnp.asarray(x), y)
    kept = np.arange(size) % 3 != 1
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.where(kept, x[:, 0] - x[:, -1], np.dtype(dtype).type(0)))
    y = dpnp.zeros((size, length), dtype=dtype)
    ndx.call_kernel(reversed_rows, ndx.Range(size), dpnp.asarray(x), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), x[:, ::-1])
