# distutils: language = c++
# cython: language_level = 3
"""A user's Cython extension that uses arrays: typed arguments, inspection, new arrays and a kernel."""

cimport dpctl.tensor as c_dpt
from dpctl._backend cimport DPCTLSyclUSMRef
from dpctl.memory cimport _Memory
from dpctl.sycl cimport event, queue, unwrap_queue
from dpctl.tensor._usmarray cimport UAR_DOUBLE, UAR_INT, USM_ARRAY_C_CONTIGUOUS, usm_ndarray

cdef extern from *:
    """
    #include <sycl/sycl.hpp>
    static sycl::event scale_all(sycl::queue *q, double *x, std::size_t n, double factor) {
      return q->parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { x[i] *= factor; });
    }
    """
    event scale_all(queue *q, double *x, size_t n, double factor) except + nogil


def scale(usm_ndarray x not None, double factor):
    if x.get_typenum() != UAR_DOUBLE or not x.get_flags() & USM_ARRAY_C_CONTIGUOUS:
        raise TypeError("scale: expected a C-contiguous array of float64")
    cdef size_t n = 1
    for i in range(x.get_ndim()):
        n *= x.get_shape()[i]
    cdef queue *native = unwrap_queue(x.get_queue_ref())
    cdef double *data = <double *>x.get_data()
    cdef event done
    with nogil:
        done = scale_all(native, data, n, factor)
        done.wait()


def describe(usm_ndarray x not None):
    cdef int n = x.get_ndim()
    cdef Py_ssize_t *strides = x.get_strides()
    return {
        "shape": tuple([x.get_shape()[i] for i in range(n)]),
        "strides": None if strides == NULL else tuple([strides[i] for i in range(n)]),
        "itemsize": x.get_itemsize(),
        "offset": x.get_offset(),
        "pointer": <size_t>x.get_data(),
        "memory": x.get_base(),
        "queue": x.get_sycl_queue(),
    }


def forbid_writing(usm_ndarray x not None):
    x._set_writable_flag(0)


def on_memory(_Memory memory):
    cdef Py_ssize_t[2] shape = [2, 3]
    return c_dpt.UsmNDArray_MakeSimpleFromMemory(2, shape, UAR_INT, memory, 1, c"F")


def diagonal(usm_ndarray x not None):
    cdef Py_ssize_t stride = x.get_shape()[1] + 1
    return c_dpt.UsmNDArray_MakeFromPtr(
        1, x.get_shape(), x.get_typenum(), &stride, <DPCTLSyclUSMRef>x.get_data(), x.get_queue_ref(), 0, x
    )
