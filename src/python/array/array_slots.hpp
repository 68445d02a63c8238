// What the files of the Python array types give to array_type.cpp, which puts the types together.
#pragma once

#include <span>

#include "arrays.hpp"

namespace dpep::python {

template <class F> void *slot(F *function) noexcept { return reinterpret_cast<void *>(function); }

std::span<const PyType_Slot> operator_slots() noexcept;
std::span<const PyType_Slot> index_slots() noexcept;
std::span<const PyType_Slot> conversion_slots() noexcept;
PyGetSetDef *attributes() noexcept;
PyGetSetDef *dpnp_attributes() noexcept;  // of dpnp.ndarray alone

/// usm_ndarray's tp_new.
PyObject *construct_array(PyTypeObject *, PyObject *arguments, PyObject *keywords) noexcept;
/// A new object of a type of arrays, or of one derived from it.
PyObject *wrap_as(PyTypeObject *, ndarray) noexcept;

/// a.expose(), whose waiting can be interrupted.
ndarray::memory_view exposed(const ndarray &);

/// The objects behind the attributes `device`, `flags`, `usm_data`; and the methods.
nb::object device_of(const ndarray &);
nb::object flags_of(const ndarray &);
nb::object memory_of(const ndarray &);
nb::dict interface_of(const ndarray &);
/// __cuda_array_interface__, ours and others'. AttributeError for arrays that are on none of CUDA's devices.
nb::dict cuda_interface_of(const ndarray &);
ndarray array_on_cuda_interface(nb::handle);

void bind_device_class(nb::module_ &);
void bind_flags(nb::module_ &);
void bind_methods(PyTypeObject *);
void bind_dlpack(nb::module_ &, PyTypeObject *);
void bind_conversions(nb::module_ &);  // asarray, from_numpy, asnumpy, …
void bind_array_c_interface(nb::module_ &);
void load_numpy();

}  // namespace dpep::python
