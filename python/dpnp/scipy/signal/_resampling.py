"""Signals at other sampling rates, by their Fourier transforms."""

from __future__ import annotations

import operator
from collections.abc import Callable

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays

import dpnp
from dpnp._support import host_array
from dpnp.scipy.ndimage._arguments import axis_of
from dpnp.scipy.signal._filters import _floats
from dpnp.scipy.signal.windows import get_window

__all__ = ["resample"]


def _weights(x: dpnp_ndarray, window: object) -> dpnp_ndarray | None:
    """The weights of all frequencies of a signal along the last axis."""
    if window is None:
        return None
    n, place = x.shape[-1], {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    if callable(window):
        made = window(dpnp.fft.fftfreq(n, **place))
    elif hasattr(window, "shape"):
        if tuple(window.shape) != (n,):
            raise ValueError(f"resample: the window must have a weight for each of {n} frequencies, got shape "
                             f"{tuple(window.shape)}")  # fmt: skip
        made = window if isinstance(window, array_base) else dpnp.asarray(host_array(window), **place)
    else:
        made = dpnp.fft.fftshift(get_window(window, n, **place))
    if made.dtype.kind != "c":
        made = dpnp.astype(made, x.real.dtype, copy=False)
    return as_dpnp(made)


def _of_real(x: dpnp_ndarray, num: int, weights: dpnp_ndarray | None) -> dpnp_ndarray:
    n = x.shape[-1]
    least = min(n, num)
    transform = dpnp.fft.rfft(x)
    if weights is not None:
        # The weights of a frequency and of its negative are averaged.
        count = transform.shape[-1]
        transform[..., :1] *= weights[:1]
        transform[..., 1:] *= (weights[1:count] + dpnp.flip(weights[n - count + 1 :])) / 2
    transform = transform[..., : least // 2 + 1] * (num / n)
    if least % 2 == 0 and num != n:
        transform[..., least // 2] *= 2 if num < n else 0.5
    return dpnp.fft.irfft(transform, num)


def _of_complex(transform: dpnp_ndarray, num: int) -> dpnp_ndarray:
    n = transform.shape[-1]
    least = min(n, num)
    half = least // 2
    place = {"usm_type": transform.usm_type, "sycl_queue": transform.sycl_queue}
    wanted = dpnp.zeros((*transform.shape[:-1], num), dtype=transform.dtype, **place)
    wanted[..., : half + 1] = transform[..., : half + 1]
    if half + 1 < least:
        wanted[..., half + 1 - least :] = transform[..., half + 1 - least :]
    if least % 2 == 0 and num < n:
        wanted[..., -half] += transform[..., -half]
    elif least % 2 == 0 and num > n:
        wanted[..., half] *= 0.5
        wanted[..., num - half] = wanted[..., half]
    return dpnp.fft.ifft(wanted * (num / n))


def resample(
    x: object,
    num: int,
    t: object = None,
    axis: int = 0,
    window: str | tuple[object, ...] | float | Callable[[dpnp_ndarray], dpnp_ndarray] | object = None,
    domain: str = "time",
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return a periodic signal at another number of equally spaced times, by its Fourier transform.

    Parameters
    ----------
    x : ndarray
        The signal.
    num : int
        The number of times.
    t : ndarray, optional
        The times of `x`, of which the first two are used. With it, the new times are also returned.
    axis : int, optional
        The axis of times.
    window : str, tuple, float, ndarray or function, optional
        Weights of frequencies: a window as of `get_window`, which is centred at the frequency 0, the weights in the
        order of `dpnp.fft.fftfreq`, or a function of these frequencies.
    domain : {'time', 'freq'}, optional
        Whether `x` is a signal or its transform.

    Returns
    -------
    ndarray, or two ndarrays
        The signal, and with `t` its times.

    Raises
    ------
    ValueError
        For an unknown domain, a window of another length, and `num` that is not positive.
    TypeError
        When `x` or `t` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.resample(np.array([4.0, 3.0, 2.0, 3.0]), 8).round(4)
    array([4.    , 3.7071, 3.    , 2.2929, 2.    , 2.2929, 3.    , 3.7071])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"resample: domain must be 'time' or 'freq', got {domain!r}")
    check_arrays("resample", x, *([] if t is None else [t]))
    num = operator.index(num)
    if num < 1:
        raise ValueError(f"resample: num must be positive, got {num}")
    a = _floats("resample", x)
    axis = axis_of("resample", axis, a.ndim)
    a = as_dpnp(dpt.moveaxis(a, axis, -1))
    if not a.shape[-1]:
        raise ValueError(f"resample: the axis {axis} has no elements")
    weights = _weights(a, window)
    if domain == "time" and a.dtype.kind != "c":
        made = _of_real(a, num, weights)
    else:
        transform = dpnp.fft.fft(a) if domain == "time" else a
        made = _of_complex(transform if weights is None else transform * weights, num)
    made = as_dpnp(dpt.moveaxis(made, -1, axis))
    if t is None:
        return made
    steps = dpnp.arange(num, usm_type=t.usm_type, sycl_queue=t.sycl_queue)
    return made, as_dpnp(t[0] + (t[1] - t[0]) * (a.shape[-1] / num) * steps)
