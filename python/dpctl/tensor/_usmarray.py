"""The array type, under the module name that pickles, Cython modules and dpctl's extensions import."""

import numpy
from dpep._array import (
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    from_numpy,
    usm_ndarray,
)

__all__ = ["usm_ndarray"]


def _restore(cls: type[usm_ndarray], values: numpy.ndarray, usm_type: str) -> usm_ndarray:
    """Return an array of a class with the given values, on the default device. Used by pickle."""
    array = from_numpy(values, usm_type=usm_type)
    if cls is usm_ndarray:
        return array
    return cls(array.shape, dtype=array.dtype, strides=array.strides, buffer=array)


def __getattr__(name: str) -> object:
    if name == "DLDeviceType":
        from dpctl.tensor._dlpack import DLDeviceType

        return DLDeviceType
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
