"""Another name for what `cimport dpctl.memory` declares."""

from dpctl.memory cimport (
    Memory_GetContextRef,
    Memory_GetNumBytes,
    Memory_GetOpaquePointer,
    Memory_GetQueueRef,
    Memory_GetUsmPointer,
    Memory_Make,
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    _Memory,
)
