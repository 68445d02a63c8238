// dpctl::tensor::usm_ndarray: dpctl's arrays in pybind11 modules. Included by dpctl4pybind11.hpp.
#pragma once

#include <pybind11/pybind11.h>

#include "dpctl_array_functions.hpp"

namespace dpctl::tensor {

/// A Python object of dpctl.tensor's array type. As a function parameter it accepts only such objects; its constructor
/// converts other objects with `dpctl.tensor.asarray`.
class usm_ndarray : public pybind11::object, public detail::array_functions<usm_ndarray> {
public:
  PYBIND11_OBJECT_CVT(usm_ndarray, pybind11::object, is_array, as_array)

  /// A 0-d array.
  usm_ndarray() : usm_ndarray(pybind11::module_::import("dpctl.tensor").attr("empty")(pybind11::tuple())) {}

  pybind11::object get_usm_data() const { return pybind11::reinterpret_steal<pybind11::object>(memory()); }

private:
  static PyObject *as_array(PyObject *o) {
    return pybind11::module_::import("dpctl.tensor").attr("asarray")(pybind11::handle(o)).release().ptr();
  }
};

}  // namespace dpctl::tensor

namespace pybind11::detail {
template <> struct handle_type_name<dpctl::tensor::usm_ndarray> {
  static constexpr auto name = const_name("dpctl.tensor.usm_ndarray");
};
}  // namespace pybind11::detail
