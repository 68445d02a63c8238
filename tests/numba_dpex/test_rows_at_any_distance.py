"""Kernels whose work-items access two to four neighbouring elements, at distances that are known at run time only.

Vectors load and store whole rows where all work-items are active. Each kernel is compared with the same function in
Python.
"""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest

SIZES = [1, 7, 64, 1003, 50_001]


def rotated(i, x, y):
    """Rows of three elements, of arrays whose rows have any length."""
    a, b, c = x[i, 0], x[i, 1], x[i, 2]
    y[i, 0] = b
    y[i, 1] = c
    y[i, 2] = a


def in_place(i, x, y):
    """Later elements of a row are loaded after earlier ones are stored."""
    y[i, 0] = y[i, 1] + x[i, 0]
    y[i, 1] = y[i, 2] - y[i, 0]
    y[i, 2] = y[i, 3] + x[i, 3]
    y[i, 3] = y[i, 0]


def stored_twice(i, x, y):
    y[i, 0] = x[i, 3]
    y[i, 1] = x[i, 2]
    y[i, 0] = x[i, 1] + y[i, 0]
    y[i, 3] = x[i, 0]


def with_gap(i, x, y):
    y[i, 0] = x[i, 0] - x[i, 2]
    y[i, 3] = x[i, 1]


def under_conditions(i, x, y):
    if x[i, 0] > 2:
        y[i, 0] = x[i, 1]
        y[i, 1] = x[i, 0]
    else:
        y[i, 2] = x[i, 2]
        y[i, 3] = x[i, 2] + x[i, 3]
    if i % 5 == 3:
        return
    y[i, 1] = y[i, 0] - x[i, 1]
    y[i, 2] = y[i, 3] - x[i, 2]


def of_other_rows(i, x, y):
    """Rows that are looked up, where several work-items may load the same one."""
    k = (i * i + 3) % x.shape[0]
    y[i, 0] = x[k, 1]
    y[i, 1] = x[k, 0]
    y[i, 2] = x[k, 3] - x[k, 2]


def within_loops(i, x, y):
    for k in range(x.shape[1] - 1):
        y[i, k] = x[i, k + 1] - x[i, k]
        y[i, k + 1] = x[i, k]


FUNCTIONS = [rotated, in_place, stored_twice, with_gap, under_conditions, of_other_rows, within_loops]


def as_kernel(function):
    of_row = ndx.device_func(function)

    @ndx.kernel
    def run(item, x, y):
        of_row(item.get_id(0), x, y)

    return run


KERNELS = {each.__name__: as_kernel(each) for each in FUNCTIONS}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("length", [4, 5, 11])
@pytest.mark.parametrize("dtype", ["int16", "int32", "float32", "int64", "float64"])
@pytest.mark.parametrize("name", KERNELS)
def test_rows(name, dtype, length, size):
    x = (np.arange(size * length) * 7 % 5).astype(dtype).reshape(size, length)
    y = (np.arange(size * length) * 3 % 11).astype(dtype).reshape(size, length)
    few = min(size, 1003)  # Python's rows
    found, expected = dpnp.asarray(y), y[:few].copy()
    ndx.call_kernel(KERNELS[name], ndx.Range(size), dpnp.asarray(x), found)
    function = next(each for each in FUNCTIONS if each.__name__ == name)
    for i in range(few):
        if name == "of_other_rows":
            k = (i * i + 3) % size
            expected[i, :3] = x[k, 1], x[k, 0], x[k, 3] - x[k, 2]
        else:
            function(i, x[:few], expected)
    np.testing.assert_array_equal(dpnp.asnumpy(found)[:few], expected)


@pytest.mark.parametrize("step", [2, 3, -1])
def test_views(step):
    """Rows of every second array row, in reverse, and of columns in the middle."""
    for size in (1, 100, 5003):
        x = np.arange(size * 18.0).reshape(size * 3, 6)
        y = np.zeros_like(x)
        device_x, device_y = dpnp.asarray(x), dpnp.asarray(y)
        rows = slice(None, None, step)
        count = len(x[rows])
        ndx.call_kernel(KERNELS["rotated"], ndx.Range(count), device_x[rows, 1:5], device_y[rows, 2:])
        for i in range(count):
            rotated(i, x[rows, 1:5], y[rows, 2:])
        np.testing.assert_array_equal(dpnp.asnumpy(device_y), y)
