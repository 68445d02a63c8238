// dpctl::tensor::usm_ndarray: dpctl's arrays in pybind11 modules. Included by dpctl4pybind11.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <sycl/sycl.hpp>

#include "dpctl_capi.h"
#include "syclinterface/dpctl_sycl_type_casters.hpp"

namespace dpctl::tensor {

/// A Python object of dpctl.tensor's array type. As a function parameter it accepts only such objects; its constructor
/// converts other objects with `dpctl.tensor.asarray`. Functions that return an address first submit the array's
/// pending operations and wait for them.
class usm_ndarray : public pybind11::object {
public:
  PYBIND11_OBJECT_CVT(usm_ndarray, pybind11::object, is_array, as_array)

  /// A 0-d array.
  usm_ndarray() : usm_ndarray(pybind11::module_::import("dpctl.tensor").attr("empty")(pybind11::tuple())) {}

  /// The address of the element with all indices zero.
  char *get_data() const {
    char *data = interface().get_data(array());
    if (!data && PyErr_Occurred()) throw pybind11::error_already_set();
    return data;
  }
  template <class T> T *get_data() const { return reinterpret_cast<T *>(get_data()); }
  /// The address of the element `offset` elements after that one.
  char *get_data(pybind11::ssize_t offset) const { return get_data() + offset * get_elemsize(); }

  int get_ndim() const { return interface().get_ndim(array()); }
  const pybind11::ssize_t *get_shape_raw() const { return interface().get_shape(array()); }
  std::vector<pybind11::ssize_t> get_shape_vector() const { return {get_shape_raw(), get_shape_raw() + get_ndim()}; }
  pybind11::ssize_t get_shape(int axis) const { return get_shape_raw()[axis]; }
  /// Null for row-major arrays.
  const pybind11::ssize_t *get_strides_raw() const { return interface().get_strides(array()); }
  /// Strides in elements.
  std::vector<pybind11::ssize_t> get_strides_vector() const {
    if (const pybind11::ssize_t *strides = get_strides_raw()) return {strides, strides + get_ndim()};
    std::vector<pybind11::ssize_t> strides(static_cast<std::size_t>(get_ndim()), 1);
    for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * get_shape(static_cast<int>(i));
    return strides;
  }
  pybind11::ssize_t get_size() const {
    pybind11::ssize_t size = 1;
    for (int i = 0; i < get_ndim(); ++i) size *= get_shape(i);
    return size;
  }
  /// The smallest and the largest offset of an element from the first element.
  std::pair<pybind11::ssize_t, pybind11::ssize_t> get_minmax_offsets() const {
    const std::vector<pybind11::ssize_t> strides = get_strides_vector();
    std::pair<pybind11::ssize_t, pybind11::ssize_t> range{0, 0};
    for (std::size_t i = 0; i < strides.size() && get_size(); ++i) {
      const pybind11::ssize_t reach = (get_shape(static_cast<int>(i)) - 1) * strides[i];
      (reach < 0 ? range.first : range.second) += reach;
    }
    return range;
  }

  sycl::queue get_queue() const { return *syclinterface::unwrap<sycl::queue>(interface().get_queue_ref(array())); }
  sycl::device get_device() const { return get_queue().get_device(); }
  int get_typenum() const { return interface().get_typenum(array()); }
  int get_elemsize() const { return interface().get_element_size(array()); }
  int get_flags() const { return interface().get_flags(array()); }
  bool is_c_contiguous() const { return get_flags() & USM_ARRAY_C_CONTIGUOUS; }
  bool is_f_contiguous() const { return get_flags() & USM_ARRAY_F_CONTIGUOUS; }
  bool is_writable() const { return get_flags() & USM_ARRAY_WRITABLE; }
  pybind11::ssize_t get_offset() const { return interface().get_offset(array()); }

  pybind11::object get_usm_data() const {
    PyObject *memory = interface().get_usm_data(array());
    if (!memory) throw pybind11::error_already_set();
    return pybind11::reinterpret_steal<pybind11::object>(memory);
  }
  /// Whether a shared pointer owns the memory, so that tasks can keep it alive without Python.
  bool is_managed_by_smart_ptr() const { return static_cast<bool>(owner()); }
  std::shared_ptr<void> get_smart_ptr_owner() const {
    if (std::shared_ptr<void> kept = owner()) return kept;
    throw std::runtime_error("usm_ndarray: the memory is owned by a Python object, not by a shared pointer");
  }

private:
  static const dpctl_array_c_interface &interface() {
    const dpctl_array_c_interface *table = dpctl_array_interface();
    if (!table) throw pybind11::error_already_set();
    return *table;
  }
  PyUSMArrayObject *array() const { return reinterpret_cast<PyUSMArrayObject *>(ptr()); }
  std::shared_ptr<void> owner() const {
    const pybind11::object memory = get_usm_data();
    return *static_cast<const std::shared_ptr<void> *>(
        Memory_GetOpaquePointer(reinterpret_cast<Py_MemoryObject *>(memory.ptr())));
  }
  static bool is_array(PyObject *o) { return PyObject_TypeCheck(o, interface().array_type); }
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
