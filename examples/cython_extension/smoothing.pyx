# distutils: language = c++
# cython: language_level = 3
"""A Cython extension with a SYCL kernel on USM memory: sums of neighbours, on the queue and device of its caller."""

from dpctl._sycl_queue cimport SyclQueue
from dpctl.memory cimport Memory_GetNumBytes, _Memory
from dpctl.sycl cimport queue, unwrap_queue

cdef extern from *:
    """
    #include <sycl/sycl.hpp>
    static void smooth_numbers(sycl::queue &q, const double *x, double *y, std::size_t n) {
      q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) {
         const std::size_t i = id[0];
         const double before = i ? x[i - 1] : x[i], after = i + 1 < n ? x[i + 1] : x[i];
         y[i] = (before + x[i] + after) / 3;
       }).wait_and_throw();
    }
    """
    void smooth_numbers(queue &q, const double *x, double *y, size_t n) except + nogil


def smooth(SyclQueue q, _Memory x, _Memory y):
    """Write the means of each float64 number of x and its neighbours to y, which has as many bytes."""
    cdef size_t bytes = Memory_GetNumBytes(x)
    if Memory_GetNumBytes(y) != bytes or bytes % sizeof(double):
        raise ValueError(f"smooth: expected two memories of as many float64 numbers, got {x.nbytes} and {y.nbytes} bytes")
    cdef queue *native = unwrap_queue(q.get_queue_ref())
    cdef const double *source = <const double *>x.get_data_ptr()
    cdef double *target = <double *>y.get_data_ptr()
    with nogil:
        smooth_numbers(native[0], source, target, bytes // sizeof(double))
