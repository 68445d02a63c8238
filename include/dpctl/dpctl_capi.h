/* The C API of dpctl's Python objects: type checks, access to the SYCL objects, and creation.
 *
 * Call import_dpctl() once when the module is initialised; it sets ImportError if dpctl is missing. Call all functions
 * with the GIL. For an object of another type they return NULL (or 0) with a Python error set. Returned references are
 * borrowed: they are valid as long as the Python object. */
#ifndef DPCTL_CAPI_H
#define DPCTL_CAPI_H

#include <Python.h>
#include <stdint.h>

#include "dpctl_array_capi.h"
#include "dpctl_sycl_interface.h"

/* Opaque objects. */
typedef struct PySyclDeviceObject {
  PyObject_HEAD
} PySyclDeviceObject;
typedef struct PySyclContextObject {
  PyObject_HEAD
} PySyclContextObject;
typedef struct PySyclEventObject {
  PyObject_HEAD
} PySyclEventObject;
typedef struct PySyclQueueObject {
  PyObject_HEAD
} PySyclQueueObject;
typedef struct Py_MemoryObject {
  PyObject_HEAD
} Py_MemoryObject;
typedef struct PySyclKernelObject {
  PyObject_HEAD
} PySyclKernelObject;
typedef struct PySyclProgramObject {
  PyObject_HEAD
} PySyclProgramObject;

#define DPCTL_C_INTERFACE_NAME "dpep._core.c_interface"

struct dpctl_c_interface {
  PyTypeObject *device_type, *context_type, *event_type, *queue_type;
  PyTypeObject *memory_type, *memory_device_type, *memory_shared_type, *memory_host_type;

  DPCTLSyclDeviceRef (*get_device_ref)(struct PySyclDeviceObject *);
  struct PySyclDeviceObject *(*make_device)(DPCTLSyclDeviceRef);
  DPCTLSyclContextRef (*get_context_ref)(struct PySyclContextObject *);
  struct PySyclContextObject *(*make_context)(DPCTLSyclContextRef);
  DPCTLSyclEventRef (*get_event_ref)(struct PySyclEventObject *);
  struct PySyclEventObject *(*make_event)(DPCTLSyclEventRef);
  DPCTLSyclQueueRef (*get_queue_ref)(struct PySyclQueueObject *);
  struct PySyclQueueObject *(*make_queue)(DPCTLSyclQueueRef);

  DPCTLSyclUSMRef (*memory_pointer)(struct Py_MemoryObject *);
  void *(*memory_owner)(struct Py_MemoryObject *);
  DPCTLSyclContextRef (*memory_context_ref)(struct Py_MemoryObject *);
  DPCTLSyclQueueRef (*memory_queue_ref)(struct Py_MemoryObject *);
  size_t (*memory_bytes)(struct Py_MemoryObject *);
  PyObject *(*make_memory)(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, PyObject *owner);
  PyObject *(*make_owned_memory)(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, void *owner);

  /* Keeps a Python object alive until the events are complete. Assigns to `*done` an event that is complete when the
   * object is no longer needed. Returns 0, or -1 with a Python error set. */
  int (*keep_alive)(DPCTLSyclQueueRef, PyObject *object, const DPCTLSyclEventRef *after, size_t count,
                    DPCTLSyclEventRef done);

  /* Assign the driver's handle to `*handle`. Return 0, or -1 with a Python error set. */
  int (*native_device)(DPCTLSyclDeviceRef, uintptr_t *handle);
  int (*native_context)(DPCTLSyclContextRef, uintptr_t *handle);
  int (*native_queue)(DPCTLSyclQueueRef, uintptr_t *handle);
  int (*native_event)(DPCTLSyclEventRef, uintptr_t *handle);

  PyTypeObject *kernel_type, *program_type;
  DPCTLSyclKernelRef (*get_kernel_ref)(struct PySyclKernelObject *);
  struct PySyclKernelObject *(*make_kernel)(DPCTLSyclKernelRef, const char *name);
  DPCTLSyclKernelBundleRef (*get_program_ref)(struct PySyclProgramObject *);
  struct PySyclProgramObject *(*make_program)(DPCTLSyclKernelBundleRef);
};

/* The function table, imported once in each translation unit. NULL with ImportError set if it cannot be imported. */
static inline const struct dpctl_c_interface *dpctl_interface(void) {
  static const struct dpctl_c_interface *table;
  if (!table) table = (const struct dpctl_c_interface *)PyCapsule_Import(DPCTL_C_INTERFACE_NAME, 0);
  return table;
}

static inline void import_dpctl(void) { (void)dpctl_interface(); }

