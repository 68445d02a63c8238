"""dpnp.scipy.signal against scipy.signal: convolutions, windows, filters, spectra and errors."""

from __future__ import annotations

import inspect
import warnings

import dpnp
import numpy as np
import pytest
import scipy.signal
from reference import values

ours, theirs = dpnp.scipy.signal, scipy.signal
TOLERANCE = {"f": 1e-4, "F": 1e-4}


def check(name: str, *arguments: object, tolerance: float | None = None, skip: int | None = None, **options: object):
    """Compare a function's results, except that at `skip`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(theirs, name)(*arguments, **options)
        found = getattr(ours, name)(*(dpnp.array(a) if isinstance(a, np.ndarray) else a for a in arguments), **options)
    if not isinstance(expected, tuple):
        expected, found = (expected,), (found,)
    code = next((a.dtype.char for a in arguments if isinstance(a, np.ndarray)), "d")
    t = TOLERANCE.get(code, 1e-10) if tolerance is None else tolerance
    for i, (e, f) in enumerate(zip(expected, found, strict=True)):
        if i == skip:
            continue
        got = f.asnumpy()
        assert (got.shape, got.dtype) == (e.shape, e.dtype), (name, i)
        np.testing.assert_allclose(got, e, rtol=t, atol=t * max(1.0, float(np.abs(e).max(initial=0))), err_msg=name)


PAIRS = [((20,), (7,)), ((6,), (15,)), ((9, 10), (3, 4)), ((3, 4), (9, 10)), ((5, 6, 7), (2, 3, 2)), ((8, 5), (3, 7))]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("code", "dflDBF")
def test_convolutions(code, mode):
    for first, second in PAIRS:
        if mode == "valid" and first == (8, 5):
            continue
        x, y = values(code, first, 0, 0, 9), values(code, second, 1, 0, 9)
        check("fftconvolve", x, y, mode), check("oaconvolve", x, y, mode)
        for name in ("convolve", "correlate"):
            for method in ("auto", "direct", "fft"):
                check(name, x, y, mode, method, tolerance=1e-4 if code in "fF" else 1e-9)
        if len(first) == 2:
            for boundary in ("fill", "wrap", "symm"):
                if first == (3, 4) and (boundary != "fill" or code in "DF"):
                    continue  # SciPy conjugates the other matrix if it exchanges them
                for name in ("convolve2d", "correlate2d"):
                    check(name, x, y, mode, boundary, 2)


def test_integers_are_summed_exactly():
    x = values("l", (30, 40), 0, -(2**40), 2**40)
    y = values("l", (3, 4), 1, -(2**20), 2**20)
    check("convolve2d", x, y, tolerance=0)
    check("convolve", values("i", (50, 60), 0, -1000, 1000), values("i", (5, 6), 0, -1000, 1000), tolerance=0)


def test_broadcast_axes_and_large_arrays():
    x, y = values("d", (4, 9)), values("d", (4, 5), 1)
    check("fftconvolve", x, y, axes=1)
    check("fftconvolve", x, y[:1], axes=1)
    check("fftconvolve", values("d", (700, 800)), values("d", (61, 50)), "same")
    check("convolve", values("d", (700, 800)), values("d", (3, 5)), "same")
    check("convolve", values("d", (300_000,)), values("d", (33,)), "same")
    assert ours.choose_conv_method(dpnp.ones(100), dpnp.ones(3)) == "direct"
    assert ours.choose_conv_method(dpnp.ones((1000, 1000)), dpnp.ones((200, 200))) == "fft"
    for n, m in ((5, 3), (3, 5), (6, 4)):
        for mode in ("full", "same", "valid"):
            check("correlation_lags", n, m, mode)


PARAMETERS = {"kaiser": (8.0,), "gaussian": (2.0,), "general_gaussian": (1.5, 2.0), "general_hamming": (0.6,),
              "general_cosine": ([0.5, 0.3, 0.2],), "kaiser_bessel_derived": (4.0,), "chebwin": (70,)}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in ours.windows.__all__ if n != "get_window"])
def test_windows(name):
    more = PARAMETERS.get(name, ())
    for m in (0, 1, 2, 7, 12, 513):
        for sym in (True, False):
            if name == "kaiser_bessel_derived" and (m % 2 or not sym or m == 0):
                continue
            found = getattr(ours.windows, name)(m, *more, sym=sym)
            np.testing.assert_allclose(found.asnumpy(), getattr(theirs.windows, name)(m, *more, sym=sym), atol=1e-13)
    assert "device" in inspect.signature(getattr(ours.windows, name)).parameters


WINDOWS = ["hann", "hamm", ("tukey", 0.3), 5.0, ("kaiser", 3.0), ("chebwin", 60), ("cheb", 50.0), "hann_symmetric",
           "boxcar", ("gaussian", 3), "tri", "poisson", ("exponential", None, 3.0)]  # fmt: skip


@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_get_window(window):
    for fftbins in (True, False):
        check("get_window", window, 11, fftbins, tolerance=1e-13)


TABLES = [{}, {"nperseg": 64}, {"nperseg": 50, "noverlap": 13, "nfft": 80, "fs": 3.0}, {"return_onesided": False},
          {"nperseg": 65, "window": "hamming", "detrend": "linear", "scaling": "spectrum"},
          {"detrend": False, "nperseg": 32, "window": ("tukey", 0.5)},
          {"window": np.arange(1.0, 20), "nperseg": 19}]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("code", "dfD")
def test_spectra(code, table):
    x, y = values(code, (3, 500)), values(code, (3, 500), 1)
    check("welch", x, **table), check("csd", x, y, **table), check("spectrogram", x, **table)
    check("welch", x.T.copy(), axis=0, **table)
    check("welch", x, average="median", **table), check("csd", x, y, average="median", **table)
    if not {"return_onesided", "scaling"} & set(table):
        check("coherence", x, y, tolerance=1e-2 if code == "f" else 1e-9, **table)
    if "scaling" not in table:
        check("stft", x, **table), check("stft", x, boundary="odd", padded=False, **table)
        check("stft", x, scaling="psd", boundary=None, **table)
    common = {k: v for k, v in table.items() if k in ("nperseg", "noverlap", "fs", "nfft")}
    z = theirs.stft(x, return_onesided=code != "D", **common)[2]
    # SciPy's times have the length of the first axis, not of that of samples.
    check("istft", z, input_onesided=code != "D", skip=0, **common)
    again = ours.istft(dpnp.array(z), input_onesided=code != "D", **common)
    assert again[0].shape == again[1].shape[-1:]


@pytest.mark.parametrize("mode", ["complex", "magnitude", "angle", "phase"])
def test_modes_of_spectrograms(mode):
    check("spectrogram", values("d", (2, 300)), nperseg=32, mode=mode, tolerance=1e-8)


@pytest.mark.parametrize("code", "dfD")
def test_periodograms_and_trends(code):
    x = values(code, (3, 500))
    for table in ({}, {"nfft": 300}, {"nfft": 600, "window": "hann", "scaling": "spectrum"}, {"detrend": "linear"}):
        check("periodogram", x, **table)
    for table in ({}, {"type": "constant"}, {"axis": 0}, {"bp": [100, 321]}):
        check("detrend", x, **table)


@pytest.mark.parametrize("code", "df")
def test_filters(code):
    x = values(code, (6, 500))
    check("hilbert", x), check("hilbert", x, 600), check("hilbert", x, axis=0), check("hilbert2", x)
    for mode in ("interp", "mirror", "constant", "nearest", "wrap"):
        check("savgol_filter", x, 7, 3, mode=mode)
        check("savgol_filter", x, 11, 3, deriv=1, delta=0.5, mode=mode)
    check("savgol_filter", x.T.copy(), 8, 3, axis=0)
    check("medfilt", x), check("medfilt", x, [3, 5]), check("medfilt2d", x, 5)
    check("order_filter", x, np.ones((3, 3)), 2)
    check("wiener", x), check("wiener", x, (3, 5), 0.1), check("wiener", x, 4)
    for arguments in ((5, 2), (7, 3, 1), (6, 2), (7, 3, 1, 0.5, 2), (5, 2, 0, 1.0, None, "dot")):
        check("savgol_coeffs", *arguments)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ours.fftconvolve(x, [1.0]), TypeError, "fftconvolve"),
        (lambda x: ours.fftconvolve(x, x, "all"), ValueError, "mode must be"),
        (lambda x: ours.fftconvolve(x, x[0]), ValueError, "same number of axes"),
        (lambda x: ours.fftconvolve(x, dpnp.ones((2, 9)), "valid"), ValueError, "at least as large"),
        (lambda x: ours.fftconvolve(x, dpnp.ones((2, 9)), axes=1), ValueError, "broadcast"),
        (lambda x: ours.convolve(x, x, method="fast"), ValueError, "method"),
        (lambda x: ours.convolve2d(x[0], x[0]), ValueError, "two axes"),
        (lambda x: ours.convolve2d(x, x, boundary="odd"), ValueError, "boundary"),
        (lambda x: ours.choose_conv_method(x, x, measure=True), NotImplementedError, "measure"),
        (lambda x: ours.get_window("square", 3), ValueError, "unknown window"),
        (lambda x: ours.get_window("kaiser", 3), ValueError, "window 'kaiser': missing a required argument: 'beta'"),
        (lambda x: ours.windows.hann(-1), ValueError, "negative"),
        (lambda x: ours.windows.hann(1.5), TypeError, "int"),
        (lambda x: ours.welch(x, nperseg=4, noverlap=4), ValueError, "noverlap"),
        (lambda x: ours.welch(x, nperseg=4, nfft=3), ValueError, "nfft"),
        (lambda x: ours.welch(x, scaling="power"), ValueError, "scaling"),
        (lambda x: ours.welch(x, average="mode"), ValueError, "average"),
        (lambda x: ours.stft(x, boundary="left", nperseg=2), ValueError, "boundary"),
        (lambda x: ours.spectrogram(x, mode="power"), ValueError, "mode"),
        (lambda x: ours.hilbert(1j * x), ValueError, "real"),
        (lambda x: ours.medfilt(x, 2), ValueError, "odd"),
        (lambda x: ours.detrend(x, type="square"), ValueError, "type"),
        (lambda x: ours.detrend(x, bp=9), ValueError, "break points"),
        (lambda x: ours.savgol_filter(x, 3, 3), ValueError, "polyorder"),
        (lambda x: ours.savgol_filter(x, 9, 3), ValueError, "window_length"),
        (lambda x: ours.cspline1d, AttributeError, "spline_filter1d"),
        (lambda x: ours.butter, AttributeError, "design filters"),
        (lambda x: ours.windows.dpss, AttributeError, "not on devices yet"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(dpnp.ones((3, 4)))
