"""min, max and conditional expressions of Python's integers and elements: the values are those of Python."""

from __future__ import annotations

from types import FunctionType

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex import kernel_api as kapi

DTYPES = ["u1", "i1", "u2", "i2", "i4", "u4", "u8", "i8", "f4", "f8"]
RESULTS = 12


def value_or_number_in_python(x, i):
    return x if i % 2 else 100


def choose(i, x, out):
    out[i, 0] = min(i, x)
    out[i, 1] = max(i, x)
    out[i, 2] = min(x, i)
    out[i, 3] = min(70_000, x)
    out[i, 4] = max(x, -1)
    out[i, 5] = max(x, 3)
    out[i, 6] = min(x, i, 7)
    out[i, 7] = i if i > x else x
    out[i, 8] = x if i < 100 else 2
    out[i, 9] = min(max(x, 0), 255)
    out[i, 10] = min(x, -1)
    out[i, 11] = value_or_number(x, i)


@ndx.func
def value_or_number(x, i):
    if i % 2:
        return x
    return 100


on_device = ndx.func(choose)
reference = FunctionType(choose.__code__, {"value_or_number": value_or_number_in_python})


@ndx.kernel
def kernel(item: kapi.Item, a, out):
    i = item.get_id(0)
    on_device(i, a[i], out)


@dpjit
def loop(a, out):
    for i in prange(a.size):
        on_device(i, a[i], out)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("how", ["dpjit", "kernel"])
def test_values_are_those_of_python(how, dtype):
    a = np.full(70_010, 20).astype(dtype)
    a[::3] = 5
    wanted = np.zeros((a.size, RESULTS))
    sample = sorted({*range(400), *range(65_400, 65_700), *range(69_990, 70_010)})
    for i in sample:
        reference(i, a[i], wanted)
    found = dpnp.zeros(wanted.shape)
    if how == "dpjit":
        loop(dpnp.asarray(a), found)
    else:
        ndx.call_kernel(kernel, ndx.Range(a.size), dpnp.asarray(a), found)
    np.testing.assert_array_equal(dpnp.asnumpy(found)[sample], wanted[sample])


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2"])
def test_functions_of_numpy_keep_the_type_of_elements(dtype):
    """`numpy.maximum(x, 100)` of an int8 is one, also where Python's integer is not a constant."""

    @dpjit
    def double(a, n, out):
        for i in prange(a.size):
            out[i, 0] = np.maximum(a[i], n) + a[i]
            out[i, 1] = np.minimum(a[i], n) + a[i]
            out[i, 2] = np.clip(a[i], 0, n) + a[i]

    a = np.full(1000, 100 if dtype == "i1" else 200 if dtype == "u1" else 30_000).astype(dtype)
    n = int(a[0])
    found = dpnp.zeros((1000, 3), "i8")
    double(dpnp.asarray(a), n, found)
    with np.errstate(over="ignore"):
        wanted = np.stack([np.maximum(a, n) + a, np.minimum(a, n) + a, np.clip(a, 0, n) + a], 1)
    np.testing.assert_array_equal(dpnp.asnumpy(found), wanted)
