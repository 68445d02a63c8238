// The types LocalAccessor, WorkGroupMemory and RawKernelArg: arguments of kernels that no other Python object stands
// for.
#include "programs.hpp"

#include <cstring>

#include "../host_bytes.hpp"

namespace dpep::python {
namespace {

/// The size of an element that NumPy names 'i4', 'f8', …; 0 for other names.
std::size_t element_size(std::string_view name) {
  if (name.size() == 3 && (name[0] == '<' || name[0] == '|' || name[0] == '=')) name.remove_prefix(1);
  if (name.size() != 2) return 0;
  const std::size_t size = static_cast<std::size_t>(name[1] - '0');
  const bool whole = size == 1 || size == 2 || size == 4 || size == 8;
  if ((name[0] == 'i' || name[0] == 'u') && whole) return size;
  return name[0] == 'f' && (size == 4 || size == 8) ? size : 0;
}

/// The name in a string, or in NumPy's dtype.
std::string name_of(nb::handle dtype) {
  if (PyUnicode_Check(dtype.ptr())) return text_of(dtype);
  const nb::object text = nb::getattr(dtype, "str", nb::none());
  return PyUnicode_Check(text.ptr()) ? text_of(text) : std::string();
}

void construct_accessor(local_accessor *self, nb::handle dtype, nb::handle shape) {
  if (!PyList_Check(shape.ptr()) && !PyTuple_Check(shape.ptr()))
    throw type_error("LocalAccessor: `shape` must be a list or tuple, got " + type_of(shape));
  const auto extents = nb::borrow<nb::sequence>(shape);
  if (const std::size_t n = nb::len(extents); n < 1 || n > 3)
    throw value_error("LocalAccessor: expected one to three dimensions, got " + std::to_string(n));
  std::size_t bytes = element_size(name_of(dtype));
  if (bytes == 0)
    throw value_error("LocalAccessor: expected 'i1' to 'i8', 'u1' to 'u8', 'f4' or 'f8', got " +
                      text_of(nb::repr(dtype)));
  std::vector<std::size_t> counts;
  for (nb::handle extent : extents) {
    if (!PyIndex_Check(extent.ptr()))
      throw type_error("LocalAccessor: `shape` must have integers, got " + type_of(extent));
    const Py_ssize_t n = PyNumber_AsSsize_t(extent.ptr(), PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) throw nb::python_error();
    if (n < 0) throw value_error("LocalAccessor: dimensions must not be negative, got " + std::to_string(n));
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(n), &bytes))
      throw value_error("LocalAccessor: the size in bytes does not fit 64 bits");
    counts.push_back(static_cast<std::size_t>(n));
  }
  new (self) local_accessor{{bytes, std::move(counts)}};
}

std::size_t count_from(nb::handle number, const char *what) {
  if (!PyIndex_Check(number.ptr()))
    throw type_error(std::string("WorkGroupMemory: ") + what + " must be an int, got " + type_of(number));
  const Py_ssize_t n = PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError);
  if (n == -1 && PyErr_Occurred()) throw nb::python_error();
  if (n >= 0) return static_cast<std::size_t>(n);
  PyErr_SetString(PyExc_OverflowError, (std::string("WorkGroupMemory: ") + what + " must not be negative").c_str());
  throw nb::python_error();
}

void construct_memory(work_group_memory *self, nb::args arguments) {
  if (arguments.size() < 1 || arguments.size() > 2)
    throw type_error("WorkGroupMemory takes a number of bytes, or a type and a number of elements, got " +
                     std::to_string(arguments.size()) + " arguments");
  if (arguments.size() == 1) {
    new (self) work_group_memory{{count_from(arguments[0], "the number of bytes")}};
    return;
  }
  std::size_t bytes = element_size(name_of(arguments[0]));
  if (bytes == 0)
    throw type_error("WorkGroupMemory: expected 'i1' to 'i8', 'u1' to 'u8', 'f4' or 'f8', got " +
                     text_of(nb::repr(arguments[0])));
  if (__builtin_mul_overflow(bytes, count_from(arguments[1], "the number of elements"), &bytes))
    throw value_error("WorkGroupMemory: the size in bytes does not fit 64 bits");
  new (self) work_group_memory{{bytes}};
}

