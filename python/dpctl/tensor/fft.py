"""Fourier transforms: the extension `fft` of the Array API.

Transforms apply along axes of arrays, of any length. float32 and complex64 are computed in single precision, float64
and complex128 in double precision, integers as the device's default floats.

>>> import dpctl.tensor as dpt
>>> dpt.fft.rfft(dpt.asarray([1.0, 0.0, -1.0, 0.0]))
usm_ndarray([0.+0.j, 2.+0.j, 0.+0.j])
"""

from dpep._array.fft import (
    fft,
    fftfreq,
    fftn,
    fftshift,
    hfft,
    ifft,
    ifftn,
    ifftshift,
    ihfft,
    irfft,
    irfftn,
    rfft,
    rfftfreq,
    rfftn,
)

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]
