"""Expressions of integer constants have Python's values in kernels, also where those exceed 64 bits."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange


@dpjit
def quotients(x, out):
    for i in prange(x.size):
        out[i, 0] = x[i] / 2**64
        out[i, 1] = x[i] * 10**20 / (1 << 70)
        out[i, 2] = (2**62 * 4 - 1) * x[i]
        out[i, 3] = 5**20 if x[i] < 10**25 else -(3**30)
        y = x[i] + 2**65 // 2**60
        y /= 2**66
        out[i, 4] = y


@dpjit
def bits(x, out):
    for i in prange(x.size):
        out[i, 0] = x[i] & 2**64 - 1
        out[i, 1] = x[i] % (2**61 - 1)
        out[i, 2] = -(2**63) + x[i]
        out[i, 3] = (1 << 80 >> 50) + 2**70 % 1000 + (~5 ^ 3)
        out[i, 4] = x[i] + 2**2**3 - 7 // 2 + (-7) // 2 + -7 % 3


@pytest.mark.parametrize("size", [10, 300_000])
@pytest.mark.parametrize("kernel, dtype", [(quotients, "f8"), (bits, "i8")])
def test_constants_have_pythons_values(kernel, dtype, size):
    if dtype == "f8" and not dpnp.empty(1, dtype="f4").sycl_device.has_aspect_fp64:
        pytest.skip("the device has no float64")
    x = np.arange(1, size + 1).astype(dtype)
    out = dpnp.zeros((size, 5), dtype=dtype)
    kernel(dpnp.asarray(x), out)
    if dtype == "f8":
        large = np.full(size, float(5**20))
        expected = [x / 2**64, x * 10**20 / 2**70, (2.0**64 - 1) * x, large, (x + 32) / 2.0**66]
    else:
        expected = [x, x % (2**61 - 1), -(2**63) + x, 0 * x + 2**30 + 2**70 % 1000 + (~5 ^ 3), x + 256 - 3 - 4 + 2]
    np.testing.assert_allclose(dpnp.asnumpy(out), np.stack(expected, axis=1), rtol=1e-15)


def in_integers(x):
    for i in prange(x.size):
        x[i] = x[i] * 2**64


def as_modulus(x):
    for i in prange(x.size):
        x[i] = x[i] % (1 << 64)


@pytest.mark.parametrize("function", [in_integers, as_modulus])
def test_integers_of_more_bits_are_refused(function):
    with pytest.raises(ValueError, match="does not fit 64 bits, the width of integers in kernels"):
        dpjit(function)(dpnp.ones(3, dtype="i8"))


@dpjit
def mixed(x, k):
    for i in prange(x.size):
        x[i] = (x[i] ^ k) * 0x9E3779B97F4A7C15


@dpjit
def fnv(x):
    h = 0xCBF29CE484222325
    for i in range(x.size):
        h = (h ^ x[i]) * 0x100000001B3
    return h


def test_integers_from_2_63_on_are_uint64():
    for k in (0x9E3779B97F4A7C15, 2**64 - 1, 2**63):
        x = dpnp.arange(5, dtype="u8")
        mixed(x, k)
        assert x.tolist() == [((i ^ k) * 0x9E3779B97F4A7C15) % 2**64 for i in range(5)]
    expected = 0xCBF29CE484222325
    for i in range(4):
        expected = (expected ^ i) * 0x100000001B3 % 2**64
    assert fnv(dpnp.arange(4, dtype="u8")) == expected
    with pytest.raises(OverflowError, match="64 bits"):
        mixed(dpnp.arange(5, dtype="u8"), 2**64)
