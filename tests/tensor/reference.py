"""Helpers of tests of functions: operands, memory layouts, and comparison with NumPy."""

from __future__ import annotations

import zlib

import dpctl.tensor as dpt
import numpy as np

CODES = "?bBhHiIlLefdFD"
INTEGERS = "bBhHiIlL"
REALS = "efd"
FLOATS = "efdFD"

# Views of a base array with twice the extent along each axis, one for each memory layout.
LAYOUTS = {
    "rows": lambda a: a[: a.shape[0] // 2, : a.shape[1] // 2],
    "columns": lambda a: a.T[: a.shape[1] // 2, : a.shape[0] // 2],
    "steps": lambda a: a[::2, 1::2],
    "backwards": lambda a: a[::-2, ::-2],
    "mixed": lambda a: a[-1 : a.shape[0] // 2 - 1 : -1, ::2],
}


def sorted_rows(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """numpy.sort, of float16 by way of float32: NumPy 2.4's sort of many float16 loses elements on some CPUs."""
    return np.sort(x.astype(np.float32), axis).astype(x.dtype) if x.dtype == np.float16 else np.sort(x, axis)


def values(code: str, shape: tuple[int, ...], seed: object = 0, low: float = -3, high: float = 3) -> np.ndarray:
    """Pseudo-random numbers of a dtype in a range, determined by the arguments."""
    random = np.random.default_rng(zlib.crc32(repr((code, shape, seed)).encode()))
    if code == "?":
        return random.integers(0, 2, shape).astype(bool)
    if code in INTEGERS:
        bottom = max(int(low), 0) if code.isupper() else int(low)
        return random.integers(bottom, int(high) + 1, shape).astype(code)
    real = random.uniform(low, high, shape)
    if code in "FD":
        real = real + 1j * random.uniform(low, high, shape)
    return real.astype(code)


def laid_out(code: str, layout: str, seed: object = 0, low: float = -3, high: float = 3, extent: int = 6):
    """A square matrix of numbers in a memory layout, as a NumPy array and as a usm_ndarray."""
    base = values(code, (2 * extent, 2 * extent), seed, low, high)
    return LAYOUTS[layout](base), LAYOUTS[layout](dpt.asarray(base))


def tolerance(dtype: np.dtype, ulps: float) -> float:
    return ulps * np.finfo(dtype).eps if dtype.kind in "fc" else 0


def assert_same(ours, reference, ulps: float = 4, near_zero: bool = False) -> None:
    """Assert equal shapes, dtypes, and values up to `ulps`; with `near_zero` up to `ulps` of 1, for cancelling sums."""
    reference = np.asarray(reference)
    found = dpt.asnumpy(ours)
    assert found.shape == reference.shape
    assert found.dtype == reference.dtype
    t = tolerance(reference.dtype, ulps)
    np.testing.assert_allclose(found, reference, rtol=t, atol=t if near_zero or reference.dtype.kind == "c" else 0)
