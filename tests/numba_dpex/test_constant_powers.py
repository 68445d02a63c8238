"""Powers with constant exponents in kernels: products and square roots, which have the values of `pow`."""

from __future__ import annotations

import math

import dpnp
import numba_dpex as dpex
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

EXPONENTS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, -1.0, -2.0, -3.0, -4.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5)


@dpex.kernel
def powers(item: kapi.Item, x, out):
    i = item.get_id(0)
    v = x[i]
    out[i, 0] = math.pow(v, 0.0)
    out[i, 1] = math.pow(v, 1.0)
    out[i, 2] = math.pow(v, 2.0)
    out[i, 3] = math.pow(v, 3.0)
    out[i, 4] = math.pow(v, 4.0)
    out[i, 5] = math.pow(v, 5.0)
    out[i, 6] = math.pow(v, -1.0)
    out[i, 7] = math.pow(v, -2.0)
    out[i, 8] = math.pow(v, -3.0)
    out[i, 9] = v**-4.0
    out[i, 10] = v**0.5
    out[i, 11] = v**-0.5
    out[i, 12] = v**1.5
    out[i, 13] = v**-1.5
    out[i, 14] = v**2.5
    out[i, 15] = math.pow(v, -2.5)


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_constant_exponents(name: str) -> None:
    if name == "float64" and not dpnp.empty(1, dtype="float32").sycl_device.has_aspect_fp64:
        pytest.skip("the device has no float64")
    dtype = np.dtype(name)
    limits = np.finfo(dtype)
    random = np.random.default_rng(1)
    reach = math.log(float(limits.max))
    x = np.exp(random.uniform(-reach, reach, 20_000)).astype(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, -2.5, limits.max, -limits.max, limits.tiny]
    x[: len(special)] = special
    out = dpnp.zeros((len(x), len(EXPONENTS)), dtype=dtype)
    dpex.call_kernel(powers, dpex.Range(len(x)), dpnp.asarray(x), out)
    for exponent, found in zip(EXPONENTS, dpnp.asnumpy(out).T, strict=True):
        with np.errstate(all="ignore"):
            exact = np.power(x.astype(np.longdouble), np.full(x.shape, exponent, np.longdouble))
            wanted = exact.astype(dtype)
            finite = np.isfinite(found) & np.isfinite(wanted)
            difference = np.abs(found[finite] - exact[finite]).astype(float)
            unit = np.spacing(np.abs(wanted[finite])).astype(float)
        normal = np.abs(wanted[finite]) >= limits.tiny  # GPUs may flush smaller floats
        assert np.max(difference[normal] / unit[normal], initial=0) <= (5 if exponent == -4 else 4), exponent
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted), str(exponent))
        np.testing.assert_array_equal(
            np.signbit(found[: len(special)][wanted[: len(special)] == wanted[: len(special)]]),
            np.signbit(wanted[: len(special)][wanted[: len(special)] == wanted[: len(special)]]),
        )
        infinite = np.isinf(wanted)
        assert np.all(np.abs(found[infinite]) >= limits.max * dtype.type(0.999))
