"""Powers whose exponent is a number. Frequent exponents have operations of their own; all must be `pow`."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest

EXPONENTS = (0, 1, 2, 3, 4, 5, -1, -2, -3, 0.5, -0.5, 1.5, -1.5, 2.0, 3.0, 4.0, 2.5, 1 / 3)
SIZES = (1, 7, 1000, 300_001)


def numbers(dtype: np.dtype, size: int) -> np.ndarray:
    """Numbers of many magnitudes, then special values."""
    random = np.random.default_rng(size)
    if dtype.kind == "i" or dtype.kind == "u":
        return random.integers(0 if dtype.kind == "u" else -20, 20, size).astype(dtype)
    if dtype.kind == "c":
        return (random.normal(size=size) + 1j * random.normal(size=size)).astype(dtype)
    limits = np.finfo(dtype)
    reach = np.log(float(limits.max))
    values = np.exp(random.uniform(-reach, reach, size)) * random.choice([1, 1, 1, -1], size)
    special = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1,
        -1,
        limits.max,
        -limits.max,
        limits.tiny,
        limits.smallest_subnormal,
    ]
    values[: min(size, len(special))] = special[:size]
    with np.errstate(over="ignore"):
        return values.astype(dtype)


def expected(x: np.ndarray, exponent: float) -> np.ndarray:
    """The power in the widest type, rounded once. Exponents are arrays: NumPy's `**` has short cuts for numbers."""
    if x.dtype.kind in "iu":
        return np.power(x, np.full_like(x, exponent))
    wide = np.clongdouble if x.dtype.kind == "c" else np.longdouble
    with np.errstate(all="ignore"):
        return np.power(x.astype(wide), np.full(x.shape, x.dtype.type(exponent), wide)).astype(x.dtype)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize(
    "name", ["float64", "float32", "float16", "complex64", "complex128", "int64", "int8", "uint32"]
)
def test_power_by_a_number(name: str, exponent: float, size: int) -> None:
    dtype = np.dtype(name)
    if dtype.kind in "iu" and (exponent < 0 or isinstance(exponent, float)):
        pytest.skip("not a power of integers")
    if name not in ("float32", "complex64", "int64", "int8", "uint32"):
        kind = dpt.asarray([1.0], dtype="float32").sycl_device
        if not {"float16": kind.has_aspect_fp16, "complex128": kind.has_aspect_fp64}.get(name, kind.has_aspect_fp64):
            pytest.skip(f"the device has no {name}")
    x = numbers(dtype, size)
    wanted = expected(x, exponent)
    array = dpt.asarray(x)
    written = dpt.empty_like(array)
    dpt.pow(array, exponent, out=written)
    in_place = dpt.asarray(x, copy=True)
    in_place **= exponent
    fused = (array * 1) ** exponent + 0
    every_other = dpt.asarray(np.repeat(x, 2))[::2] ** exponent
    for result in (array**exponent, dpt.pow(array, exponent), written, in_place, fused, every_other):
        assert result.dtype == dtype
        found = dpt.asnumpy(result)
        if dtype.kind in "iu":
            np.testing.assert_array_equal(found, wanted)
        elif dtype.kind == "c":
            np.testing.assert_allclose(found, wanted, rtol=40 * np.finfo(dtype).eps)
        else:
            np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
            numbers_only = np.isfinite(found) & np.isfinite(wanted)
            difference = np.abs(found[numbers_only].astype(float) - wanted[numbers_only].astype(float))
            with np.errstate(over="ignore"):
                unit = np.spacing(np.abs(wanted[numbers_only])).astype(float)
            assert np.max(difference / unit, initial=0) <= 3
            at_the_end = ~numbers_only & ~np.isnan(wanted)  # an infinity: both, with its sign, or the largest number
            np.testing.assert_array_equal(np.sign(found[at_the_end]), np.sign(wanted[at_the_end]))
            assert np.all(np.abs(found[at_the_end]) >= np.finfo(dtype).max * 0.999)
        if result is not fused and dtype.kind == "f":  # adding 0 changes the sign of -0
            np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(wanted[found == 0]))


def test_powers_have_the_signs_and_ends_of_the_standard() -> None:
    x = dpt.asarray([-0.0, 0.0, -np.inf, np.inf])
    table = {
        0.5: [0.0, 0.0, np.inf, np.inf],
        -0.5: [np.inf, np.inf, 0.0, 0.0],
        1.5: [0.0, 0.0, np.inf, np.inf],
        -1.5: [np.inf, np.inf, 0.0, 0.0],
        3: [-0.0, 0.0, -np.inf, np.inf],
        -1: [-np.inf, np.inf, -0.0, 0.0],
        -2: [np.inf, np.inf, 0.0, 0.0],
    }
    for exponent, wanted in table.items():
        found = dpt.asnumpy(x**exponent)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
