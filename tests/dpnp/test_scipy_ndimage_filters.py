"""The filters of dpnp.scipy.ndimage against scipy.ndimage: results, borders, origins, dtypes, layouts and errors.

Sums are added in SciPy's order, so that results are compared for equality, if SciPy's are no running sums.
"""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
import scipy.ndimage
from reference import LAYOUTS, values

ours = dpnp.scipy.ndimage
CODES = "?bBhHiIlLfd"
MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]
SHAPES = [(9,), (7, 8), (4, 5, 6)]
LARGE = (550, 550)  # many parts of rows, for threads and whole vectors

CROSS = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
LINEAR = {
    "correlate1d": lambda m, x, **k: m.correlate1d(x, [1, 2, -3, 0.5], axis=0, **k),
    "convolve1d": lambda m, x, **k: m.convolve1d(x, [1, 2, -3, 0.5], origin=1, **k),
    "convolve1d odd": lambda m, x, **k: m.convolve1d(x, [2, 1, -4], **k),
    "gaussian_filter": lambda m, x, **k: m.gaussian_filter(x, 1.3, **k),
    "gaussian_filter1d": lambda m, x, **k: m.gaussian_filter1d(x, 2, axis=0, **k),
    "sobel": lambda m, x, **k: m.sobel(x, **k),
    "prewitt": lambda m, x, **k: m.prewitt(x, axis=0, **k),
    "laplace": lambda m, x, **k: m.laplace(x, **k),
}  # fmt: skip
CLOSE = {
    "gaussian_filter order": lambda m, x, **k: m.gaussian_filter(x, 1.3, order=1, **k),
    "gaussian_laplace": lambda m, x, **k: m.gaussian_laplace(x, 1.1, **k),
    "uniform_filter": lambda m, x, **k: m.uniform_filter(x, 3, **k),
    "uniform_filter1d long": lambda m, x, **k: m.uniform_filter1d(x, 61, axis=0, origin=-4, **k),
}
ORDER = {
    "minimum_filter": lambda m, x, **k: m.minimum_filter(x, 4, **k),
    "maximum_filter": lambda m, x, **k: m.maximum_filter(x, size=3, origin=1, **k),
    "maximum_filter1d long": lambda m, x, **k: m.maximum_filter1d(x, 70, axis=0, origin=-3, **k),
    "minimum_filter footprint": lambda m, x, **k: m.minimum_filter(x, footprint=footprint(x), **k),
    "median_filter": lambda m, x, **k: m.median_filter(x, 3, **k),
    "rank_filter": lambda m, x, **k: m.rank_filter(x, -2, size=4, **k),
    "percentile_filter": lambda m, x, **k: m.percentile_filter(x, 20, footprint=footprint(x), **k),
}


def footprint(x: object) -> np.ndarray:
    made = np.ones((3,) * x.ndim, bool)
    made.flat[[0, -1]] = False
    return made


def check(call: object, a: np.ndarray, tolerance: float = 0, **options: object) -> None:
    expected = call(scipy.ndimage, a, **options)
    found = call(ours, dpnp.array(a), **options)
    assert type(found) is dpnp.ndarray
    got = found.asnumpy()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got.astype("D"), expected.astype("D"), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", LINEAR | ORDER)
