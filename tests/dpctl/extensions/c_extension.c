/* A user's C extension that uses dpctl, without C++ and SYCL. */
#include <Python.h>

#include "dpctl_capi.h"

static PyObject *is_queue(PyObject *self, PyObject *o) {
  (void)self;
  return PyBool_FromLong(PyObject_TypeCheck(o, &PySyclQueueType));
}

static PyObject *bytes_of(PyObject *self, PyObject *o) {
  (void)self;
  size_t bytes = Memory_GetNumBytes((struct Py_MemoryObject *)o);
  return PyErr_Occurred() ? NULL : PyLong_FromSize_t(bytes);
}

static PyObject *copy_of_queue(PyObject *self, PyObject *o) {
  (void)self;
  DPCTLSyclQueueRef queue = SyclQueue_GetQueueRef((struct PySyclQueueObject *)o);
  return queue ? (PyObject *)SyclQueue_Make(queue) : NULL;
}

/* The native handles of a device, a context, a queue and an event. */
static PyObject *handles_of(PyObject *self, PyObject *args) {
  (void)self;
  struct PySyclDeviceObject *device;
  struct PySyclContextObject *context;
  struct PySyclQueueObject *queue;
  struct PySyclEventObject *event;
  uintptr_t handles[4];
  if (!PyArg_ParseTuple(args, "OOOO", &device, &context, &queue, &event)) return NULL;
  if (DPCTLDevice_GetNative(SyclDevice_GetDeviceRef(device), &handles[0]) ||
      DPCTLContext_GetNative(SyclContext_GetContextRef(context), &handles[1]) ||
      DPCTLQueue_GetNative(SyclQueue_GetQueueRef(queue), &handles[2]) ||
      DPCTLEvent_GetNative(SyclEvent_GetEventRef(event), &handles[3]))
    return NULL;
  return Py_BuildValue("KKKK", (unsigned long long)handles[0], (unsigned long long)handles[1],
                       (unsigned long long)handles[2], (unsigned long long)handles[3]);
}

static PyMethodDef methods[] = {{"handles_of", handles_of, METH_VARARGS, NULL},
                                {"is_queue", is_queue, METH_O, NULL},
                                {"bytes_of", bytes_of, METH_O, NULL},
                                {"copy_of_queue", copy_of_queue, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "c_extension", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_c_extension(void) {
  import_dpctl();
  if (PyErr_Occurred()) return NULL;
  return PyModule_Create(&module);
}
