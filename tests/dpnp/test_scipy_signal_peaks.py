"""dpnp.scipy.signal against scipy.signal: peaks, waveforms and resampling."""

from __future__ import annotations

import warnings

import dpnp
import numpy as np
import pytest
import scipy.signal

ours, theirs = dpnp.scipy.signal, scipy.signal
RANDOM = np.random.default_rng(7)

SIGNALS = {
    "noise": RANDOM.standard_normal(500),
    "walk": np.cumsum(RANDOM.standard_normal(700)),
    "plateaus": RANDOM.integers(0, 4, 300).astype("f8"),
    "integers": RANDOM.integers(0, 9, 200),
    "single": np.sin(np.arange(300) / 7).astype("f4"),
    "rising": np.arange(100.0) + 3 * (np.arange(100) % 2),
    "falling": -np.arange(100.0) + 3 * (np.arange(100) % 2),
    "one plateau": np.array([0.0, 1, 1, 1, 0]),
    "plateau at the end": np.array([0.0, 1, 1, 1]),
    "constant": np.ones(9),
    "with NaN": np.where(RANDOM.random(300) < 0.05, np.nan, RANDOM.standard_normal(300)),
    "with infinities": np.where(RANDOM.random(300) < 0.05, np.inf, RANDOM.standard_normal(300)),
    "two": np.array([1.0, 2.0]),
    "none": np.array([]),
}

CONDITIONS = [
    {},
    {"height": 0.5},
    {"height": (None, 1.5)},
    {"threshold": 0.1},
    {"threshold": (0.1, 2)},
    {"distance": 1},
    {"distance": 2.5},
    {"distance": 20},
    {"distance": 1000},
    {"prominence": 0},
    {"prominence": (0.5, 3)},
    {"prominence": 0.2, "wlen": 11},
    {"prominence": 0, "wlen": 4.2},
    {"width": 0},
    {"width": (1.5, None), "rel_height": 0.9},
    {"width": 0, "rel_height": 1},
    {"width": 0, "rel_height": 0},
    {"width": 0, "rel_height": 1.7},
    {"width": 0.5, "wlen": 9, "prominence": 0.1},
    {"plateau_size": 1},
    {"plateau_size": (2, 3), "width": 0},
    {"height": 0.1, "threshold": 0.01, "distance": 3, "prominence": 0.1, "width": 0.5, "plateau_size": (None, 4)},
]


