"""Filters of signals: trends, analytic signals, medians, and polynomials through neighbours."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp._support import default_float_type, host_array
from dpnp.scipy import ndimage
from dpnp.scipy.ndimage._arguments import axis_of, per_axis

__all__ = [
    "detrend", "hilbert", "hilbert2", "medfilt", "medfilt2d", "order_filter", "savgol_coeffs", "savgol_filter",
    "wiener",
]  # fmt: skip


def _floats(name: str, x: object) -> dpnp_ndarray:
    """The array, of floating-point numbers."""
    a = as_dpnp(checked_array(name, x))
    return a if a.dtype.kind in "fc" else dpnp.astype(a, default_float_type(sycl_queue=a.sycl_queue))


def detrend(
    data: object,
    axis: int = -1,
    type: str = "linear",
    bp: int | Sequence[int] = 0,
    overwrite_data: bool = False,
) -> dpnp_ndarray:
    """Return data without its linear trend, or its mean, along an axis.

    Parameters
    ----------
    data : ndarray
        The data.
    axis : int, optional
        The axis.
    type : {'linear', 'constant'}, optional
        Whether to subtract the line of least squares or the mean.
    bp : int or sequence of int, optional
        Positions between which each part has a line of its own.
    overwrite_data : bool, optional
        Has no effect.

    Raises
    ------
    ValueError
        For an unknown type, and for positions beyond the axis.
    TypeError
        When `data` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.detrend(np.array([1.0, 3.0, 4.0, 6.0])).round(6)
    array([-0.1,  0.3, -0.3,  0.1])
    """
    name = "detrend"
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError(f"{name}: type must be 'linear' or 'constant', got {type!r}")
    x = _floats(name, data)
    axis = axis_of(name, axis, x.ndim)
    if type in ("constant", "c"):
        return x - bound.mean(x, axis=axis, keepdims=True)
    n = x.shape[axis]
    points = sorted({0, n, *numpy.atleast_1d(host_array(bp)).tolist()})
    if points[-1] > n or points[0] < 0:
        raise ValueError(f"{name}: break points must be from 0 to the length {n} of the axis, got {bp}")
    parts = []
    for start, stop in itertools.pairwise(points):
        part = x[(slice(None),) * axis + (slice(start, stop),)]
        m = stop - start
        shape = [m if i == axis else 1 for i in range(x.ndim)]
        ramp = dpnp.arange(m, dtype=dpnp.empty(0, dtype=x.dtype, sycl_queue=x.sycl_queue).real.dtype,
                           usm_type=x.usm_type, sycl_queue=x.sycl_queue)  # fmt: skip
        t = dpnp.reshape(ramp - (m - 1) / 2, shape)
        mean = bound.mean(part, axis=axis, keepdims=True)
        squares = m * (m * m - 1) / 12  # the sum of t * t
        slope = bound.sum((part - mean) * t, axis=axis, keepdims=True) / squares if m > 1 else 0.0
        parts.append(part - mean - slope * t)
    return parts[0] if len(parts) == 1 else dpnp.concatenate(parts, axis=axis)


def _one_sided(n: int, count: int, shape: list[int], x: dpnp_ndarray, middle: float) -> dpnp_ndarray:
    """Factors of the first `count` frequencies of a transform of n elements: 2 for positive ones, 0 for negative ones.

    `middle` is that of the frequency n / 2.
    """
    i = dpnp.arange(count, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    factors = dpnp.where(i == 0, 1.0, dpnp.where(i < n / 2, 2.0, dpnp.where(i > n / 2, 0.0, middle)))
    return dpnp.reshape(dpnp.astype(factors, "f4" if x.dtype.char in "fF" else factors.dtype, copy=False), shape)


def _real(name: str, x: object) -> dpnp_ndarray:
    a = _floats(name, x)
    if a.dtype.kind == "c":
        raise ValueError(f"{name}: x must be real, got {a.dtype}")
    return a


def hilbert(x: object, N: int | None = None, axis: int = -1) -> dpnp_ndarray:
    """Return the analytic signal: the signal, and its Hilbert transform as the imaginary part.

    Parameters
    ----------
    x : ndarray
        The signal, of real numbers.
    N : int, optional
        The number of elements of the transform; by default the length of the axis.
    axis : int, optional
        The axis.

    Raises
    ------
    ValueError
        For complex numbers, and an N that is not positive.

    Examples
    --------
    >>> import dpnp as np
    >>> abs(np.scipy.signal.hilbert(np.array([1.0, 0.0, -1.0, 0.0]))).round(6)
    array([1., 1., 1., 1.])
    """
    a = _real("hilbert", x)
    axis = axis_of("hilbert", axis, a.ndim)
    n = a.shape[axis] if N is None else operator.index(N)
    if n <= 0:
        raise ValueError(f"hilbert: N must be positive, got {n}")
    count = n // 2 + 1
    factors = _one_sided(n, count, [count if i == axis else 1 for i in range(a.ndim)], a, 1.0)
    return dpnp.fft.ifft(dpnp.fft.rfft(a, n, axis) * factors, n, axis)  # negative frequencies are zeros


def hilbert2(x: object, N: int | tuple[int, int] | None = None, axes: tuple[int, int] = (-2, -1)) -> dpnp_ndarray:
    """Return the analytic signal along two axes. The arguments are those of `hilbert`.

    >>> import dpnp as np
    >>> np.scipy.signal.hilbert2(np.array([[1.0, 0.0], [0.0, 0.0]])).round(6)
    array([[0.25+0.j, 0.25+0.j],
           [0.25+0.j, 0.25+0.j]])
    """
    a = _real("hilbert2", x)
    if a.ndim < 2:
        raise ValueError(f"hilbert2: expected an array with at least two axes, got shape {a.shape}")
    where = [axis_of("hilbert2", i, a.ndim) for i in axes]
    sizes = [a.shape[i] for i in where] if N is None else [operator.index(k) for k in per_axis("hilbert2", "N", N, 2)]
    if min(sizes) <= 0:
        raise ValueError(f"hilbert2: N must be positive, got {N}")
    made = dpnp.fft.fft2(a, sizes, where)
    for n, axis in zip(sizes, where, strict=True):
        made = made * _one_sided(n, n, [n if i == axis else 1 for i in range(a.ndim)], a, 0.0)
    return dpnp.fft.ifft2(made, axes=where)


def _sizes(name: str, given: object, x: dpnp_ndarray) -> list[int]:
    if given is None:
        return [3] * x.ndim
    sizes = [operator.index(k) for k in per_axis(name, "size", host_array(given).tolist(), x.ndim)]
    for k in sizes:
        if k % 2 != 1:
            raise ValueError(f"{name}: each size of the window must be odd, got {given}")
    return sizes


def medfilt(volume: object, kernel_size: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return the medians of the elements in windows; elements beyond the borders are zeros.

    `kernel_size` is the odd length of the window along all axes, or a sequence; by default 3.

    >>> import dpnp as np
    >>> np.scipy.signal.medfilt(np.array([2.0, 8.0, 0.0, 4.0, 1.0]))
    array([2., 2., 4., 1., 1.])
    """
    x = as_dpnp(checked_array("medfilt", volume))
    return ndimage.median_filter(x, _sizes("medfilt", kernel_size, x), mode="constant")


