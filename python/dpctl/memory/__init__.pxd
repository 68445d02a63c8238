"""`cimport dpctl.memory`: the extension types of USM memory, and looking inside."""

from dpctl._backend cimport DPCTLSyclContextRef, DPCTLSyclQueueRef, DPCTLSyclUSMRef

# dpctl_capi.h declares a C structure of its own for these types, so objects are passed as PyObject *.
cdef extern from *:
    """
    #include "dpctl_capi.h"
    #define DPCTL_CYTHON_MEMORY(function, result)                                                                     \
      static inline result dpctl_cython_##function(PyObject *o) {                                                     \
        return dpctl_interface()->function((struct Py_MemoryObject *)o);                                              \
      }
    DPCTL_CYTHON_MEMORY(memory_pointer, DPCTLSyclUSMRef)
    DPCTL_CYTHON_MEMORY(memory_owner, void *)
    DPCTL_CYTHON_MEMORY(memory_context_ref, DPCTLSyclContextRef)
    DPCTL_CYTHON_MEMORY(memory_queue_ref, DPCTLSyclQueueRef)
    DPCTL_CYTHON_MEMORY(memory_bytes, size_t)
    """
    DPCTLSyclUSMRef Memory_GetUsmPointer "dpctl_cython_memory_pointer"(object) except NULL
    void *Memory_GetOpaquePointer "dpctl_cython_memory_owner"(object) except NULL
    DPCTLSyclContextRef Memory_GetContextRef "dpctl_cython_memory_context_ref"(object) except NULL
    DPCTLSyclQueueRef Memory_GetQueueRef "dpctl_cython_memory_queue_ref"(object) except NULL
    size_t Memory_GetNumBytes "dpctl_cython_memory_bytes"(object) except? 0
    object Memory_Make(DPCTLSyclUSMRef pointer, size_t nbytes, DPCTLSyclQueueRef queue, object owner)


cdef public class _Memory [object Pyx_MemoryObject, type Pyx_MemoryType, check_size ignore]:
    cdef inline DPCTLSyclUSMRef get_data_ptr(self) except NULL:
        return Memory_GetUsmPointer(self)


cdef public class MemoryUSMDevice(_Memory) [object PyxMemoryUSMDeviceObject, type PyxMemoryUSMDeviceType, check_size ignore]:
    pass


cdef public class MemoryUSMShared(_Memory) [object PyxMemoryUSMSharedObject, type PyxMemoryUSMSharedType, check_size ignore]:
    pass


cdef public class MemoryUSMHost(_Memory) [object PyxMemoryUSMHostObject, type PyxMemoryUSMHostType, check_size ignore]:
    pass
