"""dpnp's functions of polynomials, compared with NumPy's."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.exceptions import RankWarning

RANDOM = numpy.random.default_rng(15)
DTYPES = ["int32", "int64", "float32", "float64", "complex128"]


def numbers(dtype: str, *shape: int) -> numpy.ndarray:
    a = RANDOM.integers(1, 9, shape) * 1.0
    return (a + 1j * RANDOM.integers(1, 9, shape) if dtype[0] == "c" else a).astype(dtype)


def close(ours: object, expected: object, near: float = 0) -> None:
    if isinstance(expected, tuple):
        for found, wanted in zip(ours, expected, strict=True):
            close(found, wanted, near)
        return
    assert isinstance(ours, dpnp.ndarray)
    found, expected = dpnp.asnumpy(ours), numpy.asarray(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    near = near or (1e-3 if expected.dtype.char in "fF" else 1e-9)
    numpy.testing.assert_allclose(found, expected, rtol=near, atol=near)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arithmetic(dtype: str) -> None:
    a, b = numbers(dtype, 6), numbers(dtype, 3)
    b[0] = 1
    for change in (lambda z: z, lambda z: z[::-1], lambda z: z[1::2]):
        p, q = change(a), change(b)
        x, y = change(dpnp.asarray(a)), change(dpnp.asarray(b))
        for name in ("polyadd", "polysub", "polymul", "polydiv"):
            close(getattr(dpnp, name)(x, y), getattr(numpy, name)(p, q))
            close(getattr(dpnp, name)(y, x), getattr(numpy, name)(q, p))
            close(getattr(dpnp, name)(x, dpt.asarray(q)), getattr(numpy, name)(p, q))


@pytest.mark.parametrize("dtype", DTYPES)
def test_calculus(dtype: str) -> None:
    a = numbers(dtype, 6)
    x = dpnp.asarray(a)
    for m in (0, 1, 2, 3):
        if dtype != "int32":  # NumPy's factors are int64, and so are ours
            close(dpnp.polyder(x, m), numpy.polyder(a, m))
        close(dpnp.polyint(x, m), numpy.polyint(a, m))
        close(dpnp.polyint(x, m, k=3), numpy.polyint(a, m, k=3))
    close(dpnp.polyint(x, 2, k=[1, 2]), numpy.polyint(a, 2, k=[1, 2]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype: str) -> None:
    a, at = numbers(dtype, 5), RANDOM.normal(size=(3, 4))
    p, x = dpnp.asarray(a), dpnp.asarray(at)
    close(dpnp.polyval(p, x), numpy.polyval(a, at))
    close(dpnp.polyval(p, x.T[::-1]), numpy.polyval(a, at.T[::-1]))
    close(dpnp.polyval(p, 2), numpy.polyval(a, 2))
    close(dpnp.polyval(p[:0], x), numpy.polyval(a[:0], at))


@pytest.mark.parametrize(
    "p", [[1, -3, 2], [2.0, 0, 1, 5], [0, 0, 1, 2, 0, 0], [3], [0, 0], [1j, 2, 1 - 1j], [4, 0, 0]], ids=str
)
def test_roots(p: list[complex]) -> None:
    ours, expected = dpnp.roots(dpnp.asarray(p)), numpy.roots(p)
    assert isinstance(ours, dpnp.ndarray)
    found = dpnp.asnumpy(ours)
    assert found.shape == expected.shape
    numpy.testing.assert_allclose(numpy.sort_complex(found), numpy.sort_complex(expected), atol=1e-12)


def test_polynomials_with_given_roots() -> None:
    for zeros in ([1.0, 2.0, -3.0], [1j, -1j], [1 + 1j, 2.0], [3, 4, 5]):
        close(dpnp.poly(dpnp.asarray(zeros)), numpy.poly(zeros))
    a = RANDOM.random((3, 3))
    a = a + a.T
    close(dpnp.poly(dpnp.asarray(a)).real, numpy.poly(a))


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_fits(dtype: str) -> None:
    at, weights = numpy.linspace(0, 5, 30), RANDOM.random(30) + 0.5
    one = (at**2 * 3 - at + RANDOM.normal(size=30)).astype(dtype)
    several = numpy.stack((one, one * 2), axis=1)
    x, w = dpnp.asarray(at), dpnp.asarray(weights)
    for values in (one, several):
        y = dpnp.asarray(values)
        close(dpnp.polyfit(x, y, 2), numpy.polyfit(at, values, 2))
        # NumPy rounds the weighted values to float32
        near = 1e-5 if dtype == "float32" else 0
        close(dpnp.polyfit(x, y, 3, w=w), numpy.polyfit(at, values, 3, w=weights), near)
        close(dpnp.polyfit(x, y, 2, cov=True), numpy.polyfit(at, values, 2, cov=True))
        ours, theirs = dpnp.polyfit(x, y, 2, full=True), numpy.polyfit(at, values, 2, full=True)
        close(ours[:2], theirs[:2])
        assert int(ours[2]) == theirs[2]
        assert ours[4] == theirs[4]
    close(dpnp.polyfit(x, dpnp.asarray(one), 1, cov="unscaled"), numpy.polyfit(at, one, 1, cov="unscaled"))


def test_poorly_conditioned_fits_warn() -> None:
    with pytest.warns(RankWarning, match="polyfit: may be poorly conditioned"):
        dpnp.polyfit(dpnp.ones(5), dpnp.arange(5.0), 2)


def test_errors() -> None:
    x = dpnp.arange(4.0)
    with pytest.raises(TypeError, match="polyadd: expected at least one array"):
        dpnp.polyadd(1, 2)
    with pytest.raises(ValueError, match=r"polymul: coefficients must be arrays with one axis, got shape \(2, 2\)"):
        dpnp.polymul(x.reshape(2, 2), x)
    with pytest.raises(TypeError, match="roots: An array must be"):
        dpnp.roots([1, 2])
    with pytest.raises(ValueError, match="poly: input must be 1d or non-empty square 2d array"):
        dpnp.poly(dpnp.ones((2, 3)))
    with pytest.raises(ValueError, match="polyder: order must not be negative"):
        dpnp.polyder(x, -1)
    with pytest.raises(ValueError, match="polyint: k must be a number, or have one element or at least 3, got 2"):
        dpnp.polyint(x, 3, [1, 2])
    with pytest.raises(ValueError, match="polyfit: expected deg >= 0, got -1"):
        dpnp.polyfit(x, x, -1)
    with pytest.raises(TypeError, match="polyfit: expected non-empty 1D vector for x"):
        dpnp.polyfit(x.reshape(2, 2), x, 1)
    with pytest.raises(TypeError, match="polyfit: expected 1D or 2D array for y"):
        dpnp.polyfit(x, x[1:], 1)
    with pytest.raises(ValueError, match="the number of data points must exceed 4"):
        dpnp.polyfit(x, x, 3, cov=True)


@settings(deadline=None)
@given(
    a=arrays.arrays("i8", st.integers(1, 8), elements=st.integers(-9, 9)),
    b=arrays.arrays("i8", st.integers(1, 8), elements=st.integers(-9, 9)),
)
def test_any_polynomials(a: numpy.ndarray, b: numpy.ndarray) -> None:
    for name in ("polyadd", "polysub", "polymul"):
        close(getattr(dpnp, name)(dpnp.asarray(a), dpnp.asarray(b)), getattr(numpy, name)(a, b))