def medfilt2d(input: object, kernel_size: int | tuple[int, int] = 3) -> dpnp_ndarray:
    """Return the medians of the elements in windows of a matrix. The arguments are those of `medfilt`.

    >>> import dpnp as np
    >>> np.scipy.signal.medfilt2d(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]))
    array([[0., 2., 0.],
           [2., 5., 3.],
           [0., 5., 0.]])
    """
    x = as_dpnp(checked_array("medfilt2d", input))
    if x.ndim != 2:
        raise ValueError(f"medfilt2d: expected an array with two axes, got shape {x.shape}")
    return ndimage.median_filter(x, _sizes("medfilt2d", kernel_size, x), mode="constant")


def order_filter(a: object, domain: object, rank: int) -> dpnp_ndarray:
    """Return the elements of a rank among those of windows where `domain` is not zero.

    Elements beyond the borders are zeros. Raises ValueError for a domain of even length.

    >>> import dpnp as np
    >>> np.scipy.signal.order_filter(np.array([2, 8, 0, 4, 1]), [1, 1, 1], 2)
    array([8, 8, 8, 4, 4])
    """
    used = host_array(domain)
    if any(n % 2 != 1 for n in used.shape):
        raise ValueError(f"order_filter: each length of the domain must be odd, got shape {used.shape}")
    return ndimage.rank_filter(a, rank, footprint=used != 0, mode="constant")


