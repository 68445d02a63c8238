# distutils: language = c++
# cython: language_level = 3
"""A user's Cython extension that uses dpctl: typed arguments, references, SYCL objects and a kernel."""

cimport dpctl as c_dpctl
from dpctl._sycl_queue cimport SyclQueue
from dpctl._backend cimport DPCTLSyclKernelRef
from dpctl.memory cimport Memory_GetNumBytes, MemoryUSMShared, _Memory
from dpctl.program cimport SyclKernel, SyclKernel_Make, SyclProgram, create_program_from_source
from dpctl.sycl cimport event, queue, unwrap_event, unwrap_queue, wrap_event

import dpctl

cdef extern from *:
    """
    #include <sycl/sycl.hpp>
    static sycl::event fill_with_squares(sycl::queue *q, int *x, std::size_t n) {
      return q->parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { x[i] = static_cast<int>(i * i); });
    }
    """
    event fill_with_squares(queue *q, int *x, size_t n) except + nogil


def squares(SyclQueue q, _Memory memory):
    cdef queue *native = unwrap_queue(q.get_queue_ref())
    cdef int *x = <int *>memory.get_data_ptr()
    cdef size_t n = Memory_GetNumBytes(memory) // sizeof(int)
    cdef event done
    with nogil:
        done = fill_with_squares(native, x, n)
        done.wait()
    return c_dpctl.SyclEvent_Make(wrap_event(&done))


def queue_of(c_dpctl.SyclContext context, c_dpctl.SyclDevice device):
    cdef c_dpctl.SyclQueue q = c_dpctl.SyclQueue._create_from_context_and_device(context, device)
    return q


def same_objects(c_dpctl.SyclQueue q, c_dpctl.SyclEvent e, c_dpctl.SyclContext c, c_dpctl.SyclDevice d):
    return (
        c_dpctl.SyclQueue._create(q.get_queue_ref()),
        c_dpctl.SyclEvent._create(e.get_event_ref()),
        c_dpctl.SyclContext._create(c.get_context_ref()),
        c_dpctl.SyclDevice._create(d.get_device_ref()),
    )


def wait_for(c_dpctl.SyclEvent e):
    unwrap_event(e.get_event_ref()).wait()


def shared_only(MemoryUSMShared memory):
    return memory.nbytes


def compiled(SyclQueue q, str source):
    cdef SyclProgram program = create_program_from_source(q, source)
    return SyclProgram._create(program.get_program_ref())


def renamed(SyclKernel kernel, bytes name):
    cdef DPCTLSyclKernelRef reference = kernel.get_kernel_ref()
    return SyclKernel_Make(reference, name)
