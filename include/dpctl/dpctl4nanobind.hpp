// dpctl's objects in nanobind modules: type casters of sycl::queue, device, context and event, the class of arrays, and
// keep_args_alive.
#pragma once

#include <cstddef>
#include <vector>

#include <nanobind/nanobind.h>

#include "dpctl_array_functions.hpp"
#include "dpctl_python_classes.hpp"

namespace dpctl::detail {

[[noreturn]] inline void throw_python_error() { nanobind::raise_python_error(); }

/// Whether a Python object is an array; nanobind checks parameters with it.
inline bool is_array(nanobind::handle h) {
  return PyObject_TypeCheck(h.ptr(), dpctl::tensor::detail::interface().array_type);
}

/// A type caster that passes the C++ object inside the Python object by reference, without a copy.
template <class T> struct handle_caster {
  static constexpr auto Name = nanobind::detail::const_name(python_class<T>::text);
  template <class U> using Cast = nanobind::detail::precise_cast_t<U>;
  template <class U> static constexpr bool can_cast() { return true; }

  bool from_python(nanobind::handle source, std::uint8_t, nanobind::detail::cleanup_list *) noexcept {
    if (!PyObject_TypeCheck(source.ptr(), python_class<T>::type())) return false;
    object_ = python_class<T>::get(source.ptr());
    return object_ != nullptr;
  }
  static nanobind::handle from_cpp(const T &source, nanobind::rv_policy, nanobind::detail::cleanup_list *) noexcept {
    try {
      return python_class<T>::make(source);
    } catch (nanobind::python_error &e) {
      e.restore();
      return {};
    }
  }
  explicit operator T *() { return object_; }
  explicit operator T &() { return *object_; }

private:
  T *object_ = nullptr;
};

}  // namespace dpctl::detail

namespace nanobind::detail {

template <> struct type_caster<sycl::queue> : dpctl::detail::handle_caster<sycl::queue> {};
template <> struct type_caster<sycl::device> : dpctl::detail::handle_caster<sycl::device> {};
template <> struct type_caster<sycl::context> : dpctl::detail::handle_caster<sycl::context> {};
template <> struct type_caster<sycl::event> : dpctl::detail::handle_caster<sycl::event> {};

}  // namespace nanobind::detail

namespace dpctl::tensor {

/// A Python object of dpctl.tensor's array type. As a function parameter it accepts only such objects.
class usm_ndarray : public nanobind::object, public detail::array_functions<usm_ndarray> {
public:
  NB_OBJECT(usm_ndarray, nanobind::object, "dpctl.tensor.usm_ndarray", dpctl::detail::is_array)
  nanobind::object get_usm_data() const { return nanobind::steal(memory()); }
};

}  // namespace dpctl::tensor

namespace dpctl::utils {

/// Keeps Python objects alive until the events are complete. Call with the GIL; the GIL is not taken later. Returns an
/// event that is complete when the objects are no longer needed. The next dpctl call after that releases them.
template <std::size_t N>
sycl::event keep_args_alive(const sycl::queue &queue, const nanobind::object (&objects)[N],
                            const std::vector<sycl::event> &depends = {}) {
  nanobind::list all;
  for (const nanobind::object &o : objects) all.append(o);
  return dpctl::detail::keep_alive(queue, nanobind::tuple(all).ptr(), depends);
}

}  // namespace dpctl::utils