def test_filters_have_scipys_results(name, code, mode):
    if code in "?L" and name in ("sobel", "prewitt"):
        return  # SciPy's bools are bytes of any number between the axes; negative numbers are undefined as uint64
    for shape in SHAPES:
        check((LINEAR | ORDER)[name], values(code, shape, 0, -50, 100), mode=mode, cval=3.0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", "bHlfd")
@pytest.mark.parametrize("name", CLOSE)
def test_filters_whose_sums_have_another_order(name, code, mode):
    tolerance = {"f": 1e-4, "d": 1e-11}.get(code, 1)  # truncated sums may differ by one
    for shape in SHAPES:
        check(CLOSE[name], values(code, shape, 0, -50, 100), tolerance, mode=mode, cval=3.0)


@pytest.mark.parametrize("code", "Bfd")
@pytest.mark.parametrize("name", LINEAR | ORDER)
def test_large_arrays(name, code):
    check((LINEAR | ORDER)[name], values(code, LARGE, 0, 0, 200))


@pytest.mark.parametrize("size", [49, 101, 129])
@pytest.mark.parametrize("code", "Bd")
def test_long_windows(code, size):
    a = values(code, LARGE, 0, 0, 200)
    check(lambda m, x: m.maximum_filter(x, size), a)
    check(lambda m, x: m.uniform_filter(x, size), a, 1 if code == "B" else 1e-11)
    line = values(code, (20_000,), 0, 0, 200)  # so long that sums are not accumulated
    check(lambda m, x: m.uniform_filter1d(x, size), line, 1 if code == "B" else 1e-11)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_layouts(layout):
    a = LAYOUTS[layout](values("d", (12, 12)))
    x = dpnp.asarray(LAYOUTS[layout](dpt.asarray(values("d", (12, 12)))))
    np.testing.assert_array_equal(ours.gaussian_filter(x, 1).asnumpy(), scipy.ndimage.gaussian_filter(a, 1))
    np.testing.assert_array_equal(ours.median_filter(x, 3).asnumpy(), scipy.ndimage.median_filter(a, 3))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("call", [lambda m, x, **k: m.correlate(x, weights(x), **k),
                                  lambda m, x, **k: m.convolve(x, weights(x), **k)])  # fmt: skip
@pytest.mark.parametrize("code", "Bhlfd")
def test_weights_along_all_axes(code, call, mode):
    for shape in SHAPES:
        check(call, values(code, shape, 0, -50, 100), mode=mode, cval=-2.0)


def weights(x: object) -> np.ndarray:
    return values("d", (2, 3, 4)[: x.ndim])


@pytest.mark.parametrize("code", "FD")
def test_complex_numbers_and_weights(code):
    a = values(code, (9, 10))
    tolerance = 1e-6 if code == "F" else 1e-14
    for options in ({}, {"mode": "constant", "cval": 1 + 2j}):
        check(lambda m, x, **k: m.correlate1d(x, [1, 2, 3j], **k), a, tolerance, **options)
        check(lambda m, x, **k: m.convolve(x, [[1, 2j], [3, 4]], **k), a, tolerance, **options)
        check(lambda m, x, **k: m.gaussian_filter(x, 1.0, **k), a, tolerance, **options)
        check(lambda m, x, **k: m.uniform_filter(x, 3, **k), a, tolerance, **options)
    check(lambda m, x: m.correlate(x, [[1, 2j], [3, 4]]), a.real.copy(), tolerance)


def test_axes_sequences_and_outputs():
    a = values("d", (8, 9, 4))
    for axes in [(0, 1), (2,), (-1, 0)]:
        check(lambda m, x, axes=axes: m.gaussian_filter(x, 1, axes=axes), a)
        check(lambda m, x, axes=axes: m.minimum_filter(x, 3, axes=axes), a)
        check(lambda m, x, axes=axes: m.median_filter(x, 3, axes=axes), a)
    check(lambda m, x: m.gaussian_filter(x, (1, 2, 0), order=(0, 1, 0), mode=["wrap", "nearest", "mirror"]), a, 1e-13)
    check(lambda m, x: m.maximum_filter(x, (1, 2, 3), origin=(0, -1, 1), mode=["wrap", "nearest", "mirror"]), a)
    check(lambda m, x: m.gaussian_filter(x, 1, output="f"), a)
    check(lambda m, x: m.correlate1d(x, [1, 2], output=np.int16), a)
    out = dpnp.empty(a.shape, dtype="f4")
    assert ours.sobel(dpnp.array(a), output=out) is out
    np.testing.assert_array_equal(out.asnumpy(), scipy.ndimage.sobel(a, output="f"))


def test_gradients_by_functions():
    a = values("d", (8, 9))
    for name in ("generic_laplace", "generic_gradient_magnitude"):
        check(lambda m, x, name=name: getattr(m, name)(x, lambda *p: m.correlate1d(p[0], [1, -2, 1], *p[1:])), a, 1e-13)
    check(lambda m, x: m.gaussian_gradient_magnitude(x, 1.2, truncate=3), a, 1e-13)


def test_ranks_of_large_windows():
    a = values("d", (60, 70))
    for size in (1, 2, 9, 15):
        check(lambda m, x, size=size: m.median_filter(x, size), a)


def test_half_precision_is_computed_in_more():
    a = values("e", (9, 10))
    for call in (lambda m, x: m.gaussian_filter(x, 1), lambda m, x: m.median_filter(x, 3),
                 lambda m, x: m.maximum_filter(x, 3), lambda m, x: m.uniform_filter1d(x, 3)):  # fmt: skip
        found = call(ours, dpnp.array(a)).asnumpy()
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, call(scipy.ndimage, a.astype("d")), atol=2e-3)


def test_empty_arrays_and_results_of_their_own():
    x = dpnp.zeros((0, 3))
    assert ours.median_filter(x, 3).shape == ours.gaussian_filter(dpnp.zeros((3, 0)), 1).shape[::-1] == (0, 3)
    x = dpnp.ones(3)
    for made in (ours.gaussian_filter(x, 0), ours.uniform_filter(x, 1), ours.minimum_filter(x, 1)):
        made[0] = 5
    assert float(x[0]) == 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.correlate1d([1.0], [1.0]), TypeError, "correlate1d"),
        (lambda x: ours.correlate1d(x, []), RuntimeError, "no filter weights"),
        (lambda x: ours.correlate1d(x, [1, 2], mode="odd"), RuntimeError, "mode 'odd'"),
        (lambda x: ours.correlate1d(x, [1, 2], origin=2), ValueError, "invalid origin"),
        (lambda x: ours.correlate1d(x, [1, 2], axis=2), np.exceptions.AxisError, "axis 2"),
        (lambda x: ours.correlate(x, [1, 2]), RuntimeError, "weights must have 2 axes"),
        (lambda x: ours.gaussian_filter(x, (1, 2, 3)), RuntimeError, "sigma"),
        (lambda x: ours.gaussian_filter(x, 1, order=-1), ValueError, "order"),
        (lambda x: ours.gaussian_filter(x, 1, radius=-1), ValueError, "radius"),
        (lambda x: ours.uniform_filter1d(x, 0), RuntimeError, "size 0"),
        (lambda x: ours.minimum_filter(x), RuntimeError, "no footprint"),
        (lambda x: ours.minimum_filter(x, footprint=[[0]]), ValueError, "no element"),
        (lambda x: ours.maximum_filter(1j * x, 3), TypeError, "no order"),
        (lambda x: ours.rank_filter(x, 9, 3), RuntimeError, "rank 9"),
        (lambda x: ours.percentile_filter(x, 101, 3), RuntimeError, "percentile 101"),
        (lambda x: ours.median_filter(x, 3, axes=(0, 0)), ValueError, "unique"),
        (lambda x: ours.sobel(x, output=dpnp.zeros(3)), RuntimeError, "output must have shape"),
        (lambda x: ours.sobel(1j * x, output="d"), RuntimeError, "complex"),
        (lambda x: ours.watershed_ift, AttributeError, "not on devices yet"),
        (lambda x: ours.generic_filter, AttributeError, "for each element"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((3, 4)))
