// The functions of dpctl's arrays in C++, for the classes usm_ndarray of pybind11's and nanobind's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dpctl_python_classes.hpp"

namespace dpctl::tensor::detail {

using dpctl::detail::throw_python_error;

inline const dpctl_array_c_interface &interface() {
  const dpctl_array_c_interface *table = dpctl_array_interface();
  if (!table) throw_python_error();
  return *table;
}

/// `Array` derives from this and from its library's `object`. Functions that return an address first submit the array's
/// pending operations and wait for them.
template <class Array> class array_functions {
public:
  /// The address of the element with all indices zero.
  char *get_data() const {
    char *data = interface().get_data(array());
    if (!data && PyErr_Occurred()) throw_python_error();
    return data;
  }
  template <class T> T *get_data() const { return reinterpret_cast<T *>(get_data()); }
  /// The address of the element `offset` elements after that one.
  char *get_data(Py_ssize_t offset) const { return get_data() + offset * get_elemsize(); }

  int get_ndim() const { return interface().get_ndim(array()); }
  const Py_ssize_t *get_shape_raw() const { return interface().get_shape(array()); }
  std::vector<Py_ssize_t> get_shape_vector() const { return {get_shape_raw(), get_shape_raw() + get_ndim()}; }
  Py_ssize_t get_shape(int axis) const { return get_shape_raw()[axis]; }
  /// Null for row-major arrays.
  const Py_ssize_t *get_strides_raw() const { return interface().get_strides(array()); }
  /// Strides in elements.
  std::vector<Py_ssize_t> get_strides_vector() const {
    if (const Py_ssize_t *strides = get_strides_raw()) return {strides, strides + get_ndim()};
    std::vector<Py_ssize_t> strides(static_cast<std::size_t>(get_ndim()), 1);
    for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * get_shape(static_cast<int>(i));
    return strides;
  }
  Py_ssize_t get_size() const {
    Py_ssize_t size = 1;
    for (int i = 0; i < get_ndim(); ++i) size *= get_shape(i);
    return size;
  }
  /// The smallest and the largest offset of an element from the first element.
  std::pair<Py_ssize_t, Py_ssize_t> get_minmax_offsets() const {
    const std::vector<Py_ssize_t> strides = get_strides_vector();
    std::pair<Py_ssize_t, Py_ssize_t> range{0, 0};
    for (std::size_t i = 0; i < strides.size() && get_size(); ++i) {
      const Py_ssize_t reach = (get_shape(static_cast<int>(i)) - 1) * strides[i];
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
  Py_ssize_t get_offset() const { return interface().get_offset(array()); }

  /// Whether a shared pointer owns the memory, so that tasks can keep it alive without Python.
  bool is_managed_by_smart_ptr() const { return static_cast<bool>(owner()); }
  std::shared_ptr<void> get_smart_ptr_owner() const {
    if (std::shared_ptr<void> kept = owner()) return kept;
    throw std::runtime_error("usm_ndarray: the memory is owned by a Python object, not by a shared pointer");
  }

protected:
  /// The array's memory, a new reference.
  PyObject *memory() const {
    PyObject *const made = interface().get_usm_data(array());
    if (!made) throw_python_error();
    return made;
  }
  static bool is_array(PyObject *o) { return PyObject_TypeCheck(o, interface().array_type); }

private:
  PyUSMArrayObject *array() const {
    return reinterpret_cast<PyUSMArrayObject *>(static_cast<const Array *>(this)->ptr());
  }
  std::shared_ptr<void> owner() const {
    PyObject *const m = memory();
    const std::shared_ptr<void> kept =
        *static_cast<const std::shared_ptr<void> *>(Memory_GetOpaquePointer(reinterpret_cast<Py_MemoryObject *>(m)));
    Py_DECREF(m);
    return kept;
  }
};

}  // namespace dpctl::tensor::detail