def same_peaks(x: np.ndarray, conditions: dict[str, object], **ours_only: object) -> None:
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", theirs._peak_finding_utils.PeakPropertyWarning)
        peaks, properties = theirs.find_peaks(x, **conditions)
    found, made = ours.find_peaks(dpnp.array(x), **(conditions | ours_only))
    np.testing.assert_array_equal(found.asnumpy(), peaks)
    assert found.dtype == peaks.dtype
    assert list(made) == list(properties)
    for name, value in properties.items():
        assert made[name].dtype == value.dtype, name
        np.testing.assert_allclose(made[name].asnumpy(), value, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("conditions", CONDITIONS, ids=str)
@pytest.mark.parametrize("name", SIGNALS)
def test_peaks(name, conditions):
    if "wlen" not in conditions and name == "with infinities" and "width" in conditions:
        pytest.skip("the width of an infinite peak is no number")
    x = SIGNALS[name]
    if "distance" in conditions and name in ("plateaus", "integers", "with infinities"):
        x = np.where(np.isinf(x), 9, x) + 1e-3 * np.arange(x.size)  # SciPy has no order of equal heights
    same_peaks(x, conditions)


@pytest.mark.parametrize("seed", range(30))
def test_peaks_of_short_signals(seed):
    random = np.random.default_rng(seed)
    for levels in (3, 6, 50):
        x = random.integers(0, levels, int(random.integers(3, 60))).astype("f8")
        same_peaks(x, {"prominence": 1, "width": 0, "rel_height": 0.3})
        same_peaks(x, {"prominence": 0, "width": 0, "wlen": int(random.integers(2, 12))})
        same_peaks(x + 1e-3 * random.random(x.size), {"distance": int(random.integers(1, 9))})


@pytest.mark.parametrize("kind", ["noise", "walk", "plateaus", "rising", "with NaN"])
def test_peaks_of_long_signals(kind):
    n = 100_003
    x = RANDOM.standard_normal(n)
    if kind == "walk":
        x = np.cumsum(x)
    elif kind == "plateaus":
        x = np.round(np.cumsum(x) / 3)
    elif kind == "rising":
        x = np.arange(n) + 3.0 * (np.arange(n) % 2)
    elif kind == "with NaN":
        x[RANDOM.integers(0, n, 50)] = np.nan
    same_peaks(x, {"prominence": 0.5, "width": 0})
    same_peaks(x, {"prominence": 0, "width": (None, 9), "rel_height": 0.8, "wlen": 301})


@pytest.mark.parametrize("name", ["noise", "walk", "plateaus", "integers", "rising", "constant"])
@pytest.mark.parametrize("wlen", [None, 5, 40.5])
def test_prominences_and_widths_of_any_elements(name, wlen):
    x = SIGNALS[name]
    for peaks in (theirs.find_peaks(x)[0], RANDOM.integers(0, x.size, 30), np.arange(0)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", theirs._peak_finding_utils.PeakPropertyWarning)
            expected = theirs.peak_prominences(x, peaks, wlen)
            widths = [theirs.peak_widths(x, peaks, part, None, wlen) for part in (0, 0.5, 1.2)]
        found = ours.peak_prominences(dpnp.array(x), dpnp.array(peaks), wlen)
        for f, e in zip(found, expected, strict=True):
            np.testing.assert_array_equal(f.asnumpy(), e)
            assert f.dtype == e.dtype
        for part, reference in zip((0, 0.5, 1.2), widths, strict=True):
            for given in (None, found):
                made = ours.peak_widths(dpnp.array(x), dpnp.array(peaks), part, given, wlen)
                for f, e in zip(made, reference, strict=True):
                    np.testing.assert_allclose(f.asnumpy(), e, rtol=1e-12)


def test_bounds_that_are_arrays():
    x = SIGNALS["noise"]
    low, high = np.linspace(-1, 1, x.size), np.linspace(0, 3, x.size)
    same_peaks(x, {"height": (low, high)}, height=(dpnp.array(low), dpnp.array(high)))
    same_peaks(x, {"height": low}, height=dpnp.array(low))
    same_peaks(x, {"height": (low, high)})
    same_peaks(x, {"prominence": 0.5}, prominence=dpnp.array(0.5))
    same_peaks(x[::-1][::2], {"distance": 4, "width": 0})


TIMES = np.linspace(-3, 30, 401)


@pytest.mark.parametrize("code", "fdl")
@pytest.mark.parametrize("name", ["square", "sawtooth"])
def test_periodic_waveforms(name, code):
    t = TIMES.astype(code)
    parts = (0, 0.3, 0.5, 1, 1.5, -0.1, np.linspace(-0.1, 1.1, t.size))
    for part in parts:
        with np.errstate(all="ignore"):
            expected = getattr(theirs, name)(t, part)
        found = getattr(ours, name)(dpnp.array(t), dpnp.array(part) if isinstance(part, np.ndarray) else part)
        assert found.dtype == expected.dtype
        # float32 times are those of SciPy, which takes their remainders in single precision
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5 if code == "f" else 1e-9, atol=1e-5)
    expected = getattr(theirs, name)(TIMES)
    np.testing.assert_allclose(getattr(ours, name)(dpnp.array(TIMES)).asnumpy(), expected, atol=1e-12)
    assert getattr(ours, name)(dpnp.ones((3, 1)), dpnp.ones(4)).shape == (3, 4)


@pytest.mark.parametrize("code", "fdl")
def test_chirps(code):
    t = np.linspace(0, 9, 200).astype(code)
    tolerance = 1e-3 if code == "f" else 1e-9  # SciPy computes the phase in the precision of times
    for method in ("linear", "quad", "log", "hyperbolic"):
        for f0, f1 in ((1, 3), (3, 1), (2, 2)):
            for options in ({}, {"phi": 30}, {"vertex_zero": False}, {"complex": True}):
                expected = theirs.chirp(t, f0, 9.5, f1, method, **options)
                found = ours.chirp(dpnp.array(t), f0, 9.5, f1, method, **options)
                assert found.dtype == expected.dtype
                np.testing.assert_allclose(found.asnumpy(), expected, atol=tolerance)


@pytest.mark.parametrize("code", "fd")
def test_gaussian_pulses(code):
    t = np.linspace(-1, 1, 300).astype(code)
    for options in ({}, {"fc": 5}, {"fc": 5, "bw": 0.2, "bwr": -3}):
        for quad in (False, True):
            for envelope in (False, True):
                both = {"retquad": quad, "retenv": envelope}
                expected = theirs.gausspulse(t, **options, **both)
                found = ours.gausspulse(dpnp.array(t), **options, **both)
                if not isinstance(expected, tuple):
                    expected, found = (expected,), (found,)
                for e, f in zip(expected, found, strict=True):
                    assert f.dtype == e.dtype
                    np.testing.assert_allclose(f.asnumpy(), e, atol=5e-4 if code == "f" else 1e-11)
    assert ours.gausspulse("cutoff", fc=5) == pytest.approx(theirs.gausspulse("cutoff", fc=5), rel=1e-14)


@pytest.mark.parametrize("code", "dfDl")
def test_resampling(code):
    x = (9 * RANDOM.standard_normal((12, 15))).astype(code)
    tolerance = 1e-4 if code == "f" else 1e-11
    for axis in (0, 1, -1):
        for num in (1, 2, 5, 6, 12, 15, 16, 21, 30):
            n = x.shape[axis]
            weights = RANDOM.random(n)
            for window in (None, "hann", ("kaiser", 3.0), weights, np.cos):
                expected = theirs.resample(x, num, axis=axis, window=window)
                given = dpnp.array(window) if window is weights else dpnp.cos if window is np.cos else window
                found = ours.resample(dpnp.array(x), num, axis=axis, window=given)
                assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
                np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=10 * tolerance)
    transform = np.fft.fft(x, axis=0)
    for num in (5, 6, 12, 21, 24):
        expected = theirs.resample(transform, num, domain="freq")
        found = ours.resample(dpnp.array(transform), num, domain="freq")
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=10 * tolerance)
    times = np.linspace(2, 4, 12)
    expected, found = (
        f(a(x[:, 0]), 7, a(times)) for f, a in ((theirs.resample, np.array), (ours.resample, dpnp.array))
    )
    np.testing.assert_allclose(found[1].asnumpy(), expected[1], rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.find_peaks([1.0]), TypeError, "find_peaks"),
        (lambda x: ours.find_peaks(x), ValueError, "find_peaks: x must have one axis, got shape"),
        (lambda x: ours.find_peaks(1j * x[0]), TypeError, "find_peaks: x must be real"),
        (lambda x: ours.find_peaks(x[0], distance=0.5), ValueError, "find_peaks: distance must be"),
        (lambda x: ours.find_peaks(x[0], prominence=1, wlen=1), ValueError, "find_peaks: wlen must be larger than 1"),
        (lambda x: ours.find_peaks(x[0], width=1, rel_height=-1), ValueError, "find_peaks: rel_height"),
        (lambda x: ours.find_peaks(x[0], height=x[0, :3]), ValueError, "find_peaks: an array of lower bounds"),
        (lambda x: ours.find_peaks(x[0], height=(None, x[0, :3])), ValueError, "an array of upper bounds"),
        (lambda x: ours.peak_prominences(x, dpnp.array([1])), ValueError, "peak_prominences: x must have one axis"),
        (lambda x: ours.peak_prominences(x[0], [1]), TypeError, "peak_prominences"),
        (lambda x: ours.peak_prominences(x[0], dpnp.array([4])), ValueError, "peak_prominences: each peak must be a"),
        (lambda x: ours.peak_prominences(x[0], dpnp.array([1.0])), TypeError, "peak_prominences: peaks must be int"),
        (lambda x: ours.peak_prominences(x[0], dpnp.array([[1]])), ValueError, "peak_prominences: peaks must have one"),
        (
            lambda x: ours.peak_prominences(x[0], dpnp.array([1]), 1),
            ValueError,
            "peak_prominences: wlen must be",
        ),
        (lambda x: ours.peak_widths(x[0], dpnp.array([1]), -1), ValueError, "peak_widths: rel_height"),
        (
            lambda x: ours.peak_widths(x[0], dpnp.array([1]), 1, (x[0, :1], dpnp.array([2]), dpnp.array([1]))),
            ValueError,
            "peak_widths: prominence data is invalid",
        ),
        (lambda x: ours.square([1.0]), TypeError, "square"),
        (lambda x: ours.square(1j * x), TypeError, "square: t and duty must be real"),
        (lambda x: ours.sawtooth(x, "all"), TypeError, "sawtooth"),
        (lambda x: ours.chirp(x, 1, 1, 2, "cubic"), ValueError, "chirp: method must be"),
        (lambda x: ours.chirp(x, -1, 1, 2, "log"), ValueError, "chirp: for a logarithmic chirp"),
        (lambda x: ours.chirp(x, 0, 1, 2, "hyp"), ValueError, "chirp: for a hyperbolic chirp"),
        (lambda x: ours.chirp([1.0], 0, 1, 2), TypeError, "chirp"),
        (lambda x: ours.gausspulse(x, fc=-1), ValueError, "gausspulse: the frequency fc"),
        (lambda x: ours.gausspulse(x, bw=0), ValueError, "gausspulse: the bandwidth bw"),
        (lambda x: ours.gausspulse(x, bwr=0), ValueError, "gausspulse: the level bwr"),
        (lambda x: ours.gausspulse("cutoff", tpr=0), ValueError, "gausspulse: the level tpr"),
        (lambda x: ours.gausspulse("end"), ValueError, "gausspulse: t must be an array or 'cutoff'"),
        (lambda x: ours.gausspulse([1.0]), TypeError, "gausspulse"),
        (lambda x: ours.resample([1.0], 2), TypeError, "resample"),
        (lambda x: ours.resample(x, 2, domain="space"), ValueError, "resample: domain must be"),
        (lambda x: ours.resample(x, 0), ValueError, "resample: num must be positive"),
        (lambda x: ours.resample(x, 1.5), TypeError, "float"),
        (lambda x: ours.resample(x, 2, axis=2), np.exceptions.AxisError, "resample: axis 2"),
        (lambda x: ours.resample(x, 2, window=x[0]), ValueError, "resample: the window must have a weight for each"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((5, 4)))
