// dpctl's Python classes of SYCL classes, for the headers of pybind11 and nanobind.
#pragma once

#include <optional>

#include <sycl/sycl.hpp>

#include "dpctl_capi.h"
#include "dpctl_program_references.hpp"
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

// Of kernels and programs the Python objects have the code and the device; a SYCL object is made of them. Nothing if
// Python has an error set.
template <> struct python_class<sycl::kernel> {
  static constexpr char text[] = "dpctl.program.SyclKernel";
  static PyTypeObject *type() { return interface().kernel_type; }
  static std::optional<sycl::kernel> get(PyObject *o) {
    const auto *const k =
        reinterpret_cast<const device_kernel *>(interface().get_kernel_ref(reinterpret_cast<PySyclKernelObject *>(o)));
    if (!k) return std::nullopt;
    return sycl::kernel(k->kernel, sycl::context(sycl::device(k->where)), nullptr);
  }
  static PyObject *make(const sycl::kernel &k) {
    if (!k.properties())
      throw sycl::exception(sycl::errc::invalid,
                            "dpctl.program.SyclKernel: only kernels from source text and SPIR-V become Python objects");
    device_kernel made{{k.id().native(), k.properties()}, k.get_context().get_devices().front()};
    auto *const o = reinterpret_cast<PyObject *>(
        interface().make_kernel(reinterpret_cast<DPCTLSyclKernelRef>(&made), k.properties()->name.c_str()));
    if (!o) throw_python_error();
    return o;
  }
};
template <> struct python_class<sycl::kernel_bundle<sycl::bundle_state::executable>> {
  using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
  static constexpr char text[] = "dpctl.program.SyclProgram";
  static PyTypeObject *type() { return interface().program_type; }
  static std::optional<bundle> get(PyObject *o) {
    const auto *const p = reinterpret_cast<const device_program *>(
        interface().get_program_ref(reinterpret_cast<PySyclProgramObject *>(o)));
    if (!p) return std::nullopt;
    const sycl::device where(p->where);
    return bundle(sycl::context(where), {where}, p->program);
  }
  static PyObject *make(const bundle &b) {
    if (!b.program())
      throw sycl::exception(
          sycl::errc::invalid,
          "dpctl.program.SyclProgram: only bundles from source text and SPIR-V become Python objects");
    device_program made{b.program(), b.get_devices().front()};
    auto *const o =
        reinterpret_cast<PyObject *>(interface().make_program(reinterpret_cast<DPCTLSyclKernelBundleRef>(&made)));
    if (!o) throw_python_error();
    return o;
  }
};

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
