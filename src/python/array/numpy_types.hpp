// Mapping between dtypes and NumPy's dtype objects, scalar types, type numbers and buffer formats.
#pragma once

#include "arrays.hpp"

namespace dpep::python {

/// The dtype of a NumPy scalar; empty for other objects.
std::optional<dtype> type_of_numpy_scalar(PyObject *) noexcept;
/// NumPy's type number (NPY_BOOL = 0, …), used in C interfaces.
int number_of(dtype) noexcept;
std::optional<dtype> dtype_from_number(int) noexcept;
/// The dtype of a format of the buffer protocol; empty for formats that arrays do not support.
std::optional<dtype> dtype_from_format(const char *format, Py_ssize_t item_size) noexcept;
/// Whether the object is exactly a numpy.ndarray: derived types may have protocols of their own.
bool is_numpy_array(PyObject *) noexcept;
/// The module numpy.
nb::handle numpy();

}  // namespace dpep::python
