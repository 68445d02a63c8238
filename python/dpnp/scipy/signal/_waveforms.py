"""Periodic waveforms, chirps and Gaussian pulses."""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_numbers, checked_array, placed_like, placement_of

import dpnp
from dpnp._support import array_or_number, as_numbers, default_float_type

__all__ = ["chirp", "gausspulse", "sawtooth", "square"]


def _periods(name: str, t: object, part: object, what: str) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """The times in the first period, the parts of the period, and where these are no parts."""
    check_numbers(name, t, part)
    placement_of(name, *(a for a in (t, part) if isinstance(a, array_base)))
    like = t if isinstance(t, array_base) else part if isinstance(part, array_base) else None
    t, part = (array_or_number(name, a) if like is None else as_dpnp(placed_like(a, like)) for a in (t, part))
    if t.dtype.kind == "c" or part.dtype.kind == "c":
        raise TypeError(f"{name}: t and {what} must be real, got {t.dtype} and {part.dtype}")
    wide = default_float_type(sycl_queue=t.sycl_queue)
    t, part = (dpnp.astype(a, wide, copy=False) for a in (t, part))
    return bound.remainder(t, 2 * math.pi), part, (part > 1) | (part < 0)


def square(t: object, duty: object = 0.5) -> dpnp_ndarray:
    """Return a square wave of the period 2 pi: 1 in the first part of each period, -1 in the rest.

    Parameters
    ----------
    t : ndarray
        The times.
    duty : float or ndarray, optional
        The part of the period with the value 1, from 0 to 1; elsewhere, values are NaN.

    Returns
    -------
    ndarray
        The values, of the device's default floating-point dtype.

    Raises
    ------
    TypeError
        When an argument is neither an array nor a number, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.square(np.array([0.0, 3.0, 4.0, 7.0]))
    array([ 1.,  1., -1.,  1.])
    """
    phase, part, is_wrong = _periods("square", t, duty, "duty")
    signs = 1.0 - 2.0 * ~(phase < part * (2 * math.pi))
    return as_dpnp(dpnp.where(is_wrong, math.nan, signs))


def sawtooth(t: object, width: object = 1) -> dpnp_ndarray:
    """Return a sawtooth or triangle wave of the period 2 pi, which rises from -1 to 1 and then falls to -1.

    Parameters
    ----------
    t : ndarray
        The times.
    width : float or ndarray, optional
        The part of the period in which values rise, from 0 to 1; elsewhere, values are NaN.

    Returns
    -------
    ndarray
        The values, of the device's default floating-point dtype.

    Raises
    ------
    TypeError
        When an argument is neither an array nor a number, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.sawtooth(np.array([0.0, np.pi / 2, np.pi]), 0.5)
    array([-1.,  0.,  1.])
    """
    phase, part, is_wrong = _periods("sawtooth", t, width, "width")
    rising = phase / (math.pi * part) - 1
    falling = (math.pi * (part + 1) - phase) / (math.pi * (1 - part))
    return as_dpnp(dpnp.where(is_wrong, math.nan, dpnp.where(phase < part * (2 * math.pi), rising, falling)))


def _wide(name: str, t: object) -> dpnp_ndarray:
    """The times, of the device's default floating-point dtype, in which phases of many periods are computed."""
    t = array_or_number(name, t)
    return t if t.dtype.kind == "c" else dpnp.astype(t, default_float_type(sycl_queue=t.sycl_queue), copy=False)


def _chirp_phase(t: dpnp_ndarray, f0: float, t1: float, f1: float, method: str, vertex_zero: bool) -> dpnp_ndarray:
    if method in ("linear", "lin", "li"):
        return 2 * math.pi * (f0 * t + (0.5 * (f1 - f0) / t1) * t * t)
    if method in ("quadratic", "quad", "q"):
        beta = (f1 - f0) / t1**2
        if vertex_zero:
            return 2 * math.pi * (f0 * t + beta / 3 * t**3)
        return 2 * math.pi * (f1 * t + beta / 3 * ((t1 - t) ** 3 - t1**3))
    if method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0:
            raise ValueError(
                f"chirp: for a logarithmic chirp, f0 and f1 must be nonzero and have the same sign, got {f0} and {f1}"
            )
        if f0 == f1:
            return 2 * math.pi * f0 * t
        rate = math.log(f1 / f0)
        return (2 * math.pi * t1 / rate * f0) * (bound.exp((rate / t1) * t) - 1.0)
    if method in ("hyperbolic", "hyp"):
        if f0 == 0 or f1 == 0:
            raise ValueError(f"chirp: for a hyperbolic chirp, f0 and f1 must be nonzero, got {f0} and {f1}")
        if f0 == f1:
            return 2 * math.pi * f0 * t
        pole = -f1 * t1 / (f0 - f1)  # where the frequency would be infinite
        return (2 * math.pi * -pole * f0) * bound.log(bound.abs(1 - t / pole))
    raise ValueError(f"chirp: method must be 'linear', 'quadratic', 'logarithmic' or 'hyperbolic', got {method!r}")


