"""The memory types, under the module name that Cython modules and extensions of dpctl import."""

from dpep._core import (
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    USMAllocationError,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    _Memory,
    as_usm_memory,
)

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "USMAllocationError", "_Memory", "as_usm_memory"]
