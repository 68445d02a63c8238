// The attributes of arrays.
#include "array_slots.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

PyObject *tuple_of(array::extents numbers) {
  PyObject *tuple = PyTuple_New(static_cast<Py_ssize_t>(numbers.size()));
  if (!tuple) return nullptr;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject *item = PyLong_FromLongLong(numbers[i]);
    if (!item) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), item);
  }
  return tuple;
}

/// A Python object for a view of the object's array, of the same package.
template <class F> PyObject *view_of_self(PyObject *self, F &&make) noexcept {
  return guarded([&] { return wrap(make(array_of(self)), package_of(self)); });
}

PyObject *shape(PyObject *self, void *) noexcept { return tuple_of(array_of(self).shape()); }
PyObject *strides(PyObject *self, void *) noexcept { return tuple_of(array_of(self).strides()); }

int set_shape(PyObject *self, PyObject *value, void *) noexcept {
  return guarded([&] {
    if (!value) throw nb::attribute_error("shape: the attribute cannot be deleted");
    static_cast<void>(array_of(self));
    ndarray &a = reinterpret_cast<python_array *>(self)->array;
    const extents_argument wanted = integers_from(value, "shape", "shape");
    if (!array::reshaped_strides(a, wanted, array::order::row_major))
      throw nb::attribute_error(
          "shape: incompatible shape for in-place modification: the strides would need a copy; use reshape");
    a = array::reshape(a, wanted, array::order::row_major, false);
    if (PyObject *same = reinterpret_cast<python_array *>(self)->as_dpctl)
      reinterpret_cast<python_array *>(same)->array = a;
    return 0;
  });
}

PyObject *ndim(PyObject *self, void *) noexcept { return PyLong_FromLong(array_of(self).dimensions()); }
PyObject *size(PyObject *self, void *) noexcept { return PyLong_FromLongLong(array_of(self).size()); }
PyObject *itemsize(PyObject *self, void *) noexcept { return PyLong_FromSize_t(size_of(array_of(self).type())); }
PyObject *nbytes(PyObject *self, void *) noexcept {
  const ndarray &a = array_of(self);
  return PyLong_FromLongLong(a.size() * static_cast<std::int64_t>(size_of(a.type())));
}
PyObject *type(PyObject *self, void *) noexcept {
  const element_value *const value = value_of(self);
  return Py_NewRef(numpy_dtype(value ? value->type : array_of(self).type()));
}
PyObject *usm_type(PyObject *self, void *) noexcept {
  return PyUnicode_InternFromString(name_of(array_of(self).memory_kind()));
}

PyObject *transposed(PyObject *self, void *) noexcept {
  return view_of_self(self, [](const ndarray &a) {
    if (a.dimensions() != 2)
      throw value_error("T: the array has " + std::to_string(a.dimensions()) +
                        " dimensions and must have 2; use mT for stacks of matrices, permute_dims for other axes");
    return array::permute(a, std::array{1, 0});
  });
}

PyObject *matrix_transposed(PyObject *self, void *) noexcept {
  return view_of_self(self, [](const ndarray &a) {
    const int n = a.dimensions();
    if (n < 2)
      throw value_error("mT: matrix transpose with ndim < 2 is undefined, and the array has ndim " + std::to_string(n));
    return array::matrix_transpose(a);
  });
}

bool is_complex(PyObject *self) noexcept { return kind_of(array_of(self).type()) == dtype_kind::complex; }

PyObject *real(PyObject *self, void *) noexcept {
  if (!is_complex(self)) return Py_NewRef(self);
  return view_of_self(self, [](const ndarray &a) { return array::real_part(a); });
}

PyObject *imaginary(PyObject *self, void *) noexcept {
  return view_of_self(self, [&](const ndarray &a) {
    if (is_complex(self)) return array::imaginary_part(a);
    const array::order like = a.column_major() && !a.row_major() ? array::order::column_major : array::order::row_major;
    return array::full(a.shape(), array::scalar::of(false), a.type(), {a.get_queue(), a.memory_kind()}, like);
  });
}

template <class T> PyObject *copy_to_python(const T &x) { return nb::cast(x, nb::rv_policy::copy).release().ptr(); }
PyObject *sycl_queue(PyObject *self, void *) noexcept {
  return guarded([&] {
    PyObject *&kept = reinterpret_cast<python_array *>(self)->sycl_queue;
    if (!kept) kept = copy_to_python(array_of(self).get_queue());
    return Py_NewRef(kept);
  });
}
PyObject *sycl_device(PyObject *self, void *) noexcept {
  return guarded([&] { return python_object_of(array_of(self).get_queue().get_device()).release().ptr(); });
}
PyObject *sycl_context(PyObject *self, void *) noexcept {
  return guarded([&] {
    const context &its = array_of(self).get_queue().get_context();
    if (nb::object known = python_object_of_default(its)) return known.release().ptr();
    return copy_to_python(its);
  });
}