def wiener(im: object, mysize: int | tuple[int, ...] | None = None, noise: float | None = None) -> dpnp_ndarray:
    """Return an array from which noise is removed by the means and variances of the elements in windows.

    Parameters
    ----------
    im : ndarray
        The array, of real numbers.
    mysize : int or tuple of int, optional
        The lengths of the window along the axes; by default 3.
    noise : float, optional
        The power of the noise; by default the mean of the variances.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.wiener(np.array([1.0, 1.0, 7.0, 1.0, 1.0])).round(4)
    array([0.6667, 2.2222, 4.5556, 2.2222, 0.6667])
    """
    x = _real("wiener", im)
    x = dpnp.astype(x, default_float_type(sycl_queue=x.sycl_queue), copy=False)
    sizes = [3] * x.ndim if mysize is None else [
        operator.index(k) for k in per_axis("wiener", "size", host_array(mysize).tolist(), x.ndim)]  # fmt: skip
    count = math.prod(sizes)
    sums = lambda a: _box(a, sizes)  # noqa: E731
    mean = sums(x) / count
    variance = sums(x * x) / count - mean * mean
    power = bound.mean(variance) if noise is None else noise
    made = mean + (x - mean) * (1 - power / variance)
    return dpnp.where(variance < power, mean, made)


def _box(x: dpnp_ndarray, sizes: list[int]) -> dpnp_ndarray:
    """The sums of the elements in windows."""
    for axis, n in enumerate(sizes):
        # An even window of SciPy's convolution has one element more before the position.
        x = ndimage.convolve1d(x, numpy.ones(n), axis, mode="constant", origin=-(n % 2 == 0))
    return x


@functools.lru_cache(64)
def _coefficients(window_length: int, polyorder: int, deriv: int, delta: float, pos: float | None) -> numpy.ndarray:
    """The weights of the elements in the value, or a derivative, of the polynomial of least squares."""
    half, rest = divmod(window_length, 2)
    at = half if rest else half - 0.5
    x = numpy.arange(-(at if pos is None else pos), window_length - (at if pos is None else pos), dtype="f8")
    if deriv > polyorder:
        return numpy.zeros(window_length)
    powers = x[:window_length] ** numpy.arange(polyorder + 1).reshape(-1, 1)
    wanted = numpy.zeros(polyorder + 1)
    wanted[deriv] = math.factorial(deriv) / delta**deriv
    return numpy.linalg.lstsq(powers, wanted, rcond=None)[0]


def _checked_window(name: str, window_length: object, polyorder: object, deriv: object) -> tuple[int, int, int]:
    """The three parameters as ints."""
    window_length, polyorder, deriv = (operator.index(n) for n in (window_length, polyorder, deriv))
    if polyorder >= window_length:
        raise ValueError(f"{name}: polyorder must be less than window_length, got {polyorder} and {window_length}")
    return window_length, polyorder, deriv


