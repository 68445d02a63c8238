/* A user's C extension that uses arrays, without C++ and SYCL. */
#include <Python.h>

#include "dpctl_capi.h"

static PyObject *is_array(PyObject *self, PyObject *o) {
  (void)self;
  return PyBool_FromLong(PyObject_TypeCheck(o, &PyUSMArrayType));
}

/* The diagonal of a square matrix of int32, as a view. */
static PyObject *diagonal(PyObject *self, PyObject *o) {
  struct PyUSMArrayObject *a = (struct PyUSMArrayObject *)o;
  Py_ssize_t *shape, stride;
  (void)self;
  if (!PyObject_TypeCheck(o, &PyUSMArrayType) || UsmNDArray_GetNDim(a) != 2 || UsmNDArray_GetTypenum(a) != UAR_INT ||
      !(UsmNDArray_GetFlags(a) & USM_ARRAY_C_CONTIGUOUS)) {
    PyErr_SetString(PyExc_TypeError, "diagonal: expected a C-contiguous matrix of int32");
    return NULL;
  }
  shape = UsmNDArray_GetShape(a);
  stride = shape[1] + 1;
  return UsmNDArray_MakeFromPtr(1, shape, UAR_INT, &stride, (DPCTLSyclUSMRef)UsmNDArray_GetData(a),
                                UsmNDArray_GetQueueRef(a), 0, o);
}

static PyObject *on_memory(PyObject *self, PyObject *memory) {
  Py_ssize_t shape[2];
  (void)self;
  shape[0] = 2;
  shape[1] = 3;
  return UsmNDArray_MakeSimpleFromMemory(2, shape, UAR_INT, (struct Py_MemoryObject *)memory, 1, 'F');
}

static PyObject *forbid_writing(PyObject *self, PyObject *o) {
  (void)self;
  UsmNDArray_SetWritableFlag((struct PyUSMArrayObject *)o, 0);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"is_array", is_array, METH_O, NULL},
                                {"diagonal", diagonal, METH_O, NULL},
                                {"on_memory", on_memory, METH_O, NULL},
                                {"forbid_writing", forbid_writing, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "array_c_extension", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_array_c_extension(void) {
  if (!dpctl_array_interface()) return NULL;
  return PyModule_Create(&module);
}
