"""min, max and conditional expressions of Python's integers and elements: the values are those of Python."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex import kernel_api as kapi

DTYPES = ["u1", "i1", "u2", "i2", "i4", "u4", "u8", "i8", "f4", "f8"]
RESULTS = 10


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


on_device = ndx.func(choose)


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
        choose(i, a[i], wanted)
    found = dpnp.zeros(wanted.shape)
    if how == "dpjit":
        loop(dpnp.asarray(a), found)
    else:
        ndx.call_kernel(kernel, ndx.Range(a.size), dpnp.asarray(a), found)
    np.testing.assert_array_equal(dpnp.asnumpy(found)[sample], wanted[sample])
