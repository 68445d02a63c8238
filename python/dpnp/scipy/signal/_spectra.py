"""Spectra: Fourier transforms of segments, which are weighted by a window, and their averages."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays, placement_of

import dpnp
from dpnp.scipy.ndimage._arguments import axis_of
from dpnp.scipy.signal._filters import _floats
from dpnp.scipy.signal._filters import detrend as without_trend
from dpnp.scipy.signal.windows import get_window

__all__ = ["coherence", "csd", "istft", "periodogram", "spectrogram", "stft", "welch"]


class _Segments:
    """The division of a signal of n elements into segments, and their window."""

    def __init__(
        self, name: str, x: dpnp_ndarray, n: int, window: object, nperseg: int | None, noverlap: int | None,
        nfft: int | None,
    ) -> None:  # fmt: skip
        place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
        given = None
        if isinstance(window, array_base) or not isinstance(window, (str, tuple, int, float)):
            given = as_dpnp(window) if isinstance(window, array_base) else as_dpnp(
                dpt.asarray(numpy.asarray(window), **place))  # fmt: skip
            if given.ndim != 1:
                raise ValueError(f"{name}: window must have one axis, got shape {given.shape}")
            if given.size > n:
                raise ValueError(f"{name}: window is longer than x, {given.size} elements of {n}")
            if nperseg is not None and nperseg != given.size:
                raise ValueError(f"{name}: nperseg {nperseg} is not the length {given.size} of the window")
            nperseg = given.size
        if nperseg is not None and operator.index(nperseg) < 1:
            raise ValueError(f"{name}: nperseg must be a positive integer, got {nperseg}")
        wanted = 256 if nperseg is None else operator.index(nperseg)
        if wanted > n:
            if nperseg is not None:
                warnings.warn(f"{name}: nperseg {wanted} is greater than the length {n} of x; using {n}", stacklevel=4)
            wanted = n
        self.length = wanted
        self.nfft = wanted if nfft is None else operator.index(nfft)
        if self.nfft < wanted:
            raise ValueError(f"{name}: nfft must not be less than nperseg, got {self.nfft} and {wanted}")
        self.overlap = wanted // 2 if noverlap is None else operator.index(noverlap)
        if not 0 <= self.overlap < wanted:
            raise ValueError(f"{name}: noverlap must be less than nperseg, got {self.overlap} and {wanted}")
        self.step = wanted - self.overlap
        made = get_window(window, wanted, **place) if given is None else given
        self.window = dpnp.astype(made, "f4" if x.dtype.char in "fF" else made.dtype, copy=False)

    def of(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """The segments of the last axis, in one axis more."""
        count = (x.shape[-1] - self.overlap) // self.step
        whole = dpnp.ascontiguousarray(x)
        strides = (*whole.strides[:-1], self.step, 1)
        return dpnp.lib.stride_tricks.as_strided(whole, (*x.shape[:-1], count, self.length), strides)

    def transforms(self, x: dpnp_ndarray, detrend: object, onesided: bool) -> dpnp_ndarray:
        """The transforms of the segments, along the last axis."""
        parts = self.of(x)
        if callable(detrend):
            parts = detrend(parts)
        elif detrend:
            parts = without_trend(parts, -1, detrend)
        parts = parts * self.window
        return dpnp.fft.rfft(parts, self.nfft) if onesided else dpnp.fft.fft(parts, self.nfft)

    def frequencies(self, fs: float, onesided: bool) -> dpnp_ndarray:
        """The frequencies of the transforms."""
        place = {"usm_type": self.window.usm_type, "sycl_queue": self.window.sycl_queue}
        return (dpnp.fft.rfftfreq if onesided else dpnp.fft.fftfreq)(self.nfft, 1 / fs, **place)

    def scale(self, name: str, fs: float, scaling: str) -> dpnp_ndarray:
        """The factor of squares of transforms."""
        if scaling == "density":
            return 1.0 / (fs * bound.sum(self.window * self.window))
        if scaling == "spectrum":
            return 1.0 / bound.square(bound.sum(self.window))
        raise ValueError(f"{name}: scaling must be 'density' or 'spectrum', got {scaling!r}")

    def doubled(self, spectrum: dpnp_ndarray) -> dpnp_ndarray:
        """One-sided spectra, along the last axis, with the power of negative frequencies."""
        n = spectrum.shape[-1]
        i = dpnp.arange(n, usm_type=spectrum.usm_type, sycl_queue=spectrum.sycl_queue)
        single = (i == 0) | (i == n - 1) if self.nfft % 2 == 0 else i == 0
        one, two = (dpnp.asarray(v, dtype=spectrum.real.dtype, sycl_queue=i.sycl_queue) for v in (1.0, 2.0))
        return spectrum * dpnp.where(single, one, two)

    def times(self, fs: float, count: int) -> dpnp_ndarray:
        """The times of the middles of segments."""
        place = {"usm_type": self.window.usm_type, "sycl_queue": self.window.sycl_queue}
        return (dpnp.arange(count, **place) * self.step + self.length / 2) / float(fs)


def _spectra(
    name: str, x: object, y: object, fs: float, window: object, nperseg: object, noverlap: object, nfft: object,
    detrend: object, onesided: bool, scaling: str, axis: int,
) -> tuple[_Segments, dpnp_ndarray, dpnp_ndarray, bool]:  # fmt: skip
    """The segments, frequencies, spectra of segments with frequencies in the last axis, and if they are one-sided."""
    same = y is None or y is x
    check_arrays(name, x, *([] if same else [y]))
    a = _floats(name, x)
    b = a if same else _floats(name, y)
    axis = axis_of(name, axis, a.ndim)
    a, b = (as_dpnp(dpt.moveaxis(v, axis, -1)) for v in (a, b))
    if not same:
        placement_of(name, a, b)
        n = max(a.shape[-1], b.shape[-1])
        a, b = (_padded(v, n) for v in (a, b))
    s = _Segments(name, a, a.shape[-1], window, nperseg, noverlap, nfft)
    onesided = onesided and a.dtype.kind != "c" and b.dtype.kind != "c"
    first = s.transforms(a, detrend, onesided)
    if same:
        made = bound.square(first.real) + bound.square(first.imag)
    else:
        made = dpnp.conj(first) * s.transforms(b, detrend, onesided)
    made = made * dpnp.astype(s.scale(name, fs, scaling), made.real.dtype, copy=False)
    return s, s.frequencies(fs, onesided), s.doubled(made) if onesided else made, onesided


def _padded(x: dpnp_ndarray, n: int) -> dpnp_ndarray:
    if x.shape[-1] == n:
        return x
    return dpnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, n - x.shape[-1])])


def _is_empty(x: object) -> bool:
    return isinstance(x, array_base) and x.size == 0


def _none(x: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The spectrum of nothing."""
    made = dpnp.empty(x.shape, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    return made, made


def _placed(made: dpnp_ndarray, axis: int, last: int = -1) -> dpnp_ndarray:
    """The spectrum with its frequencies in the axis of the signal."""
    return as_dpnp(dpt.moveaxis(made, last, axis))


def _averaged(name: str, made: dpnp_ndarray, average: str) -> dpnp_ndarray:
    """The averages over the segments."""
    count = made.shape[-2]
    if average == "mean":
        return bound.mean(made, axis=-2)
    if average != "median":
        raise ValueError(f"{name}: average must be 'mean' or 'median', got {average!r}")
    # The median of powers with an exponential distribution is smaller than their mean by this factor.
    bias = 1 + sum(1 / (k + 1) - 1 / k for k in range(2, count, 2))
    if made.dtype.kind == "c":
        return (dpnp.median(made.real, axis=-2) + 1j * dpnp.median(made.imag, axis=-2)) / bias
    return dpnp.median(made, axis=-2) / bias


def csd(
    x: object,
    y: object,
    fs: float = 1.0,
    window: object = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies and the cross power spectral density of two signals, by Welch's method.

    P. Welch, The Use of the Fast Fourier Transform for the Estimation of Power Spectra (1967).

    Parameters
    ----------
    x, y : ndarray
        The signals.
    fs : float, optional
        The sampling frequency.
    window : str, tuple, float, ndarray or array_like, optional
        The window, as of `get_window`, or its elements.
    nperseg : int, optional
        The length of segments; by default 256, or that of the window.
    noverlap : int, optional
        The elements that neighbouring segments share; by default half of them.
    nfft : int, optional
        The length of transforms; by default that of segments.
    detrend : str, function or False, optional
        The trend to subtract from segments, as of `detrend`, or a function of segments, along the last axis.
    return_onesided : bool, optional
        Whether to return positive frequencies only, if both signals are real.
    scaling : {'density', 'spectrum'}, optional
        Whether to return the power by frequency or the power.
    axis : int, optional
        The axis of samples.
    average : {'mean', 'median'}, optional
        The average of segments.

    Returns
    -------
    f, Pxy : ndarray
        The frequencies and the spectrum.

    Raises
    ------
    ValueError
        For segments that are longer than transforms or not longer than what they share, and an unknown argument.
    TypeError
        When a signal is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.sin(np.arange(8) * np.pi / 2)
    >>> np.scipy.signal.csd(x, x, nperseg=4)[1].round(4)
    array([0.    , 1.3333, 0.    ])
    """
    return _csd("csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def _csd(
    name: str, x: object, y: object, fs: float, window: object, nperseg: object, noverlap: object, nfft: object,
    detrend: object, onesided: bool, scaling: str, axis: int, average: str,
) -> tuple[dpnp_ndarray, dpnp_ndarray]:  # fmt: skip
    if _is_empty(x) or (y is not None and _is_empty(y)):
        return _none(as_dpnp(x))
    _, f, made, _ = _spectra(name, x, y, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling, axis)
    return f, _placed(_averaged(name, made, average), axis)


def welch(
    x: object,
    fs: float = 1.0,
    window: object = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies and the power spectral density of a signal, by Welch's method.

    The arguments are those of `csd`.

    >>> import dpnp as np
    >>> x = np.sin(np.arange(8) * np.pi / 2)
    >>> np.scipy.signal.welch(x, nperseg=4)[1].round(4)
    array([0.    , 1.3333, 0.    ])
    """
    return _csd("welch", x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def periodogram(
    x: object,
    fs: float = 1.0,
    window: object = "boxcar",
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies and the power spectral density of a signal, by one transform of it.

    The arguments are those of `csd`; with a smaller `nfft`, the first `nfft` elements are transformed.

    >>> import dpnp as np
    >>> np.scipy.signal.periodogram(np.array([1.0, 0.0, -1.0, 0.0]))[1]
    array([0., 2., 0.])
    """
    name = "periodogram"
    check_arrays(name, x)
    if _is_empty(x):
        return _none(as_dpnp(x))
    a = as_dpnp(x)
    axis = axis_of(name, axis, a.ndim)
    n = a.shape[axis]
    if nfft is not None and nfft < n:
        a = a[(slice(None),) * axis + (slice(0, nfft),)]
        n, nfft = nfft, None
    return _csd(name, a, None, fs, window, n, 0, nfft, detrend, return_onesided, scaling, axis, "mean")


def coherence(
    x: object,
    y: object,
    fs: float = 1.0,
    window: object = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = "constant",
    axis: int = -1,
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies and the coherence of two signals: the square of their normalised cross spectrum.

    The arguments are those of `csd`.

    >>> import dpnp as np
    >>> x = np.sin(np.arange(8.0))
    >>> np.scipy.signal.coherence(x, 2 * x, nperseg=4, detrend=False)[1].round(6)
    array([1., 1., 1.])
    """
    options = (fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis, "mean")
    f, power = _csd("coherence", x, None, *options)
    other, cross = _csd("coherence", y, None, *options)[1], _csd("coherence", x, y, *options)[1]
    return f, (bound.square(cross.real) + bound.square(cross.imag)) / power / other


def spectrogram(
    x: object,
    fs: float = 1.0,
    window: object = ("tukey_periodic", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies, times and the spectra of the segments of a signal.

    Parameters
    ----------
    x, fs, window, nperseg, nfft, detrend, return_onesided, scaling, axis
        As of `csd`.
    noverlap : int, optional
        The elements that neighbouring segments share; by default an eighth of them.
    mode : {'psd', 'complex', 'magnitude', 'angle', 'phase'}, optional
        The power, the transforms, or their absolute values or angles; 'phase': angles without jumps by 2 pi.

    Returns
    -------
    f, t, Sxx : ndarray
        The frequencies, the times, and the spectra, whose last axis is the time.

    Raises
    ------
    ValueError, TypeError
        As of `csd`, and for an unknown mode.

    Examples
    --------
    >>> import dpnp as np
    >>> f, t, s = np.scipy.signal.spectrogram(np.sin(np.arange(40.0)), nperseg=8)
    >>> s.shape, t[:2]
    ((5, 5), array([ 4., 11.]))
    """
    name = "spectrogram"
    check_arrays(name, x)
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"{name}: mode must be 'psd', 'complex', 'magnitude', 'angle' or 'phase', got {mode!r}")
    a = _floats(name, x)
    where = axis_of(name, axis, a.ndim)
    if noverlap is None:
        n = a.shape[where]
        noverlap = min(_window_length(window, nperseg), n) // 8
    if mode == "psd":
        s, f, made, _ = _spectra(
            name, a, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, where
        )
    else:
        lines = as_dpnp(dpt.moveaxis(a, where, -1))
        s = _Segments(name, a, lines.shape[-1], window, nperseg, noverlap, nfft)
        onesided = return_onesided and a.dtype.kind != "c"
        f, made = s.frequencies(fs, onesided), s.transforms(lines, detrend, onesided)
        made = made * dpnp.astype(bound.sqrt(s.scale(name, fs, scaling)), made.real.dtype, copy=False)
    made = as_dpnp(dpt.moveaxis(made, -1, -2))
    times = s.times(fs, made.shape[-1])
    made = as_dpnp(dpt.moveaxis(made, -2, where)) if where < a.ndim - 1 else made
    if mode == "magnitude":
        made = bound.abs(made)
    elif mode in ("angle", "phase"):
        made = dpnp.angle(made)
        if mode == "phase":
            made = dpnp.unwrap(made, axis=where)
    return f, times, made


def _window_length(window: object, nperseg: int | None) -> int:
    """The length of segments that is asked for."""
    if nperseg is not None or isinstance(window, (str, tuple, int, float)):
        return 256 if nperseg is None else operator.index(nperseg)
    return window.size if isinstance(window, array_base) else len(window)


# The modes of dpnp.pad.
_BOUNDARIES = {"even": "reflect", "odd": "reflect", "constant": "edge", "zeros": "constant"}


def _extended(name: str, x: dpnp_ndarray, n: int, boundary: str) -> dpnp_ndarray:
    """The last axis with n elements more at both ends."""
    if boundary not in _BOUNDARIES:
        raise ValueError(f"{name}: boundary must be one of {', '.join(map(repr, _BOUNDARIES))} or None, "
                         f"got {boundary!r}")  # fmt: skip
    options = {"reflect_type": "odd"} if boundary == "odd" else {}
    return dpnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], mode=_BOUNDARIES[boundary], **options)


def stft(
    x: object,
    fs: float = 1.0,
    window: object = "hann_periodic",
    nperseg: int = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str | bool | Callable[[dpnp_ndarray], dpnp_ndarray] = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return frequencies, times and the Fourier transforms of the segments of a signal.

    Parameters
    ----------
    x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, axis
        As of `csd`.
    boundary : {'even', 'odd', 'constant', 'zeros', None}, optional
        How the signal is extended by half a segment at both ends, so that the middle of the first segment is its first
        element.
    padded : bool, optional
        Whether zeros are added at the end, so that all elements are in a segment.
    scaling : {'spectrum', 'psd'}, optional
        Whether magnitudes are those of the signal, or their squares its power by frequency.

    Returns
    -------
    f, t, Zxx : ndarray
        The frequencies, the times, and the transforms, whose last axis is the time.

    Raises
    ------
    ValueError, TypeError
        As of `csd`.

    Examples
    --------
    >>> import dpnp as np
    >>> f, t, z = np.scipy.signal.stft(np.ones(8), nperseg=4)
    >>> z.shape, abs(z[0]).round(4)
    ((3, 5), array([0.75, 1.  , 1.  , 1.  , 0.25]))
    """
    name = "stft"
    check_arrays(name, x)
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"{name}: scaling must be 'spectrum' or 'psd', got {scaling!r}")
    a = _floats(name, x)
    where = axis_of(name, axis, a.ndim)
    lines = as_dpnp(dpt.moveaxis(a, where, -1))
    s = _Segments(name, a, lines.shape[-1], window, nperseg, noverlap, nfft)
    if boundary is not None:
        lines = _extended(name, lines, s.length // 2, boundary)
    if padded:
        rest = (-(lines.shape[-1] - s.length)) % s.step % s.length
        lines = _padded(lines, lines.shape[-1] + rest)
    onesided = return_onesided and a.dtype.kind != "c"
    made = s.transforms(lines, detrend, onesided)
    scale = bound.sqrt(s.scale(name, fs, "spectrum" if scaling == "spectrum" else "density"))
    made = as_dpnp(dpt.moveaxis(made * dpnp.astype(scale, made.real.dtype, copy=False), -1, -2))
    times = s.times(fs, made.shape[-1])
    if boundary is not None:
        times = times - s.length / 2 / fs
    return s.frequencies(fs, onesided), times, as_dpnp(dpt.moveaxis(made, -2, where)) if where < a.ndim - 1 else made


def istft(
    Zxx: object,
    fs: float = 1.0,
    window: object = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return times and the signal that transforms of segments belong to, the inverse of `stft`.

    Parameters
    ----------
    Zxx : ndarray
        The transforms.
    fs, window, nperseg, noverlap, nfft, scaling
        As of `stft`, which they must be equal to.
    input_onesided : bool, optional
        Whether transforms have positive frequencies only.
    boundary : bool, optional
        Whether the signal was extended at both ends.
    time_axis, freq_axis : int, optional
        The axes of times and of frequencies.

    Returns
    -------
    t, x : ndarray
        The times and the signal.

    Raises
    ------
    ValueError
        For axes that are the same, and lengths that do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> _, _, z = np.scipy.signal.stft(np.arange(8.0), nperseg=4)
    >>> np.scipy.signal.istft(z, nperseg=4)[1].round(6)
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    name = "istft"
    check_arrays(name, Zxx)
    z = as_dpnp(Zxx)
    if z.ndim < 2:
        raise ValueError(f"{name}: expected an array with at least two axes, got shape {z.shape}")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"{name}: scaling must be 'spectrum' or 'psd', got {scaling!r}")
    time, frequency = axis_of(name, time_axis, z.ndim), axis_of(name, freq_axis, z.ndim)
    if time == frequency:
        raise ValueError(f"{name}: time_axis and freq_axis must be different, got {time_axis} and {freq_axis}")
    z = as_dpnp(dpt.moveaxis(z, (time, frequency), (-2, -1)))
    default = 2 * (z.shape[-1] - 1) if input_onesided else z.shape[-1]
    length = default if nperseg is None else operator.index(nperseg)
    if nfft is None:
        nfft = length if input_onesided and length == default + 1 else default
    s = _Segments(name, z, max(length, nfft), window, length, noverlap, nfft)
    parts = (dpnp.fft.irfft if input_onesided else dpnp.fft.ifft)(z, s.nfft)[..., : s.length]
    scale = bound.sum(s.window) if scaling == "spectrum" else bound.sqrt(fs * bound.sum(bound.square(s.window)))
    parts = parts * dpnp.astype(scale, parts.real.dtype, copy=False)
    total, norm = _added(parts * s.window, s.step), _added(dpnp.broadcast_to(bound.square(s.window),
                                                                              parts.shape[-2:]), s.step)  # fmt: skip
    made = total / dpnp.where(norm > 1e-10, norm, dpnp.ones_like(norm))
    if boundary:
        half = s.length // 2
        made = made[..., half : made.shape[-1] - half]
    made = dpnp.ascontiguousarray(made)
    times = dpnp.arange(made.shape[-1], usm_type=z.usm_type, sycl_queue=z.sycl_queue) / float(fs)
    if made.ndim > 1:
        made = as_dpnp(dpt.moveaxis(made, -1, time - (frequency < time)))
    return times, made


def _added(parts: dpnp_ndarray, step: int) -> dpnp_ndarray:
    """The sum of segments, along the last axis, that begin `step` elements apart."""
    *batch, count, length = parts.shape
    blocks = math.ceil(length / step)  # of `step` elements in a segment
    whole = _padded(parts, blocks * step)
    made = None
    for k in range(blocks):
        block = whole[..., k * step : (k + 1) * step]
        widths = [(0, 0)] * len(batch) + [(k, blocks - 1 - k), (0, 0)]
        block = dpnp.pad(block, widths)
        made = block if made is None else made + block
    made = dpnp.reshape(made, (*batch, (count + blocks - 1) * step))
    return made[..., : (count - 1) * step + length]
