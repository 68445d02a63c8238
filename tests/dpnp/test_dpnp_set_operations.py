"""dpnp's union1d, intersect1d, setdiff1d and setxor1d, compared with NumPy's."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

RANDOM = numpy.random.default_rng(13)
DTYPES = ["bool", "int8", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64"]
FUNCTIONS = ["union1d", "intersect1d", "setdiff1d", "setxor1d"]
NAN = numpy.nan


def same(ours: object, expected: object) -> None:
    ours, expected = (x if isinstance(x, tuple) else (x,) for x in (ours, expected))
    for found, wanted in zip(ours, expected, strict=True):
        assert isinstance(found, dpnp.ndarray)
        numpy.testing.assert_array_equal(dpnp.asnumpy(found), wanted, strict=True)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_and_layouts(dtype: str, function: str) -> None:
    ours, theirs = getattr(dpnp, function), getattr(numpy, function)
    a, b = (RANDOM.integers(0, 20, (4, 8)).astype(dtype) for _ in range(2))
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    for change in (lambda z: z, lambda z: z.T, lambda z: z[::-1, ::3], lambda z: z[0], lambda z: z[:0]):
        same(ours(change(x), y), theirs(change(a), b))
        same(ours(x, change(y)), theirs(a, change(b)))
    same(ours(x[:0], y[:0]), theirs(a[:0], b[:0]))
    same(ours(dpt.asarray(a), dpt.asarray(b)), theirs(a, b))


@pytest.mark.parametrize("function", ["intersect1d", "setdiff1d", "setxor1d"])
def test_unique_operands(function: str) -> None:
    a, b = RANDOM.permutation(50)[:30], RANDOM.permutation(50)[:20]
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    expected = getattr(numpy, function)(a, b, assume_unique=True)
    same(getattr(dpnp, function)(x, y, assume_unique=True), expected)


@pytest.mark.parametrize("assume_unique", [False, True])
@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_indices_of_intersections(dtype: str, assume_unique: bool) -> None:
    a, b = RANDOM.permutation(90)[:60].astype(dtype), RANDOM.permutation(90)[:40].astype(dtype)
    if not assume_unique:
        a, b = a // 3, (b // 3).reshape(8, 5)
    options = {"assume_unique": assume_unique, "return_indices": True}
    same(dpnp.intersect1d(dpnp.asarray(a), dpnp.asarray(b), **options), numpy.intersect1d(a, b, **options))


def test_mixed_dtypes_and_nan() -> None:
    a, b = numpy.array([1, 2, 3], "i4"), numpy.array([2.0, 3.5, NAN, NAN], "f4")
    for function in FUNCTIONS:
        same(getattr(dpnp, function)(dpnp.asarray(a), dpnp.asarray(b)), getattr(numpy, function)(a, b))
        same(getattr(dpnp, function)(dpnp.asarray(b), dpnp.asarray(b)), getattr(numpy, function)(b, b))


@settings(deadline=None)
@given(
    a=arrays.arrays("i4", st.integers(0, 30), elements=st.integers(-9, 9)),
    b=arrays.arrays("i4", st.integers(0, 30), elements=st.integers(-9, 9)),
    function=st.sampled_from(FUNCTIONS),
)
def test_any_sets(a: numpy.ndarray, b: numpy.ndarray, function: str) -> None:
    same(getattr(dpnp, function)(dpnp.asarray(a), dpnp.asarray(b)), getattr(numpy, function)(a, b))
