"""`cimport dpctl`: the extension types SyclDevice, SyclContext, SyclEvent and SyclQueue, and making them."""

from dpctl._backend cimport DPCTLSyclContextRef, DPCTLSyclDeviceRef, DPCTLSyclEventRef, DPCTLSyclQueueRef

# dpctl_capi.h declares C structures of its own for these types, so objects are passed as PyObject *.
cdef extern from *:
    """
    #include "dpctl_capi.h"
    #define DPCTL_CYTHON(class, type, reference)                                                                      \
      static inline reference dpctl_cython_get_##class(PyObject *o) {                                                 \
        return dpctl_interface()->get_##class##_ref((struct type *)o);                                                \
      }                                                                                                               \
      static inline PyObject *dpctl_cython_make_##class(reference r) {                                                \
        return (PyObject *)dpctl_interface()->make_##class(r);                                                        \
      }
    DPCTL_CYTHON(device, PySyclDeviceObject, DPCTLSyclDeviceRef)
    DPCTL_CYTHON(context, PySyclContextObject, DPCTLSyclContextRef)
    DPCTL_CYTHON(event, PySyclEventObject, DPCTLSyclEventRef)
    DPCTL_CYTHON(queue, PySyclQueueObject, DPCTLSyclQueueRef)
    """
    DPCTLSyclDeviceRef SyclDevice_GetDeviceRef "dpctl_cython_get_device"(object) except NULL
    object _make_device "dpctl_cython_make_device"(DPCTLSyclDeviceRef)
    DPCTLSyclContextRef SyclContext_GetContextRef "dpctl_cython_get_context"(object) except NULL
    object _make_context "dpctl_cython_make_context"(DPCTLSyclContextRef)
    DPCTLSyclEventRef SyclEvent_GetEventRef "dpctl_cython_get_event"(object) except NULL
    object _make_event "dpctl_cython_make_event"(DPCTLSyclEventRef)
    DPCTLSyclQueueRef SyclQueue_GetQueueRef "dpctl_cython_get_queue"(object) except NULL
    object _make_queue "dpctl_cython_make_queue"(DPCTLSyclQueueRef)


cdef public class SyclDevice [object PyxSyclDeviceObject, type PyxSyclDeviceType, check_size ignore]:
    cdef inline DPCTLSyclDeviceRef get_device_ref(self) except NULL:
        return SyclDevice_GetDeviceRef(self)

    @staticmethod
    cdef inline SyclDevice _create(DPCTLSyclDeviceRef ref):
        return <SyclDevice>_make_device(ref)


cdef public class SyclContext [object PyxSyclContextObject, type PyxSyclContextType, check_size ignore]:
    cdef inline DPCTLSyclContextRef get_context_ref(self) except NULL:
        return SyclContext_GetContextRef(self)

    @staticmethod
    cdef inline SyclContext _create(DPCTLSyclContextRef ref):
        return <SyclContext>_make_context(ref)


cdef public class SyclEvent [object PyxSyclEventObject, type PyxSyclEventType, check_size ignore]:
    cdef inline DPCTLSyclEventRef get_event_ref(self) except NULL:
        return SyclEvent_GetEventRef(self)

    @staticmethod
    cdef inline SyclEvent _create(DPCTLSyclEventRef ref):
        return <SyclEvent>_make_event(ref)


cdef public class SyclQueue [object PyxSyclQueueObject, type PyxSyclQueueType, check_size ignore]:
    cdef inline DPCTLSyclQueueRef get_queue_ref(self) except NULL:
        return SyclQueue_GetQueueRef(self)

    @staticmethod
    cdef inline SyclQueue _create(DPCTLSyclQueueRef ref):
        return <SyclQueue>_make_queue(ref)

    @staticmethod
    cdef inline SyclQueue _create_from_context_and_device(SyclContext ctx, SyclDevice dev):
        return SyclQueue(ctx, dev)


cdef inline SyclDevice SyclDevice_Make(DPCTLSyclDeviceRef ref):
    return <SyclDevice>_make_device(ref)


cdef inline SyclContext SyclContext_Make(DPCTLSyclContextRef ref):
    return <SyclContext>_make_context(ref)


cdef inline SyclEvent SyclEvent_Make(DPCTLSyclEventRef ref):
    return <SyclEvent>_make_event(ref)


cdef inline SyclQueue SyclQueue_Make(DPCTLSyclQueueRef ref):
    return <SyclQueue>_make_queue(ref)
