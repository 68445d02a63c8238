// dpctl's objects in pybind11 modules: type casters of sycl::queue, device, context and event, of kernels and bundles
// of dpctl.program, classes of USM memory and arrays, and keep_args_alive.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <sycl/sycl.hpp>

#include "dpctl_python_classes.hpp"
#include "dpctl_usm_ndarray.hpp"

namespace dpctl::detail {

[[noreturn]] inline void throw_python_error() { throw pybind11::error_already_set(); }

/// A type caster that passes the C++ object inside the Python object by reference, without a copy.
template <class T> class handle_caster {
public:
  static constexpr auto name = pybind11::detail::const_name(python_class<T>::text);
  template <class U> using cast_op_type = pybind11::detail::cast_op_type<U>;

  bool load(pybind11::handle source, bool) {
    if (!source || !PyObject_TypeCheck(source.ptr(), python_class<T>::type())) return false;
    object_ = python_class<T>::get(source.ptr());
    return object_ != nullptr;
  }
  static pybind11::handle cast(const T &source, pybind11::return_value_policy, pybind11::handle) {
    return python_class<T>::make(source);
  }
  static pybind11::handle cast(const T *source, pybind11::return_value_policy policy, pybind11::handle parent) {
    if (!source) return pybind11::none().release();
    const pybind11::handle made = cast(*source, policy, parent);
    if (policy == pybind11::return_value_policy::take_ownership) delete source;
    return made;
  }
  operator T *() { return object_; }
  operator T &() { return *object_; }

private:
  T *object_ = nullptr;
};

/// A type caster of a class whose Python object has what a C++ object is made of.
template <class T> class value_caster {
public:
  static constexpr auto name = pybind11::detail::const_name(python_class<T>::text);
  template <class U> using cast_op_type = pybind11::detail::movable_cast_op_type<U>;

  bool load(pybind11::handle source, bool) {
    if (!source || !PyObject_TypeCheck(source.ptr(), python_class<T>::type())) return false;
    object_ = python_class<T>::get(source.ptr());
    return object_.has_value();
  }
  static pybind11::handle cast(const T &source, pybind11::return_value_policy, pybind11::handle) {
    return python_class<T>::make(source);
  }
  operator T *() { return &*object_; }
  operator T &() { return *object_; }
  operator T &&() && { return *std::move(object_); }

private:
  std::optional<T> object_;
};

}  // namespace dpctl::detail

namespace pybind11::detail {

template <> struct type_caster<sycl::queue> : dpctl::detail::handle_caster<sycl::queue> {};
template <> struct type_caster<sycl::device> : dpctl::detail::handle_caster<sycl::device> {};
template <> struct type_caster<sycl::context> : dpctl::detail::handle_caster<sycl::context> {};
template <> struct type_caster<sycl::event> : dpctl::detail::handle_caster<sycl::event> {};
template <> struct type_caster<sycl::kernel> : dpctl::detail::value_caster<sycl::kernel> {};
template <>
struct type_caster<sycl::kernel_bundle<sycl::bundle_state::executable>>
    : dpctl::detail::value_caster<sycl::kernel_bundle<sycl::bundle_state::executable>> {};

}  // namespace pybind11::detail

namespace dpctl::memory {

/// A Python object of dpctl.memory. As a function parameter it accepts only such objects; its constructor converts
/// other objects with `dpctl.memory.as_usm_memory`.
class usm_memory : public pybind11::object {
public:
  PYBIND11_OBJECT_CVT(usm_memory, pybind11::object, is_memory, as_memory)

  /// One byte of host memory.
  usm_memory() : usm_memory(pybind11::module_::import("dpctl.memory").attr("MemoryUSMHost")(1)) {}
  /// Memory that the shared pointer owns. If it is empty, the new object owns the memory.
  usm_memory(void *pointer, std::size_t bytes, const sycl::queue &queue, std::shared_ptr<void> owner)
      : usm_memory(pybind11::reinterpret_steal<usm_memory>(checked(detail::interface().make_owned_memory(
            static_cast<DPCTLSyclUSMRef>(pointer), bytes, syclinterface::wrap<sycl::queue>(&queue), &owner)))) {}

  sycl::queue get_queue() const {
    return *syclinterface::unwrap<sycl::queue>(detail::interface().memory_queue_ref(memory()));
  }
  char *get_pointer() const { return reinterpret_cast<char *>(detail::interface().memory_pointer(memory())); }
  std::size_t get_nbytes() const { return detail::interface().memory_bytes(memory()); }

private:
  Py_MemoryObject *memory() const { return reinterpret_cast<Py_MemoryObject *>(ptr()); }
  static bool is_memory(PyObject *o) { return PyObject_TypeCheck(o, detail::interface().memory_type); }
  static PyObject *checked(PyObject *o) {
    if (!o) throw pybind11::error_already_set();
    return o;
  }
  static PyObject *as_memory(PyObject *o) {
    return pybind11::module_::import("dpctl.memory").attr("as_usm_memory")(pybind11::handle(o)).release().ptr();
  }
};

}  // namespace dpctl::memory

namespace pybind11::detail {
template <> struct handle_type_name<dpctl::memory::usm_memory> {
  static constexpr auto name = const_name("dpctl.memory._Memory");
};
}  // namespace pybind11::detail

namespace dpctl::utils {

/// Keeps Python objects alive until the events are complete. Call with the GIL; the GIL is not taken later. Returns an
/// event that is complete when the objects are no longer needed. The next dpctl call after that releases them.
template <std::size_t N>
sycl::event keep_args_alive(const sycl::queue &queue, const pybind11::object (&objects)[N],
                            const std::vector<sycl::event> &depends = {}) {
  pybind11::tuple all(N);
  for (std::size_t k = 0; k < N; ++k) all[k] = objects[k];
  return detail::keep_alive(queue, all.ptr(), depends);
}

}  // namespace dpctl::utils
