"""Floats divided by a number that does not change in a loop: the quotients are NumPy's, to the last bit."""

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

DTYPES = [np.float32, np.float64]


def numbers(random: np.random.Generator, dtype: type, length: int) -> np.ndarray:
    """Return numbers of many magnitudes, with a few zeros, infinities, NaNs and subnormal numbers."""
    x = (random.uniform(-2, 2, length) * 2.0 ** random.integers(-55, 56, length)).astype(dtype)
    for special in (0, -0.0, np.inf, np.nan, np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max):
        x[random.integers(0, length, length // 200)] = special
    return x


def same_bits(result: dpt.usm_ndarray, expected: np.ndarray) -> None:
    got = dpt.asnumpy(result)
    np.testing.assert_array_equal(got, expected)
    valid = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got)[valid], np.signbit(expected)[valid])


@ndx.kernel
def scaled(item: kapi.Item, x, h, result):
    i = item.get_id(0)
    result[i] = x[i] / h


@ndx.kernel
def second_difference(item: kapi.Item, x, h, result):
    i = item.get_id(0)
    if i > 0 and i < x.size - 1:
        before, after = (x[i] - x[i - 1]) / h, (x[i + 1] - x[i]) / h
        result[i] = (after - before) / h
    else:
        result[i] = x[i] / h


@ndx.kernel
def shares_of_rows(item: kapi.Item, x, result):
    i = item.get_id(0)
    total = x[i, 0]
    for j in range(1, x.shape[1]):
        total += x[i, j]
    for j in range(x.shape[1]):
        result[i, j] = x[i, j] / total


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [1, 7, 100, 1003, 100_000])
def test_kernels_divide_by_their_arguments(dtype, length):
    random = np.random.default_rng(length)
    info = np.finfo(dtype)
    result = dpt.empty(length, dtype=dtype)
    for divisor in (0.3, 3, -7.1, 2.0**49, 2.0**51, 1e-30, info.max, info.tiny / 4, 0, np.inf, np.nan):
        x, h = numbers(random, dtype, length), dtype(divisor)
        ndx.call_kernel(scaled, ndx.Range(length), dpt.asarray(x), h, result)
        with np.errstate(all="ignore"):
            same_bits(result, x / h)
            if length > 2:
                ndx.call_kernel(second_difference, ndx.Range(length), dpt.asarray(x), h, result)
                steps = np.diff(x) / h
                expected = np.concatenate([x[:1] / h, np.diff(steps) / h, x[-1:] / h])
                same_bits(result, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(100, 7), (1000, 33), (50, 1000), (2000, 128)])
def test_kernels_divide_rows_by_their_sums(dtype, shape):
    x = np.random.default_rng(1).random(shape).astype(dtype)
    x[3] = 0
    result = dpt.empty(shape, dtype=dtype)
    ndx.call_kernel(shares_of_rows, ndx.Range(shape[0]), dpt.asarray(x), result)
    total = x[:, 0].copy()
    for j in range(1, shape[1]):
        total += x[:, j]
    with np.errstate(all="ignore"):
        same_bits(result, x / total[:, None])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1003,), (100, 64), (40, 100), (30, 128), (300, 5), (11, 5000)])
def test_arrays_are_divided_by_reductions(dtype, shape):
    """Often enough that their loops are compiled, which starts after some calls."""
    random = np.random.default_rng(2)
    x = random.random(shape).astype(dtype)
    x[..., 1] = 0
    given = dpt.asarray(x)
    with np.errstate(all="ignore"):
        for _ in range(60):
            least = dpt.min(given, axis=-1, keepdims=True)
            largest = dpt.max(given, axis=-1, keepdims=True)
            shares = (given - least) / largest
            rest = (1 - shares) / largest / 3
            expected = (x - x.min(axis=-1, keepdims=True)) / x.max(axis=-1, keepdims=True)
            same_bits(shares, expected)
            same_bits(rest, (1 - expected) / x.max(axis=-1, keepdims=True) / dtype(3))
