"""Division of many floats by one, which block kernels compute with multiply-adds: bits as NumPy's."""

import dpctl.tensor as dpt
import numpy as np
import pytest

DTYPES = [np.float32, np.float64]
# below, at and above a block of 256, of which only whole ones are computed with multiply-adds
LENGTHS = [1, 255, 256, 257, 1000, 5000, 40_000]


def numbers(random: np.random.Generator, dtype: type, length: int, span: int) -> np.ndarray:
    """Return numbers of both signs whose exponents are up to `span`."""
    significands = random.uniform(-2, 2, length)
    return (significands * 2.0 ** random.integers(-span, span + 1, length)).astype(dtype)


def with_specials(random: np.random.Generator, x: np.ndarray) -> np.ndarray:
    """Return x with special numbers at random places, some blocks without any."""
    info = np.finfo(x.dtype)
    specials = [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, info.smallest_subnormal, 1.0]
    places = random.choice(len(x), max(len(x) // 400, 1), replace=False)
    x[places] = random.choice(np.array(specials, x.dtype), len(places))
    return x


def same_bits(result: dpt.usm_ndarray, expected: np.ndarray) -> None:
    got = dpt.asnumpy(result)
    assert got.dtype == expected.dtype
    numbers_at = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(got), ~numbers_at)
    words = np.uint32 if got.dtype == np.float32 else np.uint64
    np.testing.assert_array_equal(got.view(words)[numbers_at], expected.view(words)[numbers_at])


def divisors(random: np.random.Generator, dtype: type) -> list[float]:
    info = np.finfo(dtype)
    edges = [2.0**400, 2.0**-400] if dtype == np.float64 else [2.0**50, 2.0**-50]
    exponents = random.integers(-8, 9, 20)
    return [
        *(random.uniform(1, 2, 20) * 2.0**exponents),
        *(-random.uniform(1, 2, 4)),
        *(1 + 2.0**-(info.nmant) * random.integers(0, 9, 4)),
        *(2 - 2.0**-(info.nmant) * random.integers(1, 9, 4)),
        *edges,
        *(e * 1.5 for e in edges),
        *(e / 1.5 for e in edges),
        *(
            0.0,
            -0.0,
            np.inf,
            -np.inf,
            np.nan,
            info.max,
            info.tiny,
            info.tiny / 8,
            info.smallest_subnormal,
            1,
            -1,
            3,
            255,
        ),
    ]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("special", [False, True])
def test_quotients_are_those_of_the_division_instruction(dtype, length, special):
    random = np.random.default_rng(length)
    for divisor in divisors(random, dtype):
        for span in (3, 60, 1000 if dtype == np.float64 else 120):
            x = numbers(random, dtype, length, span)
            if special:
                x = with_specials(random, x)
            y = dtype(divisor)
            with np.errstate(all="ignore"):
                expected = x / y
            same_bits(dpt.asarray(x) / dpt.asarray(y), expected)
            in_place = dpt.asarray(x, copy=True)
            in_place /= dpt.asarray(y)
            same_bits(in_place, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_quotients_close_to_the_middle_of_two_numbers(dtype):
    random = np.random.default_rng(1)
    info = np.finfo(dtype)
    for _ in range(200):
        y = dtype(random.uniform(1, 2))
        near = random.uniform(1, 2, 4096).astype(dtype).astype(np.longdouble)
        middles = (near + np.longdouble(2.0) ** -(info.nmant + 1)) * np.longdouble(y)
        x = middles.astype(dtype)
        for _ in range(3):
            same_bits(dpt.asarray(x) / dpt.asarray(y), x / y)
            x = np.nextafter(x, dtype(9))
