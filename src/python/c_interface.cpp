// The C interface of dpctl: the function table of dpctl_capi.h, and the same functions as capsules for Cython.
#include "bindings.hpp"
#include "keep_alive.hpp"
#include "program/programs.hpp"
#include "usm_memory.hpp"

#include <dpctl/dpctl_capi.h>
#include <dpep/native.hpp>

namespace dpep::python {
namespace {

/// Runs a function that may throw. When it throws, sets the Python error and returns null.
template <class F> auto guarded(F &&f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (nb::python_error &e) {
    e.restore();
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return {};
}

/// The C++ object in a Python object. Sets TypeError and returns null for objects of other types.
template <class T> T *inside(void *o, const char *wanted) {
  const nb::handle h(static_cast<PyObject *>(o));
  if (nb::isinstance<T>(h)) return nb::inst_ptr<T>(h);
  PyErr_Format(PyExc_TypeError, "expected a %s, got %.200s", wanted, Py_TYPE(h.ptr())->tp_name);
  return nullptr;
}

/// A new Python object with a copy of the handle that a C reference points to.
template <class T> PyObject *make(void *reference) {
  return guarded([&] { return nb::cast(*static_cast<const T *>(reference), nb::rv_policy::copy).release().ptr(); });
}

DPCTLSyclKernelRef get_kernel_ref(PySyclKernelObject *o) {
  named_kernel *const k = inside<named_kernel>(o, "dpctl.program.SyclKernel");
  return k ? reinterpret_cast<DPCTLSyclKernelRef>(&k->kernel) : nullptr;
}
PySyclKernelObject *make_kernel(DPCTLSyclKernelRef reference, const char *name) {
  return reinterpret_cast<PySyclKernelObject *>(guarded([&] {
    const auto &kernel = *reinterpret_cast<const device_kernel *>(reference);
    return nb::cast(named_kernel{kernel, name ? name : "default_name"}).release().ptr();
  }));
}

const usm_memory *memory(Py_MemoryObject *o) { return inside<usm_memory>(o, "dpctl.memory object"); }

// clang-format off
DPCTLSyclDeviceRef get_device_ref(PySyclDeviceObject *o) { return reinterpret_cast<DPCTLSyclDeviceRef>(inside<device>(o, "dpctl.SyclDevice")); }
PySyclDeviceObject *make_device(DPCTLSyclDeviceRef r) { return reinterpret_cast<PySyclDeviceObject *>(make<device>(r)); }
DPCTLSyclContextRef get_context_ref(PySyclContextObject *o) { return reinterpret_cast<DPCTLSyclContextRef>(inside<context>(o, "dpctl.SyclContext")); }
PySyclContextObject *make_context(DPCTLSyclContextRef r) { return reinterpret_cast<PySyclContextObject *>(make<context>(r)); }
DPCTLSyclEventRef get_event_ref(PySyclEventObject *o) { return reinterpret_cast<DPCTLSyclEventRef>(inside<event>(o, "dpctl.SyclEvent")); }
PySyclEventObject *make_event(DPCTLSyclEventRef r) { return reinterpret_cast<PySyclEventObject *>(make<event>(r)); }
DPCTLSyclQueueRef get_queue_ref(PySyclQueueObject *o) { return reinterpret_cast<DPCTLSyclQueueRef>(inside<queue>(o, "dpctl.SyclQueue")); }
PySyclQueueObject *make_queue(DPCTLSyclQueueRef r) { return reinterpret_cast<PySyclQueueObject *>(make<queue>(r)); }
DPCTLSyclKernelBundleRef get_program_ref(PySyclProgramObject *o) { return reinterpret_cast<DPCTLSyclKernelBundleRef>(inside<device_program>(o, "dpctl.program.SyclProgram")); }
PySyclProgramObject *make_program(DPCTLSyclKernelBundleRef r) { return reinterpret_cast<PySyclProgramObject *>(make<device_program>(r)); }
// clang-format on

DPCTLSyclUSMRef memory_pointer(Py_MemoryObject *o) {
  const usm_memory *m = memory(o);
  return m ? static_cast<DPCTLSyclUSMRef>(m->pointer) : nullptr;
}
void *memory_owner(Py_MemoryObject *o) {
  const usm_memory *m = memory(o);
  return m ? const_cast<std::shared_ptr<void> *>(&m->owner) : nullptr;
}
DPCTLSyclContextRef memory_context_ref(Py_MemoryObject *o) {
  const usm_memory *m = memory(o);
  if (!m) return nullptr;
  return guarded([&] {
    const context &its = m->get_context();
    const nb::object known = python_object_of_default(its);  // of the memory's attribute sycl_context, too
    return reinterpret_cast<DPCTLSyclContextRef>(known ? nb::inst_ptr<context>(known) : const_cast<context *>(&its));
  });
}
DPCTLSyclQueueRef memory_queue_ref(Py_MemoryObject *o) {
  const usm_memory *m = memory(o);
  return m ? guarded([&] { return reinterpret_cast<DPCTLSyclQueueRef>(nb::inst_ptr<queue>(m->get_python_queue())); })
           : nullptr;
}
size_t memory_bytes(Py_MemoryObject *o) {
  const usm_memory *m = memory(o);
  return m ? m->bytes : 0;
}

usm_memory adopt(DPCTLSyclUSMRef pointer, size_t bytes, DPCTLSyclQueueRef where) {
  usm_memory m;
  m.pointer = pointer;
  m.bytes = bytes;
  m.queue = *reinterpret_cast<const queue *>(where);
  const auto home = find_allocation(pointer);
  if (!home || home->context != m.get_context())
    throw nb::value_error("Memory_Make: the pointer is not USM memory of the queue's context");
  m.kind = home->kind;
  return m;
}

PyObject *make_owned_memory(DPCTLSyclUSMRef pointer, size_t bytes, DPCTLSyclQueueRef where, void *owner) {
  return guarded([&] {
    usm_memory m = adopt(pointer, bytes, where);
    if (owner) m.owner = *static_cast<const std::shared_ptr<void> *>(owner);
    if (!m.owner) m.owner = owning(m.pointer, m.get_context());
    return to_python(std::move(m)).release().ptr();
  });
}

PyObject *make_memory(DPCTLSyclUSMRef pointer, size_t bytes, DPCTLSyclQueueRef where, PyObject *owner) {
  if (!owner) return make_owned_memory(pointer, bytes, where, nullptr);
  return guarded([&] {
    usm_memory m = adopt(pointer, bytes, where);
    m.reference = nb::borrow(owner);
    return to_python(std::move(m)).release().ptr();
  });
}

int keep_alive(DPCTLSyclQueueRef where, PyObject *object, const DPCTLSyclEventRef *after, size_t count,
               DPCTLSyclEventRef done) {
  return guarded([&]() -> std::optional<int> {
           std::vector<event> dependencies;
           for (size_t k = 0; k < count; ++k) dependencies.push_back(*reinterpret_cast<const event *>(after[k]));
           auto &result = *reinterpret_cast<event *>(done);
           result = reinterpret_cast<const queue *>(where)->barrier(dependencies);
           result.keep_alive(hold(nb::borrow(object)));
           release_finished();
           return 0;
         })
      .value_or(-1);
}

/// Gets a native handle without the GIL, because queues and events may block until they have one.
template <class T, class Get> int native_of(void *reference, uintptr_t *handle, Get get) {
  return guarded([&]() -> std::optional<int> {
           const gil_release unlocked;
           *handle = static_cast<uintptr_t>(get(*static_cast<const T *>(reference)));
           return 0;
         })
      .value_or(-1);
}
int native_device(DPCTLSyclDeviceRef r, uintptr_t *handle) { return native_of<device>(r, handle, native::ordinal_of); }
int native_context(DPCTLSyclContextRef r, uintptr_t *handle) {
  return native_of<context>(r, handle, [](const context &c) { return native::context_of(c.devices().front()); });
}
int native_queue(DPCTLSyclQueueRef r, uintptr_t *handle) { return native_of<queue>(r, handle, native::stream_of); }
int native_event(DPCTLSyclEventRef r, uintptr_t *handle) { return native_of<event>(r, handle, native::event_of); }

dpctl_c_interface table{};

PyTypeObject *type_object(const nb::module_ &m, const char *name) {
  return reinterpret_cast<PyTypeObject *>(nb::object(m.attr(name)).release().ptr());  // lives as long as the process
}

}  // namespace

void bind_c_interface(nb::module_ &m) {
  table = {
      .device_type = type_object(m, "SyclDevice"),
      .context_type = type_object(m, "SyclContext"),
      .event_type = type_object(m, "SyclEvent"),
      .queue_type = type_object(m, "SyclQueue"),
      .memory_type = type_object(m, "_Memory"),
      .memory_device_type = type_object(m, "MemoryUSMDevice"),
      .memory_shared_type = type_object(m, "MemoryUSMShared"),
      .memory_host_type = type_object(m, "MemoryUSMHost"),
      .get_device_ref = get_device_ref,
      .make_device = make_device,
      .get_context_ref = get_context_ref,
      .make_context = make_context,
      .get_event_ref = get_event_ref,
      .make_event = make_event,
      .get_queue_ref = get_queue_ref,
      .make_queue = make_queue,
      .memory_pointer = memory_pointer,
      .memory_owner = memory_owner,
      .memory_context_ref = memory_context_ref,
      .memory_queue_ref = memory_queue_ref,
      .memory_bytes = memory_bytes,
      .make_memory = make_memory,
      .make_owned_memory = make_owned_memory,
      .keep_alive = keep_alive,
      .native_device = native_device,
      .native_context = native_context,
      .native_queue = native_queue,
      .native_event = native_event,
      .kernel_type = type_object(m, "SyclKernel"),
      .program_type = type_object(m, "SyclProgram"),
      .get_kernel_ref = get_kernel_ref,
      .make_kernel = make_kernel,
      .get_program_ref = get_program_ref,
      .make_program = make_program,
  };
  m.attr("c_interface") = nb::capsule(&table, DPCTL_C_INTERFACE_NAME);

  // Cython requires a method table in the type of a class with methods. Its contents are not used: the methods in
  // dpctl's .pxd files are inline.
  for (const char *name : {"SyclDevice", "SyclContext", "SyclEvent", "SyclQueue", "_Memory", "MemoryUSMDevice",
                           "MemoryUSMShared", "MemoryUSMHost", "SyclKernel", "SyclProgram"})
    m.attr(name).attr("__pyx_vtable__") = nb::steal(PyCapsule_New(&table, nullptr, nullptr));

  // Cython finds a function of another module as a capsule in its __pyx_capi__, named by the C signature.
  nb::dict functions;
  const auto add = [&](const char *name, auto *function, const char *signature) {
    functions[name] = nb::capsule(reinterpret_cast<void *>(function), signature);
  };
  add("SyclDevice_GetDeviceRef", get_device_ref, "DPCTLSyclDeviceRef (struct PySyclDeviceObject *)");
  add("SyclDevice_Make", make_device, "struct PySyclDeviceObject *(DPCTLSyclDeviceRef)");
  add("SyclContext_GetContextRef", get_context_ref, "DPCTLSyclContextRef (struct PySyclContextObject *)");
  add("SyclContext_Make", make_context, "struct PySyclContextObject *(DPCTLSyclContextRef)");
  add("SyclEvent_GetEventRef", get_event_ref, "DPCTLSyclEventRef (struct PySyclEventObject *)");
  add("SyclEvent_Make", make_event, "struct PySyclEventObject *(DPCTLSyclEventRef)");
  add("SyclQueue_GetQueueRef", get_queue_ref, "DPCTLSyclQueueRef (struct PySyclQueueObject *)");
  add("SyclQueue_Make", make_queue, "struct PySyclQueueObject *(DPCTLSyclQueueRef)");
  add("Memory_GetUsmPointer", memory_pointer, "DPCTLSyclUSMRef (struct Py_MemoryObject *)");
  add("Memory_GetOpaquePointer", memory_owner, "void *(struct Py_MemoryObject *)");
  add("Memory_GetContextRef", memory_context_ref, "DPCTLSyclContextRef (struct Py_MemoryObject *)");
  add("Memory_GetQueueRef", memory_queue_ref, "DPCTLSyclQueueRef (struct Py_MemoryObject *)");
  add("Memory_GetNumBytes", memory_bytes, "size_t (struct Py_MemoryObject *)");
  add("Memory_Make", make_memory, "PyObject *(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, PyObject *)");
  add("SyclKernel_GetKernelRef", get_kernel_ref, "DPCTLSyclKernelRef (struct PySyclKernelObject *)");
  add("SyclKernel_Make", make_kernel, "struct PySyclKernelObject *(DPCTLSyclKernelRef, char const *)");
  add("SyclProgram_GetKernelBundleRef", get_program_ref, "DPCTLSyclKernelBundleRef (struct PySyclProgramObject *)");
  add("SyclProgram_Make", make_program, "struct PySyclProgramObject *(DPCTLSyclKernelBundleRef)");
  m.attr("__pyx_capi__") = functions;
}

}  // namespace dpep::python
