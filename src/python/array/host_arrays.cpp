// Host memory: NumPy arrays and other objects with the buffer protocol, and copies of arrays to NumPy.
#include "array_slots.hpp"
#include "numpy_types.hpp"

#include <algorithm>

namespace dpep::python {
namespace {

constexpr std::int64_t short_copy = 1 << 16;  // bytes; releasing and taking the GIL takes about as long as such a copy

std::int64_t bytes_of(const ndarray &a) { return a.size() * static_cast<std::int64_t>(size_of(a.type())); }

}  // namespace

host_array::host_array(nb::handle object, bool writable) {
  if (PyObject_GetBuffer(object.ptr(), &view_, writable ? PyBUF_FULL : PyBUF_FULL_RO)) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError) || writable) throw nb::python_error();
    PyErr_Clear();  // NumPy's message for dates, objects and so on is about formats of the struct module
    throw type_error("arrays do not support the data type of this " + type_of(object));
  }
  const auto type = dtype_from_format(view_.format, view_.itemsize);
  const bool too_many = view_.ndim > max_dimensions;
  if (!type || too_many || view_.suboffsets) {
    const std::string format = view_.format ? view_.format : "B";
    PyBuffer_Release(&view_);
    throw type_error("arrays do not support elements of format '" + format + "'");
  }
  type_ = *type;
  std::int64_t step = view_.itemsize;
  for (int i = view_.ndim; i-- > 0;) {
    shape_[i] = view_.shape[i];
    strides_[i] = view_.strides ? view_.strides[i] : step;
    step *= shape_[i];
  }
}

array::host_view host_array::view() const noexcept {
  return {view_.buf, type_, shape(), {strides_, static_cast<std::size_t>(view_.ndim)}};
}

nb::object to_numpy(const ndarray &a) {
  // Axes by decreasing stride, so that the result has the memory order of the array.
  int order[max_dimensions], position[max_dimensions];
  const int n = a.dimensions();
  for (int i = 0; i < n; ++i) order[i] = i;
  std::sort(order, order + n, [&](int x, int y) {
    const std::int64_t by_x = std::abs(a.strides()[x]), by_y = std::abs(a.strides()[y]);
    return by_x != by_y ? by_x > by_y : x < y;
  });
  if (a.row_major())
    for (int i = 0; i < n; ++i) order[i] = i;
  for (int i = 0; i < n; ++i) position[order[i]] = i;

  const nb::object shape = nb::steal(PyTuple_New(n));
  for (int i = 0; i < n; ++i) PyTuple_SET_ITEM(shape.ptr(), i, PyLong_FromLongLong(a.shape()[order[i]]));
  nb::object result = numpy().attr("empty")(shape, nb::handle(numpy_dtype(a.type())));
  if (!std::is_sorted(order, order + n)) {
    nb::list axes;
    for (int i = 0; i < n; ++i) axes.append(position[i]);
    result = result.attr("transpose")(axes);
  }
  const host_array to(result, true);
  wait_for_queue_of(a);
  if (bytes_of(a) < short_copy)
    array::copy_to_host(a, to.view());
  else
    without_gil([&] { array::copy_to_host(a, to.view()); });
  return result;
}

}  // namespace dpep::python
