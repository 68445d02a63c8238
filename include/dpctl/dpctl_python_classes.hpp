// dpctl's Python classes of SYCL classes, for the headers of pybind11 and nanobind.
#pragma once

#include <sycl/sycl.hpp>

#include "dpctl_capi.h"
#include "syclinterface/dpctl_sycl_type_casters.hpp"

namespace dpctl::detail {

/// Throws the binding library's exception for the Python error that is set. Each library's header defines it.
[[noreturn]] void throw_python_error();

inline const dpctl_c_interface &interface() {
  const dpctl_c_interface *table = dpctl_interface();
  if (!table) throw_python_error();
  return *table;
}

/// The Python class of a SYCL class: its name, extraction of the SYCL object, and creation of a Python object.
template <class T> struct python_class;
#define DPCTL_PYTHON_CLASS(cpp, python, object, reference, field)                                                      \
  template <> struct python_class<cpp> {                                                                               \
    static constexpr char text[] = "dpctl." python;                                                                    \
    static PyTypeObject *type() { return interface().field##_type; }                                                   \
    static cpp *get(PyObject *o) {                                                                                     \
      return syclinterface::unwrap<cpp>(interface().get_##field##_ref(reinterpret_cast<object *>(o)));                 \
    }                                                                                                                  \
    static PyObject *make(const cpp &x) {                                                                              \
      auto *const made = reinterpret_cast<PyObject *>(interface().make_##field(syclinterface::wrap<cpp>(&x)));         \
      if (!made) throw_python_error();                                                                                 \
      return made;                                                                                                     \
    }                                                                                                                  \
  };
DPCTL_PYTHON_CLASS(sycl::queue, "SyclQueue", PySyclQueueObject, DPCTLSyclQueueRef, queue)
DPCTL_PYTHON_CLASS(sycl::device, "SyclDevice", PySyclDeviceObject, DPCTLSyclDeviceRef, device)
DPCTL_PYTHON_CLASS(sycl::context, "SyclContext", PySyclContextObject, DPCTLSyclContextRef, context)
DPCTL_PYTHON_CLASS(sycl::event, "SyclEvent", PySyclEventObject, DPCTLSyclEventRef, event)
#undef DPCTL_PYTHON_CLASS

/// Keeps a tuple of Python objects alive until the events are complete (dpctl::utils::keep_args_alive).
inline sycl::event keep_alive(const sycl::queue &queue, PyObject *objects, const std::vector<sycl::event> &depends) {
  std::vector<DPCTLSyclEventRef> after;
  for (const sycl::event &e : depends) after.push_back(syclinterface::wrap<sycl::event>(&e));
  sycl::event done;
  if (interface().keep_alive(syclinterface::wrap<sycl::queue>(&queue), objects, after.data(), after.size(),
                             syclinterface::wrap<sycl::event>(&done)) != 0)
    throw_python_error();
  return done;
}

}  // namespace dpctl::detail

namespace dpctl::utils {

/// Whether all queues are equal to the execution queue, so that its tasks can use their memory in order.
template <std::size_t N>
bool queues_are_compatible(const sycl::queue &execution_queue, const sycl::queue (&queues)[N]) {
  for (const sycl::queue &q : queues)
    if (q != execution_queue) return false;
  return true;
}
inline bool queues_are_compatible(const sycl::queue &execution_queue, const std::vector<sycl::queue> &queues) {
  for (const sycl::queue &q : queues)
    if (q != execution_queue) return false;
  return true;
}

}  // namespace dpctl::utils