def chirp(
    t: object,
    f0: float,
    t1: float,
    f1: float,
    method: str = "linear",
    phi: float = 0,
    vertex_zero: bool = True,
    *,
    complex: bool = False,
) -> dpnp_ndarray:
    """Return a cosine whose frequency changes with time.

    Parameters
    ----------
    t : ndarray
        The times.
    f0 : float
        The frequency at time 0, in cycles per unit of time.
    t1 : float
        The time of the frequency `f1`.
    f1 : float
        The frequency at time `t1`.
    method : {'linear', 'quadratic', 'logarithmic', 'hyperbolic'}, optional
        How the frequency changes.
    phi : float, optional
        A phase to add, in degrees.
    vertex_zero : bool, optional
        With 'quadratic', whether the vertex of the parabola is at time 0, instead of `t1`.
    complex : bool, optional
        Whether to return the complex exponential of the phase.

    Returns
    -------
    ndarray
        The values, of the device's default floating-point dtype, or its complex dtype.

    Raises
    ------
    ValueError
        For an unknown method, and for frequencies between which the method cannot change.
    TypeError
        When `t` is neither an array nor a number.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.chirp(np.array([0.0, 0.25, 1.0]), f0=1, t1=1, f1=3).round(4)
    array([ 1.    , -0.3827,  1.    ])
    """
    t = _wide("chirp", t)
    f0, t1, f1, phi = (float(as_numbers(a)) for a in (f0, t1, f1, phi))
    phase = _chirp_phase(t, f0, t1, f1, method, vertex_zero) + math.radians(phi)
    return as_dpnp(bound.exp(1j * phase) if complex else bound.cos(phase))


def gausspulse(
    t: object,
    fc: float = 1000,
    bw: float = 0.5,
    bwr: float = -6,
    tpr: float = -60,
    retquad: bool = False,
    retenv: bool = False,
) -> dpnp_ndarray | tuple[dpnp_ndarray, ...] | float:
    """Return a sinusoid whose amplitude is a Gaussian function of time.

    Parameters
    ----------
    t : ndarray or 'cutoff'
        The times; 'cutoff' returns the time at which the amplitude has fallen to `tpr`, a float.
    fc : float, optional
        The frequency of the sinusoid, in cycles per unit of time.
    bw : float, optional
        The bandwidth, as a part of `fc`.
    bwr : float, optional
        The level at which the bandwidth is measured, in decibels.
    tpr : float, optional
        The level of the cutoff, in decibels.
    retquad : bool, optional
        Whether to return also the sine, besides the cosine.
    retenv : bool, optional
        Whether to return also the amplitudes.

    Returns
    -------
    yI, yQ, yenv : ndarray
        The cosine, and if wanted the sine and the amplitudes, of the device's default floating-point dtype.

    Raises
    ------
    ValueError
        For a negative frequency, a bandwidth or levels out of their range, and other strings than 'cutoff'.
    TypeError
        When `t` is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.gausspulse(np.array([0.0, 0.1, 0.2]), fc=5).round(4)
    array([ 1.    , -0.7999,  0.4094])
    """
    fc, bw, bwr, tpr = (float(as_numbers(a)) for a in (fc, bw, bwr, tpr))
    if fc < 0:
        raise ValueError(f"gausspulse: the frequency fc must not be negative, got {fc:g}")
    if bw <= 0:
        raise ValueError(f"gausspulse: the bandwidth bw must be positive, got {bw:g}")
    if bwr >= 0:
        raise ValueError(f"gausspulse: the level bwr of the bandwidth must be below 0 dB, got {bwr:g}")
    # The Fourier transform of exp(-a t^2) is proportional to exp(-(pi f)^2 / a).
    a = -((math.pi * fc * bw) ** 2) / (4 * math.log(10 ** (bwr / 20)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError(f"gausspulse: t must be an array or 'cutoff', got {t!r}")
        if tpr >= 0:
            raise ValueError(f"gausspulse: the level tpr of the cutoff must be below 0 dB, got {tpr:g}")
        return numpy.sqrt(-math.log(10 ** (tpr / 20)) / a)
    t = _wide("gausspulse", checked_array("gausspulse", t))
    amplitudes = bound.exp(-a * t * t)
    angles = (2 * math.pi * fc) * t
    made = [as_dpnp(dpt.multiply(amplitudes, bound.cos(angles)))]
    if retquad:
        made.append(as_dpnp(dpt.multiply(amplitudes, bound.sin(angles))))
    if retenv:
        made.append(as_dpnp(amplitudes))
    return tuple(made) if len(made) > 1 else made[0]
