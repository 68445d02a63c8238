"""Untyped USM memory: device memory, host memory, and memory shared by both.

Host and shared memory have the buffer protocol, through which NumPy and memoryview use them without a copy.

>>> from dpctl.memory import MemoryUSMShared
>>> m = MemoryUSMShared(8)
>>> memoryview(m)[:3] = b"abc"
>>> m.tobytes()[:3]
b'abc'
"""

from dpep import _core
from dpep._core import (
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    USMAllocationError,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    _Memory,
    as_usm_memory,
)

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "USMAllocationError", "as_usm_memory"]

for _type in (MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared, USMAllocationError, _Memory):
    _type.__module__ = __name__  # the public module, for messages and pickles
del _type


def _to_memory(content: bytes, usm_type: str) -> object:
    """Return new memory of a kind with the given bytes. Pickles refer to this function by its name."""
    return _core._to_memory(content, usm_type)


def __getattr__(name: str) -> object:
    if name == "_memory":
        from importlib import import_module

        return import_module("dpctl.memory._memory")
    raise AttributeError(f"module 'dpctl.memory' has no attribute {name!r}")
