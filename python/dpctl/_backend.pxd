"""The references by which C code holds SYCL objects."""

cdef extern from "syclinterface/dpctl_sycl_types.h":
    cdef struct DPCTLOpaqueSyclContext
    cdef struct DPCTLOpaqueSyclDevice
    cdef struct DPCTLOpaqueSyclEvent
    cdef struct DPCTLOpaqueSyclKernel
    cdef struct DPCTLOpaqueSyclKernelBundle
    cdef struct DPCTLOpaqueSyclPlatform
    cdef struct DPCTLOpaqueSyclQueue
    cdef struct DPCTLOpaqueSyclUSM

    ctypedef DPCTLOpaqueSyclContext *DPCTLSyclContextRef
    ctypedef DPCTLOpaqueSyclDevice *DPCTLSyclDeviceRef
    ctypedef DPCTLOpaqueSyclEvent *DPCTLSyclEventRef
    ctypedef DPCTLOpaqueSyclKernel *DPCTLSyclKernelRef
    ctypedef DPCTLOpaqueSyclKernelBundle *DPCTLSyclKernelBundleRef
    ctypedef DPCTLOpaqueSyclPlatform *DPCTLSyclPlatformRef
    ctypedef DPCTLOpaqueSyclQueue *DPCTLSyclQueueRef
    ctypedef DPCTLOpaqueSyclUSM *DPCTLSyclUSMRef
