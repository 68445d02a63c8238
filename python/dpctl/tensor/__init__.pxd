"""`cimport dpctl.tensor`: the extension type usm_ndarray, looking inside, and making arrays on USM memory."""

cimport dpctl
from dpctl._backend cimport DPCTLSyclUSMRef

# dpctl_capi.h declares a C structure of its own for the type, so objects are passed as PyObject *.
cdef extern from *:
    """
    #include "dpctl_capi.h"
    #define DPCTL_CYTHON_ARRAY(function, result)                                                                      \
      static inline result dpctl_cython_array_##function(PyObject *o) {                                               \
        return dpctl_array_interface()->function((struct PyUSMArrayObject *)o);                                       \
      }
    DPCTL_CYTHON_ARRAY(get_data, char *)
    DPCTL_CYTHON_ARRAY(get_ndim, int)
    DPCTL_CYTHON_ARRAY(get_shape, Py_ssize_t *)
    DPCTL_CYTHON_ARRAY(get_strides, Py_ssize_t *)
    DPCTL_CYTHON_ARRAY(get_typenum, int)
    DPCTL_CYTHON_ARRAY(get_element_size, int)
    DPCTL_CYTHON_ARRAY(get_flags, int)
    DPCTL_CYTHON_ARRAY(get_offset, Py_ssize_t)
    DPCTL_CYTHON_ARRAY(get_queue_ref, DPCTLSyclQueueRef)
    DPCTL_CYTHON_ARRAY(get_usm_data, PyObject *)
    static inline void dpctl_cython_array_set_writable(PyObject *o, int flag) {
      dpctl_array_interface()->set_writable((struct PyUSMArrayObject *)o, flag);
    }
    static inline PyObject *dpctl_cython_array_on_memory(int nd, const Py_ssize_t *shape, int typenum, PyObject *memory,
                                                         Py_ssize_t offset, char order) {
      return UsmNDArray_MakeSimpleFromMemory(nd, shape, typenum, (struct Py_MemoryObject *)memory, offset, order);
    }
    """
    int USM_ARRAY_C_CONTIGUOUS
    int USM_ARRAY_F_CONTIGUOUS
    int USM_ARRAY_WRITABLE

    int UAR_BOOL
    int UAR_BYTE
    int UAR_UBYTE
    int UAR_SHORT
    int UAR_USHORT
    int UAR_INT
    int UAR_UINT
    int UAR_LONG
    int UAR_ULONG
    int UAR_LONGLONG
    int UAR_ULONGLONG
    int UAR_FLOAT
    int UAR_DOUBLE
    int UAR_CFLOAT
    int UAR_CDOUBLE
    int UAR_TYPE_SENTINEL
    int UAR_HALF

    char *_get_data "dpctl_cython_array_get_data"(object) except? NULL
    int _get_ndim "dpctl_cython_array_get_ndim"(object)
    Py_ssize_t *_get_shape "dpctl_cython_array_get_shape"(object)
    Py_ssize_t *_get_strides "dpctl_cython_array_get_strides"(object)
    int _get_typenum "dpctl_cython_array_get_typenum"(object)
    int _get_itemsize "dpctl_cython_array_get_element_size"(object)
    int _get_flags "dpctl_cython_array_get_flags"(object)
    Py_ssize_t _get_offset "dpctl_cython_array_get_offset"(object) except? -1
    dpctl.DPCTLSyclQueueRef _get_queue_ref "dpctl_cython_array_get_queue_ref"(object) except NULL
    object _get_base "dpctl_cython_array_get_usm_data"(object)
    void _set_writable "dpctl_cython_array_set_writable"(object, int)

    # Create arrays in USM memory. `owner` keeps the memory alive; with None, the array frees it.
    object UsmNDArray_MakeSimpleFromMemory "dpctl_cython_array_on_memory"(
        int nd, const Py_ssize_t *shape, int typenum, object memory, Py_ssize_t offset, char order
    )
    object UsmNDArray_MakeSimpleFromPtr(
        size_t nelems, int typenum, DPCTLSyclUSMRef ptr, dpctl.DPCTLSyclQueueRef queue, object owner
    )
    object UsmNDArray_MakeFromPtr(
        int nd,
        const Py_ssize_t *shape,
        int typenum,
        const Py_ssize_t *strides,
        DPCTLSyclUSMRef ptr,
        dpctl.DPCTLSyclQueueRef queue,
        Py_ssize_t offset,
        object owner,
    )


# Functions that return an address first submit the array's pending operations and wait for them.
cdef public class usm_ndarray [object PyxUSMArrayObject, type PyxUSMArrayType, check_size ignore]:
    cdef inline char *get_data(self) except? NULL:
        return _get_data(self)

    cdef inline int get_ndim(self):
        return _get_ndim(self)

    cdef inline Py_ssize_t *get_shape(self):
        return _get_shape(self)

    # NULL for row-major arrays.
    cdef inline Py_ssize_t *get_strides(self):
        return _get_strides(self)

    cdef inline int get_typenum(self):
        return _get_typenum(self)

    cdef inline int get_itemsize(self):
        return _get_itemsize(self)

    cdef inline int get_flags(self):
        return _get_flags(self)

    # Of the first element in the memory, in elements.
    cdef inline Py_ssize_t get_offset(self) except? -1:
        return _get_offset(self)

    # The object of dpctl.memory.
    cdef inline object get_base(self):
        return _get_base(self)

    cdef inline dpctl.DPCTLSyclQueueRef get_queue_ref(self) except NULL:
        return _get_queue_ref(self)

    cdef inline dpctl.SyclQueue get_sycl_queue(self):
        return dpctl.SyclQueue_Make(_get_queue_ref(self))

    cdef inline _set_writable_flag(self, int flag):
        _set_writable(self, flag)
