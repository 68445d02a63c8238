"""Untyped USM memory: of the device, of the host, or shared by both.

Host and shared memory have the buffer protocol, so NumPy and memoryview use them without a copy.

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
    __pyx_capi__,  # noqa: F401  Cython looks here for the functions that dpctl's .pxd files declare
    _Memory,
    as_usm_memory,
)

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "USMAllocationError", "as_usm_memory"]

for _type in (MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared, USMAllocationError, _Memory):
    _type.__module__ = __name__  # where users find them, which messages and pickles say
del _type


def _to_memory(content: bytes, usm_type: str) -> object:
    """Return new memory of a kind with this content. What unpickling calls, so it must be found here."""
    return _core._to_memory(content, usm_type)


def __getattr__(name: str) -> object:
    if name == "_memory":
        from importlib import import_module

        return import_module("dpctl.memory._memory")
    raise AttributeError(f"module 'dpctl.memory' has no attribute {name!r}")
