"""SYCL's classes in Cython, and how dpctl's references become them. The module must be compiled by dpcxx."""

from dpctl._backend cimport DPCTLSyclContextRef, DPCTLSyclDeviceRef, DPCTLSyclEventRef, DPCTLSyclQueueRef

cdef extern from "sycl/sycl.hpp" namespace "sycl":
    cdef cppclass queue:
        queue()
        void wait() except + nogil

    cdef cppclass device:
        device()

    cdef cppclass context:
        context()

    cdef cppclass event:
        event()
        void wait() except + nogil

cdef extern from "syclinterface/dpctl_sycl_type_casters.hpp" namespace "dpctl::syclinterface":
    DPCTLSyclQueueRef wrap_queue "dpctl::syclinterface::wrap<sycl::queue>"(const queue *)
    queue *unwrap_queue "dpctl::syclinterface::unwrap<sycl::queue>"(DPCTLSyclQueueRef)

    DPCTLSyclDeviceRef wrap_device "dpctl::syclinterface::wrap<sycl::device>"(const device *)
    device *unwrap_device "dpctl::syclinterface::unwrap<sycl::device>"(DPCTLSyclDeviceRef)

    DPCTLSyclContextRef wrap_context "dpctl::syclinterface::wrap<sycl::context>"(const context *)
    context *unwrap_context "dpctl::syclinterface::unwrap<sycl::context>"(DPCTLSyclContextRef)

    DPCTLSyclEventRef wrap_event "dpctl::syclinterface::wrap<sycl::event>"(const event *)
    event *unwrap_event "dpctl::syclinterface::unwrap<sycl::event>"(DPCTLSyclEventRef)
