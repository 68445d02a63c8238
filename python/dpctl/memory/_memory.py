"""The memory types, under the name that Cython modules and extensions of dpctl look for them."""

from dpep._core import (
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    USMAllocationError,
    __pyx_capi__,  # noqa: F401  Cython looks here for the functions that dpctl's .pxd files declare
    _Memory,
    as_usm_memory,
)

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "USMAllocationError", "_Memory", "as_usm_memory"]
