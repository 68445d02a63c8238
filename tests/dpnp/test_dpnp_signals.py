"""dpnp's convolutions, interpolation, covariances, piecewise and lexsort, compared with NumPy's."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

RANDOM = numpy.random.default_rng(12)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
INEXACT = ["float16", "float32", "float64", "complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *INEXACT]
NAN, INF = numpy.nan, numpy.inf


def numbers(dtype: str, shape: object) -> numpy.ndarray:
    a = RANDOM.normal(size=shape)
    if numpy.dtype(dtype).kind == "c":
        a = a + 1j * RANDOM.normal(size=shape)
    return (
        abs(a * 50) if numpy.dtype(dtype).kind in "bu" else a * (1 if numpy.dtype(dtype).kind in "fc" else 50)
    ).astype(dtype)


def close(ours: object, expected: object) -> None:
    assert isinstance(ours, dpnp.ndarray)
    found, expected = dpnp.asnumpy(ours), numpy.asarray(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if expected.dtype.kind in "biu":
        numpy.testing.assert_array_equal(found, expected)
        return
    near = {2: 4e-3, 4: 1e-5, 8: 1e-13}[numpy.real(expected).dtype.itemsize]
    scale = numpy.max(numpy.abs(expected), initial=0, where=numpy.isfinite(expected))
    numpy.testing.assert_allclose(found, expected, rtol=near, atol=near * max(float(scale), 1))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(
    "sizes", [(1, 1), (7, 3), (7, 4), (3, 7), (4, 8), (5, 5), (16, 6), (17, 1), (300, 50)], ids=str
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_convolutions(dtype: str, sizes: tuple[int, int], mode: str) -> None:
    a, v = numbers(dtype, sizes[0]), numbers(dtype, sizes[1])
    x, w = dpnp.asarray(a), dpnp.asarray(v)
    close(dpnp.convolve(x, w, mode), numpy.convolve(a, v, mode))
    close(dpnp.correlate(x, w, mode), numpy.correlate(a, v, mode))
    close(dpnp.correlate(x[::-1], w[::-1], mode), numpy.correlate(a[::-1], v[::-1], mode))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"])
def test_convolutions_by_fourier_transforms(dtype: str, mode: str) -> None:
    for n, m in ((500, 31), (31, 500), (97, 97), (1, 1)):
        a, v = numbers(dtype, n), numbers(dtype, m)
        x, w = dpnp.asarray(a), dpnp.asarray(v)
        close(dpnp.convolve(x, w, mode, method="fft"), numpy.convolve(a, v, mode))
        close(dpnp.correlate(x, w, mode, method="fft"), numpy.correlate(a, v, mode))


def test_long_convolutions() -> None:
    a, v = numbers("float64", 60_000), numbers("float64", 4_000)
    x, w = dpnp.asarray(a), dpnp.asarray(v)
    close(dpnp.convolve(x, w), numpy.convolve(a, v))
    close(dpnp.convolve(x, w, method="direct"), numpy.convolve(a, v))
    a[100] = INF
    found = dpnp.asnumpy(dpnp.convolve(dpnp.asarray(a), w))  # not by Fourier transforms, which make all elements NaN
    assert numpy.isinf(found).sum() == 4_000 and not numpy.isnan(found).any()


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_infinities_and_nan_stay_in_their_windows(dtype: str, mode: str) -> None:
    a, v = abs(numbers(dtype, 50)), abs(numbers(dtype, 6))
    for at, value in ((0, NAN), (20, INF), (49, NAN)):
        b, w = a.copy(), v.copy()
        b[at], w[at % 6] = value, value
        for one, other in ((b, v), (a, w), (v, b), (b, w)):
            close(dpnp.convolve(dpnp.asarray(one), dpnp.asarray(other), mode), numpy.convolve(one, other, mode))


def test_mixed_dtypes_of_convolutions() -> None:
    for one, other in (("int8", "uint8"), ("int32", "float32"), ("float32", "complex128"), ("bool", "int16")):
        a, v = numbers(one, 20), numbers(other, 5)
        close(dpnp.convolve(dpnp.asarray(a), dpnp.asarray(v)), numpy.convolve(a, v))


def test_deferred_operands_of_convolutions() -> None:
    a, v = numbers("float64", 2000), numbers("float64", 9)
    close(dpnp.convolve(dpnp.asarray(a) + 1, dpnp.asarray(v) * 2), numpy.convolve(a + 1, v * 2))


POINTS = {
    "increasing": (numpy.array([0.0, 1.0, 2.5, 4.0]), numpy.array([3.0, -1.0, 0.5, 2.0])),
    "one point": (numpy.array([1.0]), numpy.array([3.0])),
    "two points": (numpy.array([1.0, 2.0]), numpy.array([3.0, 5.0])),
    "infinite": (numpy.array([-INF, 0.0, 1.0, INF]), numpy.array([0.0, INF, 1.0, 1.0])),
    "integers": (numpy.array([-3, 0, 5]), numpy.array([1, 10, 4])),
    "repeated": (numpy.array([0.0, 1.0, 1.0, 2.0]), numpy.array([0.0, 1.0, 2.0, 3.0])),
    "NaN at the end": (numpy.array([0.0, 1.0, 2.0, NAN]), numpy.array([0.0, 1.0, 2.0, 3.0])),
}
PLACES = numpy.concatenate((numpy.linspace(-5, 6, 111), [NAN, INF, -INF]))


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
@pytest.mark.parametrize("limits", [{}, {"left": -7}, {"left": 1, "right": 2.5}], ids=str)
@pytest.mark.parametrize("points", POINTS)
def test_interp(points: str, limits: dict[str, float]) -> None:
    xp, fp = POINTS[points]
    for factor in (1, 1 + 2j, 1j):
        if factor != 1 and points == "infinite":
            continue  # NaN in one part makes both parts NaN in NumPy's product
        x, p, f = map(dpnp.asarray, (PLACES, xp, fp * factor))
        expected = numpy.interp(PLACES, xp, fp * factor, **limits)
        numpy.testing.assert_array_equal(dpnp.asnumpy(dpnp.interp(x, p, f, **limits)), expected, strict=True)


@pytest.mark.parametrize("keywords", [{}, {"left": -7}, {"period": 1.5}], ids=str)
@pytest.mark.parametrize("x", [0, 1.25, True, numpy.float32(2.5), numpy.int8(-1)], ids=repr)
def test_interp_at_a_number(x: object, keywords: dict[str, float]) -> None:
    xp, fp = POINTS["two points"]
    found = dpnp.asnumpy(dpnp.interp(x, dpnp.asarray(xp), dpnp.asarray(fp), **keywords))
    numpy.testing.assert_allclose(found, numpy.interp(x, xp, fp, **keywords), rtol=1e-15, strict=True)


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64"])
def test_interp_of_other_shapes_and_dtypes(dtype: str) -> None:
    xp, fp = numpy.arange(10), RANDOM.normal(size=10)
    a = (abs(RANDOM.normal(size=(3, 4))) * 5).astype(dtype)
    for view in (a, a.T, a[::-1, ::2], a[0, 0], a[:0]):
        close(dpnp.interp(dpnp.asarray(view), dpnp.asarray(xp), dpt.asarray(fp)), numpy.interp(view, xp, fp))


@pytest.mark.parametrize("order", ["random", "increasing", "decreasing", "equal", "with NaNs"])
@pytest.mark.parametrize(
    ("count", "length"), [(1, 10), (70, 3), (70, 5000), (5000, 1000), (300_000, 1000), (300_000, 1)]
)
def test_interp_of_many_elements(count: int, length: int, order: str) -> None:
    random = numpy.random.default_rng(count)
    x = random.uniform(-0.1, 1.1, count)
    xp, fp = numpy.sort(random.random(length)), random.normal(size=length)
    if length > 100:
        xp[50:60] = xp[50]  # points with the same place
        x[: count // 10] = random.choice(xp, count // 10)
    if order == "increasing":
        x.sort()
    elif order == "decreasing":
        x = numpy.sort(x)[::-1]
    elif order == "equal":
        x[:] = xp[length // 2]
    elif order == "with NaNs":
        x[random.random(count) < 0.2] = NAN
    for factor in (1, 1 - 2j):
        for limits in ({}, {"left": -1.5, "right": 2}):
            expected = numpy.interp(x, xp, fp * factor, **limits)
            found = dpnp.interp(*map(dpnp.asarray, (x, xp, fp * factor)), **limits)
            numpy.testing.assert_array_equal(dpnp.asnumpy(found), expected, strict=True)


def test_interp_from_a_point_that_is_nan():
    xp, fp = numpy.array([NAN, 1.0, 2.0, 3.0, 4.0, 5.0]), numpy.arange(3.0, 9.0)
    x = numpy.array([0.0, 0.5])
    found = dpnp.interp(*map(dpnp.asarray, (x, xp, fp)))
    numpy.testing.assert_array_equal(dpnp.asnumpy(found), numpy.interp(x, xp, fp))


def test_interp_with_a_period() -> None:
    x, xp, fp = [-180, -170, -185, 185, -10, -5, 0, 365], [190, -190, 350, -350], [5, 10, 3, 4]
    for factor in (1, 1j):
        expected = numpy.interp(x, xp, numpy.array(fp) * factor, period=360)
        close(dpnp.interp(*map(dpnp.asarray, (x, xp, numpy.array(fp) * factor)), period=360), expected)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "float64", "complex128"])
def test_covariances(dtype: str) -> None:
    a, b = numbers(dtype, (4, 30)), numbers(dtype, (2, 30))
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    times, weights = RANDOM.integers(1, 5, 30), RANDOM.random(30)
    for options in (
        {},
        {"bias": True},
        {"ddof": 3},
        {"fweights": times},
        {"aweights": weights},
        {"fweights": times, "aweights": weights},
        {"aweights": weights, "ddof": 0},
    ):
        given = {k: dpnp.asarray(v) if "weights" in k else v for k, v in options.items()}
        close(dpnp.cov(x, **given), numpy.cov(a, **options))
        close(dpnp.cov(x, y, **given), numpy.cov(a, b, **options))
        close(dpnp.cov(x[0], **given), numpy.cov(a[0], **options))
    close(dpnp.cov(x.T, rowvar=False), numpy.cov(a.T, rowvar=False))
    close(dpnp.cov(x[:, 0], y[0, :4], rowvar=False), numpy.cov(a[:, 0], b[0, :4], rowvar=False))
    if dtype != "bool":
        close(dpnp.corrcoef(x), numpy.corrcoef(a))
        close(dpnp.corrcoef(x[0], y[1]), numpy.corrcoef(a[0], b[1]))
        close(dpnp.corrcoef(x[0]), numpy.corrcoef(a[0]))
    close(dpnp.cov(x, dtype="f4") if dtype == "int32" else x, numpy.cov(a, dtype="f4") if dtype == "int32" else a)


def test_covariances_of_few_observations() -> None:
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        dpnp.cov(dpnp.ones((2, 1)))
    close(dpnp.cov(dpnp.ones((0, 3))), numpy.cov(numpy.ones((0, 3))))


def test_piecewise() -> None:
    a = numpy.linspace(-3, 3, 13).reshape(1, 13)
    x = dpnp.asarray(a)
    functions = [lambda t: -t, lambda t: t * 2, 7]
    close(dpnp.piecewise(x, [x < 0, x > 1], functions), numpy.piecewise(a, [a < 0, a > 1], functions))
    close(dpnp.piecewise(x, [x < 0, x >= 0], [-1, 1]), numpy.piecewise(a, [a < 0, a >= 0], [-1, 1]))
    close(dpnp.piecewise(x[0], x[0] > 1, [5, 6]), numpy.piecewise(a[0], a[0] > 1, [5, 6]))
    shift = lambda t, by, times=1: (t + by) * times  # noqa: E731
    close(dpnp.piecewise(x, [x > 1], [shift], 2, times=3), numpy.piecewise(a, [a > 1], [shift], 2, times=3))
    i = numpy.arange(5)
    halves = [lambda t: t / 2]
    close(dpnp.piecewise(dpnp.asarray(i), [dpnp.asarray(i) > 0], halves), numpy.piecewise(i, [i > 0], halves))


@pytest.mark.parametrize("dtype", DTYPES)
def test_lexsort(dtype: str) -> None:
    keys = [RANDOM.integers(0, 3, (5, 40)).astype(dtype) for _ in range(3)]
    ours = [dpnp.asarray(k) for k in keys]
    for axis in (-1, 0):
        close(dpnp.lexsort(ours, axis), numpy.lexsort(keys, axis))
        close(dpnp.lexsort([k[::-1, ::2] for k in ours], axis), numpy.lexsort([k[::-1, ::2] for k in keys], axis))
    close(dpnp.lexsort(dpnp.stack([k[0] for k in ours])), numpy.lexsort(numpy.stack([k[0] for k in keys])))
    close(dpnp.lexsort(ours[:1]), numpy.lexsort(keys[:1]))


@settings(deadline=None)
@given(
    a=arrays.arrays("i8", st.integers(1, 40), elements=st.integers(-100, 100)),
    v=arrays.arrays("i8", st.integers(1, 40), elements=st.integers(-100, 100)),
    mode=st.sampled_from(["full", "same", "valid"]),
)
def test_any_convolution(a: numpy.ndarray, v: numpy.ndarray, mode: str) -> None:
    close(dpnp.convolve(dpnp.asarray(a), dpnp.asarray(v), mode), numpy.convolve(a, v, mode))
    close(dpnp.correlate(dpnp.asarray(a), dpnp.asarray(v), mode), numpy.correlate(a, v, mode))


@pytest.mark.parametrize("lengths", [(5, 20), (20, 5), (5, 5)])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_correlations_are_contiguous(lengths, mode):
    a, v = (numpy.arange(1.0, n + 1) for n in lengths)
    found = dpnp.correlate(dpnp.asarray(a), dpnp.asarray(v), mode)
    assert found.flags.c_contiguous
    numpy.testing.assert_allclose(dpnp.asnumpy(found), numpy.correlate(a, v, mode))