#define PySyclDeviceType (*dpctl_interface()->device_type)
#define PySyclContextType (*dpctl_interface()->context_type)
#define PySyclEventType (*dpctl_interface()->event_type)
#define PySyclQueueType (*dpctl_interface()->queue_type)
#define Py_MemoryType (*dpctl_interface()->memory_type)
#define PyMemoryUSMDeviceType (*dpctl_interface()->memory_device_type)
#define PyMemoryUSMSharedType (*dpctl_interface()->memory_shared_type)
#define PyMemoryUSMHostType (*dpctl_interface()->memory_host_type)
#define PySyclKernelType (*dpctl_interface()->kernel_type)
#define PySyclProgramType (*dpctl_interface()->program_type)

static inline DPCTLSyclDeviceRef SyclDevice_GetDeviceRef(struct PySyclDeviceObject *o) {
  return dpctl_interface()->get_device_ref(o);
}
static inline struct PySyclDeviceObject *SyclDevice_Make(DPCTLSyclDeviceRef r) {
  return dpctl_interface()->make_device(r);
}
static inline DPCTLSyclContextRef SyclContext_GetContextRef(struct PySyclContextObject *o) {
  return dpctl_interface()->get_context_ref(o);
}
static inline struct PySyclContextObject *SyclContext_Make(DPCTLSyclContextRef r) {
  return dpctl_interface()->make_context(r);
}
static inline DPCTLSyclEventRef SyclEvent_GetEventRef(struct PySyclEventObject *o) {
  return dpctl_interface()->get_event_ref(o);
}
static inline struct PySyclEventObject *SyclEvent_Make(DPCTLSyclEventRef r) { return dpctl_interface()->make_event(r); }
static inline DPCTLSyclQueueRef SyclQueue_GetQueueRef(struct PySyclQueueObject *o) {
  return dpctl_interface()->get_queue_ref(o);
}
static inline struct PySyclQueueObject *SyclQueue_Make(DPCTLSyclQueueRef r) { return dpctl_interface()->make_queue(r); }
static inline DPCTLSyclKernelRef SyclKernel_GetKernelRef(struct PySyclKernelObject *o) {
  return dpctl_interface()->get_kernel_ref(o);
}
/* `name` is what the Python object calls the kernel; NULL for "default_name". */
static inline struct PySyclKernelObject *SyclKernel_Make(DPCTLSyclKernelRef r, const char *name) {
  return dpctl_interface()->make_kernel(r, name);
}
static inline DPCTLSyclKernelBundleRef SyclProgram_GetKernelBundleRef(struct PySyclProgramObject *o) {
  return dpctl_interface()->get_program_ref(o);
}
static inline struct PySyclProgramObject *SyclProgram_Make(DPCTLSyclKernelBundleRef r) {
  return dpctl_interface()->make_program(r);
}

/* Assign the handles that sycl::get_native returns: CUDA's CUdevice, CUcontext, CUstream and CUevent. They belong to
 * the object and are valid as long as it. Work added to a queue's stream runs after everything submitted to the queue
 * so far. Return 0, or -1 with a Python error set for objects of other back ends. */
static inline int DPCTLDevice_GetNative(DPCTLSyclDeviceRef r, uintptr_t *handle) {
  return dpctl_interface()->native_device(r, handle);
}
static inline int DPCTLContext_GetNative(DPCTLSyclContextRef r, uintptr_t *handle) {
  return dpctl_interface()->native_context(r, handle);
}
static inline int DPCTLQueue_GetNative(DPCTLSyclQueueRef r, uintptr_t *handle) {
  return dpctl_interface()->native_queue(r, handle);
}
static inline int DPCTLEvent_GetNative(DPCTLSyclEventRef r, uintptr_t *handle) {
  return dpctl_interface()->native_event(r, handle);
}

static inline DPCTLSyclUSMRef Memory_GetUsmPointer(struct Py_MemoryObject *o) {
  return dpctl_interface()->memory_pointer(o);
}
/* The address of the std::shared_ptr<void> that owns the memory. The pointer is empty if a Python object owns it. */
static inline void *Memory_GetOpaquePointer(struct Py_MemoryObject *o) { return dpctl_interface()->memory_owner(o); }
static inline DPCTLSyclContextRef Memory_GetContextRef(struct Py_MemoryObject *o) {
  return dpctl_interface()->memory_context_ref(o);
}
static inline DPCTLSyclQueueRef Memory_GetQueueRef(struct Py_MemoryObject *o) {
  return dpctl_interface()->memory_queue_ref(o);
}
static inline size_t Memory_GetNumBytes(struct Py_MemoryObject *o) { return dpctl_interface()->memory_bytes(o); }
/* Creates a memory object of USM bytes. `owner` keeps them alive; without an owner, the object frees them. */
static inline PyObject *Memory_Make(DPCTLSyclUSMRef pointer, size_t bytes, DPCTLSyclQueueRef queue, PyObject *owner) {
  return dpctl_interface()->make_memory(pointer, bytes, queue, owner);
}

#endif
