// Slots, attributes and methods of the Python array types, from which array_type.cpp builds the types.
#pragma once

#include <span>

#include "arrays.hpp"

namespace dpep::python {

template <class F> void *slot(F *function) noexcept { return reinterpret_cast<void *>(function); }

std::span<const PyType_Slot> operator_slots() noexcept;
std::span<const PyType_Slot> index_slots() noexcept;
std::span<const PyType_Slot> conversion_slots() noexcept;
PyGetSetDef *attributes() noexcept;
PyGetSetDef *dpnp_attributes() noexcept;  // only of dpnp.ndarray

/// The operators @ and @=. A new reference, or null with a Python error set. NotImplemented for other objects than
/// arrays.
PyObject *matrix_product(PyObject *, PyObject *) noexcept;
PyObject *matrix_product_in_place(PyObject *, PyObject *) noexcept;

/// An iterator over the elements of an array of dpnp with one axis. A new reference, or null with a Python error set.
PyObject *element_iterator(PyObject *) noexcept;
/// The type of these iterators.
void bind_element_iterator();

/// tp_new of usm_ndarray.
PyObject *construct_array(PyTypeObject *, PyObject *arguments, PyObject *keywords) noexcept;
/// A new object of an array type or a type derived from one.
PyObject *wrap_as(PyTypeObject *, ndarray) noexcept;

/// Whether the host can read the array's memory where it is.
bool is_host_accessible(const ndarray &);
/// As ndarray::expose; Ctrl-C interrupts the wait.
ndarray::memory_view exposed(const ndarray &);

/// The values of the attributes `device`, `flags`, `usm_data` and `__sycl_usm_array_interface__`.
nb::object device_of(const ndarray &);
nb::object flags_of(const ndarray &);
nb::object memory_of(const ndarray &);
nb::dict interface_of(const ndarray &);
/// The value of `__cuda_array_interface__`. AttributeError for arrays that are not on a CUDA device.
nb::dict cuda_interface_of(const ndarray &);
/// A view of the memory that an object's __cuda_array_interface__ describes.
ndarray array_on_cuda_interface(nb::handle);

void bind_device_class(nb::module_ &);
void bind_flags(nb::module_ &);
void bind_methods(PyTypeObject *);
void bind_numpy_conversion(PyTypeObject *);  // __array__
void bind_dlpack(nb::module_ &, PyTypeObject *);
void bind_conversions(nb::module_ &);  // asarray, from_numpy, asnumpy, …
void bind_array_c_interface(nb::module_ &);
void load_numpy();

}  // namespace dpep::python
