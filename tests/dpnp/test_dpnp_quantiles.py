"""dpnp's medians, percentiles and quantiles, compared with NumPy's."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

RANDOM = numpy.random.default_rng(11)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]
SELECTING = ["inverted_cdf", "closest_observation", "lower", "higher", "nearest"]
INTERPOLATING = [
    "averaged_inverted_cdf", "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
    "normal_unbiased", "midpoint",
]  # fmt: skip
METHODS = SELECTING + INTERPOLATING
FRACTIONS = [0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.95, 1.0]
LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.transpose(2, 0, 1),
    "reversed": lambda a: a[::-1, :, ::-1],
    "strided": lambda a: a[:, ::2],
    "one row": lambda a: a[:1, :1],
}


def quiet(function: Callable[..., object], *args: object, **keywords: object) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **keywords)


def same(ours: object, expected: object) -> None:
    assert isinstance(ours, dpnp.ndarray)
    numpy.testing.assert_array_equal(dpnp.asnumpy(ours), numpy.asarray(expected), strict=True)


def numbers(dtype: str, shape: tuple[int, ...] = (4, 7, 5)) -> numpy.ndarray:
    scale = 1 if numpy.dtype(dtype).kind in "fc" else 30
    return (abs(RANDOM.normal(size=shape)) * scale).astype(dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (2, 1), ()], ids=str)
def test_axes_and_layouts(axis: object, layout: str) -> None:
    a = numbers("float64")
    view, ours = LAYOUTS[layout](a), LAYOUTS[layout](dpnp.asarray(a))
    for keepdims in (False, True):
        same(dpnp.median(ours, axis=axis, keepdims=keepdims), numpy.median(view, axis=axis, keepdims=keepdims))
        for q in (0.3, [0.3], FRACTIONS, [[0.1, 0.5], [0.2, 1]]):
            expected = numpy.quantile(view, q, axis=axis, keepdims=keepdims)
            same(dpnp.quantile(ours, q, axis=axis, keepdims=keepdims), expected)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS])
def test_methods_and_dtypes(dtype: str, method: str) -> None:
    if dtype == "bool" and method in INTERPOLATING:
        pytest.skip("not defined")
    a = numbers(dtype)
    x = dpnp.asarray(a)
    for q in (*FRACTIONS, FRACTIONS, numpy.array(FRACTIONS, "f4")):
        same(dpnp.quantile(x, q, 1, method=method), numpy.quantile(a, q, 1, method=method))
    percent = [0, 12.5, 50, 100]
    same(dpnp.percentile(x, percent, method=method), numpy.percentile(a, percent, method=method))
    same(dpnp.percentile(x, 50, method=method), numpy.percentile(a, 50, method=method))


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"])
def test_dtypes_of_medians(dtype: str) -> None:
    for length in (1, 2, 7, 8):
        a = numbers(dtype, (3, length))
        same(dpnp.median(dpnp.asarray(a), axis=1), numpy.median(a, axis=1))
        same(dpnp.nanmedian(dpnp.asarray(a), axis=1), numpy.nanmedian(a, axis=1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_nan(dtype: str, method: str) -> None:
    a = numbers(dtype)
    a[RANDOM.random(a.shape) < 0.3] = numpy.nan
    a[2, :, 3] = numpy.nan  # not the first row, whose dtype NumPy uses for all
    a[1, :, 1] = 1
    x = dpnp.asarray(a)
    for axis in (None, 1, (0, 1)):
        same(dpnp.quantile(x, [0.2, 0.8], axis, method=method), numpy.quantile(a, [0.2, 0.8], axis, method=method))
        for q in (0.3, FRACTIONS):
            expected = quiet(numpy.nanquantile, a, q, axis, method=method)
            same(quiet(dpnp.nanquantile, x, q, axis, method=method), expected)


def test_nan_of_medians() -> None:
    a = numbers("float64", (6, 9))
    a[RANDOM.random(a.shape) < 0.3] = numpy.nan
    a[2] = numpy.nan
    x = dpnp.asarray(a)
    same(dpnp.median(x, axis=1), numpy.median(a, axis=1))
    same(quiet(dpnp.nanmedian, x, axis=1), quiet(numpy.nanmedian, a, axis=1))
    same(dpnp.nanmedian(x, keepdims=True), numpy.nanmedian(a, keepdims=True))
    same(quiet(dpnp.nanpercentile, x, [5, 50], axis=1), quiet(numpy.nanpercentile, a, [5, 50], axis=1))
    with pytest.warns(RuntimeWarning, match="nanmedian: All-NaN slice"):
        dpnp.nanmedian(x, axis=1)
    with pytest.warns(RuntimeWarning, match="nanquantile: All-NaN slice"):
        dpnp.nanquantile(x, 0.5, axis=1)


LONG = {
    "normal": lambda n: RANDOM.normal(size=n),
    "increasing": lambda n: numpy.arange(n, dtype=float),
    "periodic": lambda n: numpy.arange(n, dtype=float) % 1000,
    "few values": lambda n: RANDOM.integers(0, 3, n).astype(float),
    "one value": lambda n: numpy.ones(n),
    "two clusters": lambda n: numpy.where(RANDOM.random(n) < 0.5, RANDOM.normal(size=n), 1e9),
    "infinite": lambda n: numpy.where(RANDOM.random(n) < 0.4, numpy.inf, RANDOM.normal(size=n)),
}


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint16"])
def test_long_rows_are_selected_from(dtype: str, kind: str) -> None:
    a = LONG[kind](200_003)
    if kind == "infinite" and dtype[0] != "f":
        pytest.skip("integers are finite")
    a = (abs(a) * (1 if dtype.startswith("f") else 10) % (2**16 if dtype[0] != "f" else numpy.inf)).astype(dtype)
    x = dpnp.asarray(a)
    for q in (0.0, 0.5, 0.999999, 1.0, [0.1, 0.5, 0.9], FRACTIONS):
        same(dpnp.quantile(x, q), numpy.quantile(a, q))
        same(dpnp.quantile(x[::-1], q), numpy.quantile(a, q))
    same(dpnp.median(x), numpy.median(a))
    same(dpnp.median(x.reshape(1, -1), axis=1), numpy.median(a.reshape(1, -1), axis=1))
    if dtype.startswith("f"):
        a[5::9] = numpy.nan
        x = dpnp.asarray(a)
        same(dpnp.median(x), numpy.median(a))
        same(dpnp.nanmedian(x), numpy.nanmedian(a))
        same(dpnp.nanquantile(x, FRACTIONS), numpy.nanquantile(a, FRACTIONS))
        a[:] = numpy.nan
        same(quiet(dpnp.nanmedian, dpnp.asarray(a)), numpy.array(numpy.nan, dtype))


def test_deferred_elements_are_selected_from() -> None:
    a = RANDOM.normal(size=300_000)
    same(dpnp.median(dpnp.asarray(a) * 2 + 1), numpy.median(a * 2 + 1))


def test_differences_of_narrow_integers_do_not_overflow() -> None:
    assert float(dpnp.quantile(dpnp.array([-128, 127], dtype="i1"), 0.25)) == -64.25


def test_integer_fractions_select_elements_as_in_numpy() -> None:
    a = numpy.array([3, 1, 2])
    for q in (0, 1, [0, 1]):
        same(dpnp.quantile(dpnp.asarray(a), q), numpy.quantile(a, q))


def test_probabilities_may_be_arrays_on_devices() -> None:
    a = RANDOM.normal(size=50)
    same(dpnp.quantile(dpnp.asarray(a), dpnp.asarray([0.1, 0.9])), numpy.quantile(a, [0.1, 0.9]))
    same(dpnp.percentile(dpt.asarray(a), dpt.asarray([10, 90])), numpy.percentile(a, [10, 90]))


def test_output_arrays() -> None:
    a = RANDOM.normal(size=(5, 6))
    out = dpnp.empty(6, dtype="f4")
    assert dpnp.median(dpnp.asarray(a), axis=0, out=out) is out
    same(out, numpy.median(a, axis=0).astype("f4"))
    out = dpnp.empty((2, 5))
    assert dpnp.quantile(dpnp.asarray(a), [0.1, 0.2], 1, out) is out
    same(out, numpy.quantile(a, [0.1, 0.2], 1))


def test_arrays_without_elements() -> None:
    with pytest.warns(RuntimeWarning, match="median: Mean of empty slice"):
        same(dpnp.median(dpnp.empty(0)), numpy.nan)
    same(dpnp.median(dpnp.empty((2, 0)), axis=0), numpy.empty(0))
    same(dpnp.quantile(dpnp.empty((0, 3)), 0.5, axis=1), numpy.empty(0))
    same(dpnp.quantile(dpnp.ones(3), []), numpy.empty(0))
    with pytest.raises(IndexError, match=r"quantile: the reduced axes of shape \(0,\) have no elements"):
        dpnp.quantile(dpnp.empty(0), 0.5)
    with pytest.warns(RuntimeWarning, match="nanquantile: Mean of empty slice"):
        same(dpnp.nanquantile(dpnp.empty(0), 0.5), numpy.nan)


def test_scalars() -> None:
    same(dpnp.median(dpnp.array(3)), 3.0)
    same(dpnp.quantile(dpnp.array(3), 0.5), 3.0)


@settings(deadline=None)
@given(
    a=arrays.arrays(
        st.sampled_from(["f8", "f4", "i4", "u1"]),
        arrays.array_shapes(max_dims=3, max_side=6),
        elements={"min_value": 0, "max_value": 100},
    ),
    q=st.lists(st.floats(0, 1), min_size=1, max_size=4) | st.floats(0, 1),
    method=st.sampled_from(METHODS),
    data=st.data(),
)
def test_any_array(a: numpy.ndarray, q: object, method: str, data: st.DataObject) -> None:
    axis = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1))
    same(dpnp.quantile(dpnp.asarray(a), q, axis, method=method), numpy.quantile(a, q, axis, method=method))
    same(dpnp.median(dpnp.asarray(a), axis), numpy.median(a, axis))