template <nb::object (*function)(const ndarray &)> PyObject *object_of(PyObject *self, void *) noexcept {
  return guarded([&] { return function(array_of(self)).release().ptr(); });
}
PyObject *usm_interface(PyObject *self, void *) noexcept {
  return guarded([&] { return interface_of(array_of(self)).release().ptr(); });
}

PyObject *cuda_interface(PyObject *self, void *) noexcept {
  return guarded([&] { return cuda_interface_of(array_of(self)).release().ptr(); });
}

std::uintptr_t address_of_first(const ndarray &a) {
  const auto memory = exposed(a);
  return reinterpret_cast<std::uintptr_t>(memory.base) +
         static_cast<std::uintptr_t>(memory.offset * static_cast<std::int64_t>(size_of(a.type())));
}

PyObject *pointer(PyObject *self, void *) noexcept {
  return guarded([&] { return PyLong_FromUnsignedLongLong(address_of_first(array_of(self))); });
}
PyObject *element_offset(PyObject *self, void *) noexcept {
  return guarded([&] { return PyLong_FromLongLong(exposed(array_of(self)).offset); });
}

PyObject *byte_bounds(PyObject *self, void *) noexcept {
  return guarded([&] {
    const ndarray &a = array_of(self);
    const auto bytes = static_cast<std::int64_t>(size_of(a.type()));
    const std::uintptr_t first = address_of_first(a);
    std::int64_t low = 0, high = a.size() ? 1 : 0;
    for (std::size_t i = 0; a.size() && i < a.shape().size(); ++i) {
      const std::int64_t reach = (a.shape()[i] - 1) * a.strides()[i];
      (reach < 0 ? low : high) += reach;
    }
    return Py_BuildValue("KK", static_cast<unsigned long long>(first + static_cast<std::uintptr_t>(low * bytes)),
                         static_cast<unsigned long long>(first + static_cast<std::uintptr_t>(high * bytes)));
  });
}

PyGetSetDef list[] = {
    {"shape", shape, set_shape,
     "Length of each axis, a tuple of int.\n\n"
     "Assigning a shape of the same size changes the array in place; AttributeError when that would need a copy.\n\n"
     ">>> import dpctl.tensor as dpt\n"
     ">>> x = dpt.arange(6)\n"
     ">>> x.shape = (2, 3)\n"
     ">>> x.strides\n"
     "(3, 1)",
     nullptr},
    {"strides", strides, nullptr, "Stride of each axis in elements, a tuple of int.", nullptr},
    {"ndim", ndim, nullptr, "Number of axes.", nullptr},
    {"size", size, nullptr, "Number of elements.", nullptr},
    {"nbytes", nbytes, nullptr, "Size of all elements in bytes.", nullptr},
    {"itemsize", itemsize, nullptr, "Size of an element in bytes.", nullptr},
    {"dtype", type, nullptr, "Data type, a numpy.dtype.", nullptr},
    {"flags", object_of<flags_of>, nullptr, "Memory layout, and whether the array is writable: a `Flags` object.",
     nullptr},
    {"T", transposed, nullptr, "The transposed matrix, a view. ValueError unless the array has two dimensions.",
     nullptr},
    {"mT", matrix_transposed, nullptr, "A view with the last two axes swapped. ValueError for fewer dimensions.",
     nullptr},
    {"real", real, nullptr, "The real parts, a view; the array itself when it is not complex.", nullptr},
    {"imag", imaginary, nullptr, "The imaginary parts, a view; a new array of zeros when the array is not complex.",
     nullptr},
    {"device", object_of<device_of>, nullptr, "The device and queue of the array, a `dpctl.tensor.Device`.", nullptr},
    {"sycl_queue", sycl_queue, nullptr, "The queue on which operations with the array run.", nullptr},
    {"sycl_device", sycl_device, nullptr, "The device of the queue.", nullptr},
    {"sycl_context", sycl_context, nullptr, "The context of the queue.", nullptr},
    {"usm_type", usm_type, nullptr, "The kind of memory: 'device', 'shared' or 'host'.", nullptr},
    {"usm_data", object_of<memory_of>, nullptr,
     "The allocation that contains the array, an object of `dpctl.memory`; the same object for all views of an array.",
     nullptr},
    {"__sycl_usm_array_interface__", usm_interface, nullptr,
     "A dictionary through which other packages use the memory without a copy.", nullptr},
    {"__cuda_array_interface__", cuda_interface, nullptr,
     "A dictionary through which CUDA libraries use the memory without a copy, ordered after all work submitted to\n"
     "the array's queue so far. AttributeError unless the array is on a CUDA device.",
     nullptr},
    {"_pointer", pointer, nullptr, "Address of the element with all indices zero.", nullptr},
    {"_element_offset", element_offset, nullptr, "Position of the first element in `usm_data`, in elements.", nullptr},
    {"_byte_bounds", byte_bounds, nullptr,
     "Addresses of the first byte of the elements and of the byte after the last.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyGetSetDef *attributes() noexcept { return list; }

}  // namespace dpep::python
