/* The C API of dpctl.tensor.usm_ndarray. Included by dpctl_capi.h, which has the other types.
 *
 * Call the functions with the GIL and with an array object. Functions that return an address first submit the array's
 * pending operations and wait for them. Returned pointers are valid as long as the Python object, and until its shape
 * is set. */
#ifndef DPCTL_ARRAY_CAPI_H
#define DPCTL_ARRAY_CAPI_H

#include <Python.h>

#include "dpctl_sycl_interface.h"

struct Py_MemoryObject;

/* An opaque object. */
typedef struct PyUSMArrayObject {
  PyObject_HEAD
} PyUSMArrayObject;

enum { USM_ARRAY_C_CONTIGUOUS = 1, USM_ARRAY_F_CONTIGUOUS = 2, USM_ARRAY_WRITABLE = 4 };

/* NumPy's type numbers. */
enum {
  UAR_BOOL = 0,
  UAR_BYTE,
  UAR_UBYTE,
  UAR_SHORT,
  UAR_USHORT,
  UAR_INT,
  UAR_UINT,
  UAR_LONG,
  UAR_ULONG,
  UAR_LONGLONG,
  UAR_ULONGLONG,
  UAR_FLOAT,
  UAR_DOUBLE,
  UAR_CFLOAT = 14,
  UAR_CDOUBLE,
  UAR_TYPE_SENTINEL = 17,
  UAR_HALF = 23
};

#define DPCTL_ARRAY_INTERFACE_NAME "dpep._array.c_interface"

struct dpctl_array_c_interface {
  PyTypeObject *array_type;

  char *(*get_data)(struct PyUSMArrayObject *);
  int (*get_ndim)(struct PyUSMArrayObject *);
  Py_ssize_t *(*get_shape)(struct PyUSMArrayObject *);
  Py_ssize_t *(*get_strides)(struct PyUSMArrayObject *); /* NULL for row-major arrays */
  int (*get_typenum)(struct PyUSMArrayObject *);
  int (*get_element_size)(struct PyUSMArrayObject *);
  int (*get_flags)(struct PyUSMArrayObject *);
  DPCTLSyclQueueRef (*get_queue_ref)(struct PyUSMArrayObject *);
  Py_ssize_t (*get_offset)(struct PyUSMArrayObject *); /* of the first element in usm_data, in elements */
  PyObject *(*get_usm_data)(struct PyUSMArrayObject *);
  void (*set_writable)(struct PyUSMArrayObject *, int);

  /* Create arrays in USM memory. `owner` keeps the memory alive; with None or NULL, the array frees it. Return NULL
   * with a Python error set on failure. */
  PyObject *(*make_from_memory)(int nd, const Py_ssize_t *shape, int typenum, struct Py_MemoryObject *,
                                Py_ssize_t offset, char order);
  PyObject *(*make_simple_from_pointer)(size_t elements, int typenum, DPCTLSyclUSMRef, DPCTLSyclQueueRef,
                                        PyObject *owner);
  PyObject *(*make_from_pointer)(int nd, const Py_ssize_t *shape, int typenum, const Py_ssize_t *strides,
                                 DPCTLSyclUSMRef, DPCTLSyclQueueRef, Py_ssize_t offset, PyObject *owner);
};

/* The function table, imported once in each translation unit. NULL with a Python error set if it cannot be imported. */
static inline const struct dpctl_array_c_interface *dpctl_array_interface(void) {
  static const struct dpctl_array_c_interface *table;
  if (!table) {
    PyObject *module = PyImport_ImportModule("dpep._array"); /* PyCapsule_Import does not import the module itself */
    if (!module) return NULL;
    Py_DECREF(module);
    table = (const struct dpctl_array_c_interface *)PyCapsule_Import(DPCTL_ARRAY_INTERFACE_NAME, 0);
  }
  return table;
}

#define PyUSMArrayType (*dpctl_array_interface()->array_type)

static inline char *UsmNDArray_GetData(struct PyUSMArrayObject *o) { return dpctl_array_interface()->get_data(o); }
static inline int UsmNDArray_GetNDim(struct PyUSMArrayObject *o) { return dpctl_array_interface()->get_ndim(o); }
static inline Py_ssize_t *UsmNDArray_GetShape(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_shape(o);
}
static inline Py_ssize_t *UsmNDArray_GetStrides(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_strides(o);
}
static inline int UsmNDArray_GetTypenum(struct PyUSMArrayObject *o) { return dpctl_array_interface()->get_typenum(o); }
static inline int UsmNDArray_GetElementSize(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_element_size(o);
}
static inline int UsmNDArray_GetFlags(struct PyUSMArrayObject *o) { return dpctl_array_interface()->get_flags(o); }
static inline DPCTLSyclQueueRef UsmNDArray_GetQueueRef(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_queue_ref(o);
}
static inline Py_ssize_t UsmNDArray_GetOffset(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_offset(o);
}
static inline PyObject *UsmNDArray_GetUSMData(struct PyUSMArrayObject *o) {
  return dpctl_array_interface()->get_usm_data(o);
}
static inline void UsmNDArray_SetWritableFlag(struct PyUSMArrayObject *o, int writable) {
  dpctl_array_interface()->set_writable(o, writable);
}
static inline PyObject *UsmNDArray_MakeSimpleFromMemory(int nd, const Py_ssize_t *shape, int typenum,
                                                        struct Py_MemoryObject *memory, Py_ssize_t offset, char order) {
  return dpctl_array_interface()->make_from_memory(nd, shape, typenum, memory, offset, order);
}
static inline PyObject *UsmNDArray_MakeSimpleFromPtr(size_t elements, int typenum, DPCTLSyclUSMRef pointer,
                                                     DPCTLSyclQueueRef queue, PyObject *owner) {
  return dpctl_array_interface()->make_simple_from_pointer(elements, typenum, pointer, queue, owner);
}
static inline PyObject *UsmNDArray_MakeFromPtr(int nd, const Py_ssize_t *shape, int typenum, const Py_ssize_t *strides,
                                               DPCTLSyclUSMRef pointer, DPCTLSyclQueueRef queue, Py_ssize_t offset,
                                               PyObject *owner) {
  return dpctl_array_interface()->make_from_pointer(nd, shape, typenum, strides, pointer, queue, offset, owner);
}

#endif
