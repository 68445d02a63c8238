"""Kernels can read read-only arrays, and launching a kernel that writes to one is an error."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError


@ndx.kernel
def copy(a, b):
    i = ndx.get_global_id(0)
    b[i] = a[i]


@ndx.kernel
def count(a, b):
    ndx.atomic.add(b, 0, a[ndx.get_global_id(0)])


@ndx.kernel
def fill_slices(a, b):
    i = ndx.get_global_id(0)
    b[i : i + 1] = a[i]


@ndx.device_func
def set_element(where, i, x):
    where[i] = x


@ndx.kernel
def by_a_function(a, b):
    i = ndx.get_global_id(0)
    set_element(b, i, a[i])


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("kernel", [copy, count, fill_slices, by_a_function], ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize("ranges", [8, ((8,), (4,)), ndx.Range(8)], ids=str)
def test_writing_to_a_read_only_numpy_array_is_an_error(kernel, ranges):
    out = read_only(np.zeros(8))
    with pytest.raises(TypingError, match="read-only"):
        kernel[ranges](dpnp.ones(8), out)
    assert not out.any()
    writable = np.zeros(8)
    kernel[ranges](dpnp.ones(8), writable)  # other arrays still work
    assert writable.any()


@pytest.mark.parametrize("module", [dpnp, dpt])
def test_read_only_arrays_can_be_read(module):
    x, out = read_only(np.arange(8.0)), np.zeros(8)

    @ndx.kernel
    def add(a, x, out):
        i = ndx.get_global_id(0)
        out[i] = a[i] + x[i]

    add[8](module.ones(8), x, out)
    np.testing.assert_array_equal(out, np.arange(8.0) + 1)
    on_device = dpt.ones(8)
    on_device.flags.writable = False
    copy[8](on_device, out)
    np.testing.assert_array_equal(out, np.ones(8))


def test_read_only_device_arrays_are_checked_in_kernels_and_in_the_simulation():
    out = dpt.zeros(4)
    out.flags.writable = False

    @ndx.kernel
    def fill(item: kapi.Item, a, b):
        b[item.get_id(0)] = a[item.get_id(0)]

    with pytest.raises(TypingError, match="b is a read-only 1-dimensional array of float64"):
        ndx.call_kernel(fill, ndx.Range(4), dpt.ones(4), out)
    with pytest.raises(TypingError, match="read-only"):
        ndx.call_kernel_async(fill, ndx.Range(4), (), dpt.ones(4), out)
    with pytest.raises(ValueError, match="read-only"):
        kapi.call_kernel(fill, ndx.Range(4), dpt.ones(4), out)


def test_signatures_accept_read_only_arrays_that_the_kernel_only_reads():
    floats = ndx.usm_ndarray(1, "C", ndx.float64)

    @ndx.kernel([(floats, floats)])
    def double(a, b):
        i = ndx.get_global_id(0)
        b[i] = 2 * a[i]

    out = np.zeros(4)
    double[4](dpt.ones(4), out)
    one = dpt.ones(4)
    one.flags.writable = False
    for _ in range(2):
        double[4](one, out)
        assert out.tolist() == [2.0] * 4
    with pytest.raises(TypingError, match="read-only"):
        double[4](dpt.ones(4), read_only(out))
