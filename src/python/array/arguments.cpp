// Arguments of array functions: shapes, axes, memory orders, devices and queues.
#include "array_slots.hpp"

#include "../usm_memory.hpp"

namespace dpep::python {
namespace {

std::string named(const char *function, const char *argument) { return std::string(function) + ": " + argument; }

std::int64_t integer(PyObject *x) {
  const nb::object index = nb::steal(PyNumber_Index(x));
  if (!index.is_valid()) throw nb::python_error();
  const std::int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

}  // namespace

const ndarray &array_argument(nb::handle x, const char *function, const char *argument) {
  if (is_array(x.ptr())) return array_of(x.ptr());
  throw type_error(named(function, argument) + " must be a usm_ndarray, got " + type_of(x));
}

const ndarray *optional_array(nb::handle x, const char *function, const char *argument) {
  return x.is_none() ? nullptr : &array_argument(x, function, argument);
}

void extents_argument::push_back(std::int64_t value) {
  if (size_ == std::size(values_))
    throw value_error("arrays have at most " + std::to_string(max_dimensions) + " dimensions");
  values_[size_++] = value;
}

bool is_one_integer(nb::handle x) {
  if (!PyIndex_Check(x.ptr())) return false;
  if (is_array(x.ptr())) return array_of(x.ptr()).dimensions() == 0;
  // Arrays of NumPy and other packages have __index__, whatever their shape is.
  if (!PySequence_Check(x.ptr()) || !nb::hasattr(x, "ndim")) return true;
  return nb::cast<int>(x.attr("ndim")) == 0;
}

extents_argument integers_from(nb::handle x, const char *function, const char *argument) {
  extents_argument list;
  if (is_one_integer(x)) {
    list.push_back(integer(x.ptr()));
    return list;
  }
  if (!PySequence_Check(x.ptr()) || PyUnicode_Check(x.ptr()) || PyBytes_Check(x.ptr()))
    throw type_error(named(function, argument) + " must be an int or a sequence of ints, got " + type_of(x));
  const nb::object items = nb::steal(PySequence_Fast(x.ptr(), "expected a sequence"));
  if (!items.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    PyObject *item = PySequence_Fast_GET_ITEM(items.ptr(), i);
    if (!PyIndex_Check(item))
      throw type_error(named(function, argument) + " must have ints only, got " + type_of(item));
    list.push_back(integer(item));
  }
  return list;
}

extents_argument shape_from(nb::handle x, const char *function, const char *argument) {
  const extents_argument shape = integers_from(x, function, argument);
  for (std::int64_t n : array::extents(shape))
    if (n < 0) throw value_error(named(function, argument) + " must not be negative, got " + std::to_string(n));
  return shape;
}

std::string text_of_shape(array::extents shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

int axis_from(nb::handle x, int dimensions, const char *function) {
  if (!PyIndex_Check(x.ptr())) throw type_error(named(function, "axis") + " must be an int, got " + type_of(x));
  return array::normalized_axis(integer(x.ptr()), dimensions, function);
}

std::optional<int> optional_axis_from(nb::handle x, int dimensions, const char *function) {
  if (x.is_none()) return {};
  return axis_from(x, dimensions, function);
}

std::optional<std::vector<int>> axes_from(nb::handle x, int dimensions, const char *function) {
  if (x.is_none()) return {};
  std::vector<int> axes;
  if (PyIndex_Check(x.ptr())) {
    axes.push_back(axis_from(x, dimensions, function));
    return axes;
  }
  if (!PySequence_Check(x.ptr()) || PyUnicode_Check(x.ptr()) || PyBytes_Check(x.ptr()) || is_array(x.ptr()))
    throw type_error(named(function, "axis") + " must be an int, a tuple of ints or None, got " + type_of(x));
  for (nb::handle item : nb::borrow<nb::sequence>(x)) axes.push_back(axis_from(item, dimensions, function));
  return array::normalized_axes(axes, dimensions, function);
}

array::index_mode index_mode_from(nb::handle x, const char *function) {
  if (PyUnicode_Check(x.ptr())) {
    const std::string name = text_of(x);
    if (name == "wrap") return array::index_mode::wrap;
    if (name == "clip") return array::index_mode::clip;
  }
  throw value_error(named(function, "mode") + " must be 'wrap' or 'clip', got " + text_of(nb::repr(x)));
}

array::order order_from(nb::handle x, const char *function) {
  if (!PyUnicode_Check(x.ptr())) throw type_error(named(function, "order") + " must be a str, got " + type_of(x));
  const Py_UCS4 letter = PyUnicode_GET_LENGTH(x.ptr()) ? PyUnicode_READ_CHAR(x.ptr(), 0) : 0;
  switch (letter) {
  case 'C':
  case 'c':
    return array::order::row_major;
  case 'F':
  case 'f':
    return array::order::column_major;
  case 'A':
  case 'a':
    return array::order::any;
  case 'K':
  case 'k':
    return array::order::keep;
  default:
    throw value_error(named(function, "order") + " must be 'C', 'F', 'A' or 'K', got " + text_of(nb::repr(x)));
  }
}

array::order contiguous_order_from(nb::handle x, const char *function) {
  const array::order o = order_from(x, function);
  if (o == array::order::row_major || o == array::order::column_major) return o;
  throw value_error(named(function, "order") + " must be 'C' or 'F', got " + text_of(nb::repr(x)));
}

array::casting casting_from(nb::handle x) {
  constexpr std::string_view names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  if (!PyUnicode_Check(x.ptr())) throw type_error("casting must be a str, got " + type_of(x));
  const std::string name = text_of(x);
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<array::casting>(i);
  throw value_error("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', got '" + name + "'");
}

usm_kind usm_kind_from(nb::handle x) {
  if (!PyUnicode_Check(x.ptr())) throw type_error("usm_type must be a str, got " + type_of(x));
  return usm_kind_from(text_of(x));
}

void warn_of_lost_imaginary_part(const char *function, dtype from, dtype to) {
  if (!loses_imaginary_part(from, to)) [[likely]]
    return;
  const std::string text = std::string(function) + ": casting " + std::string(name_of(from)) + " to " +
                           std::string(name_of(to)) + " discards the imaginary parts";
  const nb::object category = nb::module_::import_("numpy.exceptions").attr("ComplexWarning");
  if (PyErr_WarnEx(category.ptr(), text.c_str(), 1)) throw nb::python_error();
}

array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue) {
  return {queue_from(device, sycl_queue), usm_type.is_none() ? usm_kind::device : usm_kind_from(usm_type)};
}

array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue, const ndarray &like) {
  return {device.is_none() && sycl_queue.is_none() ? like.get_queue() : queue_from(device, sycl_queue),
          usm_type.is_none() ? like.memory_kind() : usm_kind_from(usm_type)};
}

}  // namespace dpep::python