void construct_raw(raw_kernel_argument *self, nb::args arguments) {
  if (arguments.size() == 1) {
    if (!PyObject_CheckBuffer(nb::handle(arguments[0]).ptr()))
      throw type_error("RawKernelArg: expected an object with the buffer protocol, got " + type_of(arguments[0]));
    const host_bytes bytes(arguments[0], false);
    const auto *const first = static_cast<const std::byte *>(bytes.data());
    new (self) raw_kernel_argument{{first, first + bytes.size()}};
  } else if (arguments.size() == 2) {
    if (!PyIndex_Check(nb::handle(arguments[0]).ptr()) || !PyIndex_Check(nb::handle(arguments[1]).ptr()))
      throw type_error("RawKernelArg: expected a number of bytes and an address, got " + type_of(arguments[0]) +
                       " and " + type_of(arguments[1]));
    const auto size = nb::cast<std::size_t>(arguments[0]);
    const auto *const first = reinterpret_cast<const std::byte *>(nb::cast<std::uintptr_t>(arguments[1]));
    if (!first && size) throw value_error("RawKernelArg: the address is 0");
    new (self) raw_kernel_argument{{first, first + size}};
  } else {
    throw type_error("RawKernelArg takes a buffer, or a number of bytes and an address, got " +
                     std::to_string(arguments.size()) + " arguments");
  }
}

}  // namespace

void bind_kernel_arguments(nb::module_ &m) {
  nb::class_<local_accessor>(m, "LocalAccessor",
                             "Local memory of a work-group, as the argument of a kernel.\n\n"
                             "Parameters\n----------\n"
                             "dtype : str\n    'i1' to 'i8', 'u1' to 'u8', 'f4' or 'f8'.\n"
                             "shape : tuple or list of int\n    One to three extents.\n\n"
                             "Raises\n------\n"
                             "TypeError\n    When the shape is not a list or tuple of integers.\n"
                             "ValueError\n    For another type, other numbers of extents, and negative ones.\n\n"
                             "Examples\n--------\n"
                             ">>> import dpctl\n"
                             ">>> tile = dpctl.LocalAccessor('f4', (16, 16))")
      .def("__init__", construct_accessor, "dtype"_a, nb::arg("shape").none(),
           nb::sig("def __init__(self, dtype: object, shape: object) -> None"));
  nb::class_<work_group_memory>(m, "WorkGroupMemory",
                                "Local memory of a work-group, as the argument of a kernel.\n\n"
                                "Parameters\n----------\n"
                                "*args\n"
                                "    A number of bytes, or a type ('i1' to 'i8', 'u1' to 'u8', 'f4', 'f8') and a\n"
                                "    number of elements.\n\n"
                                "Raises\n------\nTypeError\n    For other arguments.\n\n"
                                "Examples\n--------\n"
                                ">>> import dpctl\n"
                                ">>> memory = dpctl.WorkGroupMemory('f4', 256)")
      .def("__init__", construct_memory, "args"_a, nb::sig("def __init__(self, *args: object) -> None"))
      .def_static("is_available", [] { return true; }, "Whether kernels can have such arguments.");
  nb::class_<raw_kernel_argument>(m, "RawKernelArg",
                                  "Bytes as the argument of a kernel, for structures and vectors. They are copied.\n\n"
                                  "Parameters\n----------\n"
                                  "*args\n"
                                  "    An object with the buffer protocol, or a number of bytes and their address.\n\n"
                                  "Raises\n------\nTypeError\n    For other arguments.\n\n"
                                  "Examples\n--------\n"
                                  ">>> import dpctl, struct\n"
                                  ">>> parameters = dpctl.RawKernelArg(struct.pack('if', 3, 0.5))")
      .def("__init__", construct_raw, "args"_a, nb::sig("def __init__(self, *args: object) -> None"))
      .def_static("is_available", [] { return true; }, "Whether kernels can have such arguments.");
}

}  // namespace dpep::python
