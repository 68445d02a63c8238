"""`cimport dpctl.program._program`: the extension types SyclKernel and SyclProgram, and making them."""

from dpctl._backend cimport DPCTLSyclKernelBundleRef, DPCTLSyclKernelRef
from dpctl._sycl_queue cimport SyclQueue

# dpctl_capi.h declares C structures of its own for these types, so objects are passed as PyObject *.
cdef extern from *:
    """
    #include "dpctl_capi.h"
    #define DPCTL_CYTHON_PROGRAM(class, type, reference)                                                              \
      static inline reference dpctl_cython_get_##class(PyObject *o) {                                                 \
        return dpctl_interface()->get_##class##_ref((struct type *)o);                                                \
      }
    DPCTL_CYTHON_PROGRAM(kernel, PySyclKernelObject, DPCTLSyclKernelRef)
    DPCTL_CYTHON_PROGRAM(program, PySyclProgramObject, DPCTLSyclKernelBundleRef)
    static inline PyObject *dpctl_cython_make_kernel(DPCTLSyclKernelRef r, const char *name) {
      return (PyObject *)dpctl_interface()->make_kernel(r, name);
    }
    static inline PyObject *dpctl_cython_make_program(DPCTLSyclKernelBundleRef r) {
      return (PyObject *)dpctl_interface()->make_program(r);
    }
    """
    DPCTLSyclKernelRef SyclKernel_GetKernelRef "dpctl_cython_get_kernel"(object) except NULL
    object _make_kernel "dpctl_cython_make_kernel"(DPCTLSyclKernelRef, const char *)
    DPCTLSyclKernelBundleRef SyclProgram_GetKernelBundleRef "dpctl_cython_get_program"(object) except NULL
    object _make_program "dpctl_cython_make_program"(DPCTLSyclKernelBundleRef)


cdef public class SyclKernel [object PyxSyclKernelObject, type PyxSyclKernelType, check_size ignore]:
    cdef inline DPCTLSyclKernelRef get_kernel_ref(self) except NULL:
        return SyclKernel_GetKernelRef(self)

    @staticmethod
    cdef inline SyclKernel _create(DPCTLSyclKernelRef ref, str name):
        return <SyclKernel>_make_kernel(ref, name.encode())


cdef public class SyclProgram [object PyxSyclProgramObject, type PyxSyclProgramType, check_size ignore]:
    cdef inline DPCTLSyclKernelBundleRef get_program_ref(self) except NULL:
        return SyclProgram_GetKernelBundleRef(self)

    @staticmethod
    cdef inline SyclProgram _create(DPCTLSyclKernelBundleRef ref):
        return <SyclProgram>_make_program(ref)


cdef inline SyclKernel SyclKernel_Make(DPCTLSyclKernelRef ref, const char *name):
    return <SyclKernel>_make_kernel(ref, name)


cdef inline SyclProgram SyclProgram_Make(DPCTLSyclKernelBundleRef ref):
    return <SyclProgram>_make_program(ref)


cdef inline SyclProgram create_program_from_source(SyclQueue q, str source, str copts=""):
    import dpctl.program
    return dpctl.program.create_program_from_source(q, source, copts)


cdef inline SyclProgram create_program_from_spirv(SyclQueue q, const unsigned char[:] IL, str copts=""):
    import dpctl.program
    return dpctl.program.create_program_from_spirv(q, IL, copts)
