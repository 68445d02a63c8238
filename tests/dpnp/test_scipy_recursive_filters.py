"""dpnp.scipy.signal: recursive filters against SciPy."""

from __future__ import annotations

import dpnp
import dpnp.scipy.signal as ours
import numpy as np
import pytest
import scipy.signal as theirs
from dpnp.scipy.signal import _recursive_filters

FILTERS = {
    "butterworth": theirs.butter(4, 0.2),
    "butterworth of order 8": theirs.butter(8, 0.1),
    "high pass": theirs.cheby1(5, 1, 0.3, "high"),
    "elliptic of order 10": theirs.ellip(10, 1, 60, 0.3),
    "slow": theirs.butter(3, 0.01),
    "sum": ([1.0], [1.0, -1.0]),
    "exponential average": ([0.3], [1, -0.7]),
    "weights only": ([1, 2, 3.0], [2.0]),
    "more weights": (np.linspace(1, 2, 9), [1, 0.5]),
    "one number": ([2.0], [1.0]),
    "complex": ([1.0, 0.5j], [1.0, -0.4 + 0.3j, 0.1]),
    "zeros at the end": ([1.0, 0.0], [1.0, -0.5, 0.0]),
}


def signal(shape: object, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def assert_close(found: object, expected: np.ndarray, tolerance: float = 1e-8) -> None:
    found = dpnp.asnumpy(found)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    scale = np.abs(expected).max() if expected.size else 0
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("n", [1, 5, 31, 32, 33, 100, 2053, 300_000])
@pytest.mark.parametrize("name", FILTERS)
def test_lfilter(name, n):
    b, a = FILTERS[name]
    x = signal(n)
    assert_close(ours.lfilter(b, a, dpnp.asarray(x)), theirs.lfilter(b, a, x))
    state = signal(max(len(b), len(a)) - 1, 1)
    if state.size:
        expected, after = theirs.lfilter(b, a, x, zi=state)
        found, last = ours.lfilter(b, a, dpnp.asarray(x), zi=dpnp.asarray(state))
        assert_close(found, expected)
        assert_close(last, after, 1e-6)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_axes(axis):
    x = signal((40, 50, 60))
    y = dpnp.asarray(x)
    b, a = FILTERS["butterworth"]
    sos = theirs.butter(6, 0.2, output="sos")
    assert_close(ours.lfilter(b, a, y, axis), theirs.lfilter(b, a, x, axis))
    assert_close(ours.filtfilt(b, a, y, axis), theirs.filtfilt(b, a, x, axis))
    assert_close(ours.sosfilt(sos, y, axis), theirs.sosfilt(sos, x, axis))
    assert_close(ours.sosfiltfilt(sos, y, axis), theirs.sosfiltfilt(sos, x, axis))
    shape = list(x.shape)
    shape[axis] = 2
    state = signal((3, *shape), 2)
    for found, expected in zip(
        ours.sosfilt(sos, y, axis, dpnp.asarray(state)), theirs.sosfilt(sos, x, axis, state), strict=True
    ):
        assert_close(found, expected)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("single", [False, True])
def test_dtypes(dtype, single):
    b, a = (np.asarray(c, dtype="f4" if single else "f8") for c in FILTERS["butterworth"])
    x = (9 * signal(500)).astype(dtype)
    assert_close(ours.lfilter(b, a, dpnp.asarray(x)), theirs.lfilter(b, a, x), 1e-5 if single else 1e-12)


@pytest.mark.parametrize("padtype", ["odd", "even", "constant", None])
@pytest.mark.parametrize("padlen", [None, 0, 7])
def test_extensions(padtype, padlen):
    b, a = FILTERS["butterworth"]
    x = signal(200)
    found = ours.filtfilt(b, a, dpnp.asarray(x), padtype=padtype, padlen=padlen)
    assert_close(found, theirs.filtfilt(b, a, x, padtype=padtype, padlen=padlen))


def test_initial_states():
    b, a = FILTERS["butterworth"]
    sos = theirs.butter(5, 0.2, output="sos")
    assert_close(ours.lfilter_zi(b, a), theirs.lfilter_zi(b, a))
    assert_close(ours.sosfilt_zi(sos), theirs.sosfilt_zi(sos))
    assert_close(ours.lfiltic(b, a, [1.0, 2.0, 3.0], [4.0, 5.0]), theirs.lfiltic(b, a, [1.0, 2.0, 3.0], [4.0, 5.0]))


# The state of the elliptic filter has sums of large terms: its rounding errors grow to 1e4 times of those of a result.
@pytest.mark.parametrize(("name", "tolerance"), [("butterworth", 1e-12), ("elliptic of order 10", 1e-7)])
def test_parts_of_a_signal(name, tolerance):
    b, a = FILTERS[name]
    x = dpnp.asarray(signal(1000))
    whole, state, parts = ours.lfilter(b, a, x), dpnp.zeros(max(len(a), len(b)) - 1), []
    for start, stop in ((0, 3), (3, 450), (450, 451), (451, 1000)):
        part, state = ours.lfilter(b, a, x[start:stop], zi=state)
        parts.append(part)
    np.testing.assert_allclose(dpnp.asnumpy(dpnp.concatenate(parts)), dpnp.asnumpy(whole), rtol=0, atol=tolerance)


def test_nan_stays_behind_its_position():
    b, a = FILTERS["butterworth"]
    x = signal((2, 100))
    x[0, 40] = np.nan
    np.testing.assert_allclose(
        dpnp.asnumpy(ours.lfilter(b, a, dpnp.asarray(x))), theirs.lfilter(b, a, x), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("divisor", [[2.0, 1.0], [1.0, 0.5, 0.25], [3.0], [1.0] * 9])
def test_deconvolve(divisor):
    x = np.array([1.0, 5, 3, 2, 7])
    for found, expected in zip(ours.deconvolve(dpnp.asarray(x), divisor), theirs.deconvolve(x, divisor), strict=True):
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: ours.lfilter([1.0], [0.0, 1.0], x), ValueError),
        (lambda x: ours.lfilter([[1.0]], [1.0], x), ValueError),
        (lambda x: ours.lfilter([1.0], [], x), ValueError),
        (lambda x: ours.lfilter([1.0], [1.0, 0.5], [1.0, 2.0]), TypeError),
        (lambda x: ours.lfilter([1.0], [1.0, 0.5], x, zi=dpnp.zeros(3)), ValueError),
        (lambda x: ours.lfilter([1.0], [1.0, 0.5], dpnp.ones((2, 3)), zi=dpnp.zeros(1)), ValueError),
        (lambda x: ours.sosfilt([[1.0, 0, 0, 2, 0, 0]], x), ValueError),
        (lambda x: ours.sosfilt([[1.0, 0, 0]], x), ValueError),
        (lambda x: ours.filtfilt([1.0], [1.0, 0.5], x, padlen=99), ValueError),
        (lambda x: ours.filtfilt([1.0], [1.0, 0.5], x, padtype="odds"), ValueError),
        (lambda x: ours.filtfilt([1.0], [1.0, 0.5], x, method="gust"), NotImplementedError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call(dpnp.asarray(signal(20)))


def test_the_matrices_of_a_filter_are_made_once():
    x = dpnp.asarray(np.linspace(-1, 1, 3000))
    first = ours.lfilter([0.2, 0.3], [1, -0.5], x)
    misses = _recursive_filters._group.cache_info().misses
    np.testing.assert_array_equal(dpnp.asnumpy(ours.lfilter([0.2, 0.3], [1, -0.5], x)), dpnp.asnumpy(first))
    assert _recursive_filters._group.cache_info().misses == misses
