"""Fourier transforms with the functions of numpy.fft.

float32 and complex64 are computed in single precision, float64 and complex128 in double precision, integers as the
device's default floats.

>>> import dpnp as np
>>> np.fft.fft(np.array([1.0, 2.0, 3.0, 4.0]))
array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
"""

from __future__ import annotations

from collections.abc import Sequence

import dpctl
import numpy
from dpep._array import dpnp_ndarray
from dpep._array import fft as bound
from dpep._array.dpnp import as_dpnp, checked_array

from dpnp._support import as_numbers

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]


def fft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the discrete Fourier transforms along an axis.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Real or complex numbers.
    n : int, optional
        The length of the transform, which `a` is cut or padded with zeros to. Default: the length of the axis.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        The direction whose result is divided by the length; 'ortho': both are, by its square root.
    out : ndarray or usm_ndarray, optional
        The array to write the result into.

    Raises
    ------
    ValueError
        For a length below 1, an unknown norm, and an output array of another shape.
    numpy.exceptions.AxisError
        When there is no such axis.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fft.fft(np.array([1.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    return bound.fft(checked_array("fft", a), n=n, axis=axis, norm=norm, out=_output("fft", out))


def ifft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the inverse discrete Fourier transforms along an axis; the arguments are those of `fft`.

    >>> import dpnp as np
    >>> np.fft.ifft(np.array([4.0, 0.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return bound.ifft(checked_array("ifft", a), n=n, axis=axis, norm=norm, out=_output("ifft", out))


def rfft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the discrete Fourier transforms of real numbers along an axis: the elements 0 to n // 2.

    The arguments are those of `fft`. Raises TypeError for complex numbers.

    >>> import dpnp as np
    >>> np.fft.rfft(np.array([1.0, 2.0, 3.0, 4.0]))
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return bound.rfft(checked_array("rfft", a), n=n, axis=axis, norm=norm, out=_output("rfft", out))


def irfft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the real numbers whose transforms along an axis have the given first elements: the inverse of `rfft`.

    The arguments are those of `fft`; the default of `n` is 2 (m - 1) for m elements along the axis.

    >>> import dpnp as np
    >>> np.fft.irfft(np.array([10.0, -2.0 + 2.0j, -2.0]))
    array([1., 2., 3., 4.])
    """
    return bound.irfft(checked_array("irfft", a), n=n, axis=axis, norm=norm, out=_output("irfft", out))


def hfft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the transforms of numbers with Hermitian symmetry along an axis, which are real.

    The arguments are those of `irfft`.

    >>> import dpnp as np
    >>> np.fft.hfft(np.array([1.0, 2.0, 3.0]))
    array([ 8., -2.,  0., -2.])
    """
    return bound.hfft(checked_array("hfft", a), n=n, axis=axis, norm=norm, out=_output("hfft", out))


def ihfft(a: object, n: int | None = None, axis: int = -1, norm: str | None = None, out: object = None) -> dpnp_ndarray:
    """Return the inverse transforms of real numbers along an axis: the inverse of `hfft`.

    The arguments are those of `rfft`.

    >>> import dpnp as np
    >>> abs(np.fft.ihfft(np.array([8.0, -2.0, 0.0, -2.0])))
    array([1., 2., 3.])
    """
    return bound.ihfft(checked_array("ihfft", a), n=n, axis=axis, norm=norm, out=_output("ihfft", out))


def fftn(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the discrete Fourier transform along several axes.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Real or complex numbers.
    s : sequence of ints, optional
        The lengths of the transforms, one for each axis; -1 is the length of `a`.
    axes : sequence of ints, optional
        The axes that are transformed, an axis named twice twice. Default: all, or the last ones, as many as there are
        lengths.
    norm : {'backward', 'ortho', 'forward'}, optional
        The direction whose result is divided by the lengths; 'ortho': both are, by their square roots.
    out : ndarray or usm_ndarray, optional
        The array to write the result into.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fft.fftn(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return bound.fftn(checked_array("fftn", a), s=s, axes=axes, norm=norm, out=_output("fftn", out))


def ifftn(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the inverse discrete Fourier transform along several axes; the arguments are those of `fftn`.

    >>> import dpnp as np
    >>> np.fft.ifftn(np.array([[10.0, -2.0], [-4.0, 0.0]]))
    array([[1.+0.j, 2.+0.j],
           [3.+0.j, 4.+0.j]])
    """
    return bound.ifftn(checked_array("ifftn", a), s=s, axes=axes, norm=norm, out=_output("ifftn", out))


def rfftn(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the discrete Fourier transform of real numbers along several axes; the arguments are those of `fftn`.

    Along the last of the axes, the result has the elements 0 to n // 2.

    >>> import dpnp as np
    >>> np.fft.rfftn(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return bound.rfftn(checked_array("rfftn", a), s=s, axes=axes, norm=norm, out=_output("rfftn", out))


def irfftn(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the real numbers whose transform along several axes has the given elements: the inverse of `rfftn`.

    The arguments are those of `fftn`. Without `s`, the length along the last of the axes is 2 (m - 1) for m elements.

    >>> import dpnp as np
    >>> np.fft.irfftn(np.array([[10.0, -2.0], [-4.0, 0.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return bound.irfftn(checked_array("irfftn", a), s=s, axes=axes, norm=norm, out=_output("irfftn", out))


def fft2(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the discrete Fourier transform along two axes; the arguments are those of `fftn`.

    >>> import dpnp as np
    >>> np.fft.fft2(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return fftn(a, s, axes, norm, out)


def ifft2(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the inverse discrete Fourier transform along two axes; the arguments are those of `fftn`.

    >>> import dpnp as np
    >>> np.fft.ifft2(np.array([[10.0, -2.0], [-4.0, 0.0]]))
    array([[1.+0.j, 2.+0.j],
           [3.+0.j, 4.+0.j]])
    """
    return ifftn(a, s, axes, norm, out)


def rfft2(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the discrete Fourier transform of real numbers along two axes; the arguments are those of `rfftn`.

    >>> import dpnp as np
    >>> np.fft.rfft2(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return rfftn(a, s, axes, norm, out)


def irfft2(
    a: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: object = None,
) -> dpnp_ndarray:
    """Return the real numbers whose transform along two axes has the given elements; see `irfftn`.

    >>> import dpnp as np
    >>> np.fft.irfft2(np.array([[10.0, -2.0], [-4.0, 0.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return irfftn(a, s, axes, norm, out)


def _frequencies(function, n: object, d: object, dtype: object, placement: dict) -> dpnp_ndarray:
    name = function.__name__
    n, d = as_numbers(n), as_numbers(d)
    if not isinstance(n, (int, numpy.integer)):
        raise ValueError(f"{name}: n must be an integer, got {n!r}")
    if not numpy.isscalar(d):
        raise ValueError(f"{name}: d must be a number, got {d!r}")
    wanted = None if dtype is None else numpy.dtype(dtype)
    if wanted is not None and wanted.kind != "f":
        raise ValueError(f"{name}: dtype must be a real floating-point dtype, got {wanted.name}")
    made = as_dpnp(function(n, d=d, **placement))
    return made if wanted is None else made.astype(wanted, copy=False)


def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray:
    """Return the frequencies of the elements of `fft`, k / (n d), the second half of which are negative.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The distance between samples.
    dtype : dtype, optional
        A real floating-point dtype. Default: that of the device, usually float64.
    device, usm_type, sycl_queue : optional
        The placement of the result, as in `dpnp.empty`.

    Raises
    ------
    ValueError
        When `n` is no int, `d` no number, or `dtype` not floating-point.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fft.fftfreq(5)
    array([ 0. ,  0.2,  0.4, -0.4, -0.2])
    """
    placement = {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}
    return _frequencies(bound.fftfreq, n, d, dtype, placement)


def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray:
    """Return the frequencies of the elements of `rfft`, k / (n d); the arguments are those of `fftfreq`.

    >>> import dpnp as np
    >>> np.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    placement = {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}
    return _frequencies(bound.rfftfreq, n, d, dtype, placement)


def fftshift(x: object, axes: int | Sequence[int] | None = None) -> dpnp_ndarray:
    """Return the array with the frequency 0 moved to the middle of each of the axes; without axes, of all.

    >>> import dpnp as np
    >>> np.fft.fftshift(np.fft.fftfreq(5))
    array([-0.4, -0.2,  0. ,  0.2,  0.4])
    """
    return bound.fftshift(checked_array("fftshift", x), axes=axes)


def ifftshift(x: object, axes: int | Sequence[int] | None = None) -> dpnp_ndarray:
    """Return the array with the frequency 0 moved to the front: the inverse of `fftshift`.

    >>> import dpnp as np
    >>> np.fft.ifftshift(np.array([-0.4, -0.2, 0.0, 0.2, 0.4]))
    array([ 0. ,  0.2,  0.4, -0.4, -0.2])
    """
    return bound.ifftshift(checked_array("ifftshift", x), axes=axes)


def _output(function: str, out: object) -> dpnp_ndarray | None:
    return None if out is None else checked_array(function, out)
