// NumPy's dtype objects and scalar types, as dtypes.
#pragma once

#include "arrays.hpp"

namespace dpep::python {

/// The dtype of a NumPy scalar; empty for other objects.
std::optional<dtype> type_of_numpy_scalar(PyObject *) noexcept;
/// NumPy's number of the dtype (NPY_BOOL 0, …), which C interfaces use.
int number_of(dtype) noexcept;
std::optional<dtype> dtype_from_number(int) noexcept;
/// The dtype of elements that the buffer protocol describes.
std::optional<dtype> dtype_from_format(const char *format, Py_ssize_t item_size) noexcept;
/// Whether the object is a NumPy array, and not of a derived type: those may have protocols of their own.
bool is_numpy_array(PyObject *) noexcept;
/// numpy, and functions of it that are called often.
nb::handle numpy();

}  // namespace dpep::python