def savgol_coeffs(
    window_length: int, polyorder: int, deriv: int = 0, delta: float = 1.0, pos: float | None = None,
    use: str = "conv",
) -> dpnp_ndarray:  # fmt: skip
    """Return the weights of a Savitzky-Golay filter.

    Parameters
    ----------
    window_length : int
        The number of weights.
    polyorder : int
        The order of the polynomial through them.
    deriv : int, optional
        The order of the derivative; 0: the value.
    delta : float, optional
        The distance of elements.
    pos : int, optional
        The position in the window; by default the middle.
    use : {'conv', 'dot'}, optional
        Whether the weights are those of a convolution, in reverse order.

    Raises
    ------
    ValueError
        For a polynomial whose order is not less than the number of weights, a position beyond them, and another `use`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.savgol_coeffs(5, 2).round(6)
    array([-0.085714,  0.342857,  0.485714,  0.342857, -0.085714])
    """
    name = "savgol_coeffs"
    window_length, polyorder, deriv = _checked_window(name, window_length, polyorder, deriv)
    if pos is not None and not 0 <= pos < window_length:
        raise ValueError(f"{name}: pos must be from 0 to window_length - 1, got {pos}")
    if use not in ("conv", "dot"):
        raise ValueError(f"{name}: use must be 'conv' or 'dot', got {use!r}")
    made = _coefficients(window_length, polyorder, deriv, float(delta), pos)
    return dpnp.asarray(made[::-1].copy() if use == "conv" else made)


def savgol_filter(
    x: object,
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: float = 1.0,
    axis: int = -1,
    mode: str = "interp",
    cval: float = 0.0,
) -> dpnp_ndarray:
    """Return the values, or derivatives, of polynomials of least squares through neighbours along an axis.

    A. Savitzky and M. Golay, Smoothing and Differentiation of Data by Simplified Least Squares Procedures (1964).

    Parameters
    ----------
    x : ndarray
        The data.
    window_length, polyorder, deriv, delta
        As of `savgol_coeffs`.
    axis : int, optional
        The axis.
    mode : {'interp', 'mirror', 'constant', 'nearest', 'wrap'}, optional
        The elements beyond the ends, as of `ndimage.correlate1d`; 'interp': the polynomials through the first and the
        last elements give the values there.
    cval : float, optional
        The number beyond the ends in the mode 'constant'.

    Raises
    ------
    ValueError
        For an unknown mode, and in the mode 'interp' for less than `window_length` elements.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.savgol_filter(np.array([2.0, 2.0, 5.0, 2.0, 1.0, 0.0]), 5, 2).round(4)
    array([ 1.6571,  3.1714,  3.5429,  2.8571,  1.6286, -0.4571])
    """
    name = "savgol_filter"
    if mode not in ("interp", "mirror", "constant", "nearest", "wrap"):
        raise ValueError(f"{name}: mode must be 'interp', 'mirror', 'constant', 'nearest' or 'wrap', got {mode!r}")
    a = _floats(name, x)
    axis = axis_of(name, axis, a.ndim)
    window_length, polyorder, deriv = _checked_window(name, window_length, polyorder, deriv)
    weights = _coefficients(window_length, polyorder, deriv, float(delta), None)[::-1]
    if mode != "interp":
        return ndimage.convolve1d(a, weights, axis, mode=mode, cval=cval)
    n = a.shape[axis]
    if window_length > n:
        raise ValueError(f"{name}: in the mode 'interp', window_length must not exceed the length of the axis, {n}")
    made = ndimage.convolve1d(a, weights, axis, mode="constant")
    half = window_length // 2
    if half == 0:
        return made
    lines = as_dpnp(dpt.moveaxis(a, axis, -1))
    ends = []
    for part, positions in ((lines[..., :window_length], range(half)),
                            (lines[..., n - window_length :], range(window_length - half, window_length))):  # fmt: skip
        rows = numpy.stack([_coefficients(window_length, polyorder, deriv, float(delta), p) for p in positions], 1)
        matrix = dpt.asarray(rows.astype(a.dtype), usm_type=a.usm_type, sycl_queue=a.sycl_queue)
        ends.append(as_dpnp(dpt.moveaxis(dpt.matmul(part, matrix), -1, axis)))
    middle = made[(slice(None),) * axis + (slice(half, n - half),)]
    return dpnp.concatenate((ends[0], middle, ends[1]), axis=axis)
