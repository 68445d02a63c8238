// Indexing: x[i, a:b, ...] as a view, and assignment to it.
#include <algorithm>

#include <dpep/array_indexing.hpp>

#include "array_slots.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

using kind = array::index::kind;

/// The parts of a basic index: an integer or a slice indexes one axis, None and `...` index none.
class index_parts {
public:
  index_parts(const ndarray &of, PyObject *key) : shape_(of.shape()) {
    if (PyTuple_Check(key)) {
      const Py_ssize_t n = PyTuple_GET_SIZE(key);
      for (Py_ssize_t i = 0; i < n; ++i) add(PyTuple_GET_ITEM(key, i), key, i);
    } else {
      add(key, nullptr, 0);
    }
  }
  operator std::span<const array::index>() const noexcept { return {parts_, count_}; }

private:
  void push(const array::index &part) {
    if (count_ == std::size(parts_)) throw nb::index_error("index: too many parts");
    std::construct_at(&parts_[count_++], part);
  }

  void add(PyObject *part, PyObject *tuple, Py_ssize_t position) {
    if (PyLong_CheckExact(part)) {
      integer(part);
    } else if (PySlice_Check(part)) {
      slice(part);
    } else if (part == Py_Ellipsis) {
      push({kind::ellipsis});
      // the parts after it index the last axes
      axis_ = shape_.size() - std::min(shape_.size(), axes_indexed(tuple, position + 1));
    } else if (part == Py_None) {
      push({kind::new_axis});
    } else if (PyIndex_Check(part) && !PyBool_Check(part) && !is_array_of_indices(part)) {
      integer(part);
    } else {
      refuse(part);
    }
  }

  void integer(PyObject *part) {
    const Py_ssize_t i = PyNumber_AsSsize_t(part, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) throw nb::python_error();
    push({kind::integer, i});
    ++axis_;
  }

  void slice(PyObject *part) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(part, &start, &stop, &step)) throw nb::python_error();
    const std::int64_t length = axis_ < shape_.size() ? shape_[axis_] : 0;  // array::view refuses too many parts
    const Py_ssize_t count = PySlice_AdjustIndices(length, &start, &stop, step);
    push(count ? array::index{kind::slice, start, count, step} : array::index{kind::slice, 0, 0, 1});
    ++axis_;
  }

  static std::size_t axes_indexed(PyObject *tuple, Py_ssize_t from) noexcept {
    std::size_t count = 0;
    for (Py_ssize_t i = from; tuple && i < PyTuple_GET_SIZE(tuple); ++i) {
      PyObject *part = PyTuple_GET_ITEM(tuple, i);
      count += part != Py_None && part != Py_Ellipsis;
    }
    return count;
  }

  /// Whether an array selects elements. 0-d integer arrays are integers.
  static bool is_array_of_indices(PyObject *part) {
    if (is_array(part))
      return array_of(part).dimensions() != 0 || kind_of(array_of(part).type()) == dtype_kind::boolean;
    if (!PyObject_CheckBuffer(part)) return false;
    const nb::object dimensions = nb::getattr(part, "ndim", nb::int_(0));
    return !dimensions.equal(nb::int_(0));
  }

  [[noreturn]] static void refuse(PyObject *part) {
    if (PyBool_Check(part) || is_array(part) || PyList_Check(part) || PyObject_CheckBuffer(part))
      throw nb::index_error("index: indexing by arrays of integers is not available yet, except for one "
                            "array of bools; use integers, slices, '...' and None");
    throw nb::index_error(
        ("index: expected an integer, a slice, '...', None or an array of integers or bools, got " + type_of(part))
            .c_str());
  }

  array::extents shape_;
  std::size_t axis_ = 0, count_ = 0;
  union {  // not initialised, which would take longer than the rest: most indices have one or two parts
    array::index parts_[2 * max_dimensions];
  };
};

/// Whether the index is one mask: an array of bools.
bool is_mask(PyObject *key) { return is_array(key) && array_of(key).type() == dtype::boolean; }

PyObject *get_item(PyObject *self, PyObject *key) noexcept {
  return guarded([&] {
    const ndarray &a = array_of(self);
    if (is_mask(key)) [[unlikely]]
      return wrap(array::extract_elements(a, array_of(key)), package_of(self));
    return wrap(array::view(a, index_parts(a, key)), package_of(self));
  });
}

/// Broadcasts and copies host memory to an array.
void assign_host(const ndarray &to, const host_array &from) {
  array::check_keeps_imaginary_parts(from.type(), to.type(), "assignment");
  const array::host_view source = from.view();
  array::extents given = source.shape;
  while (given.size() > to.shape().size() && given.front() == 1) given = given.subspan(1);
  extents_argument strides;
  const std::size_t missing = to.shape().size() - std::min(given.size(), to.shape().size());
  bool fits = given.size() <= to.shape().size();
  for (std::size_t i = 0; fits && i < to.shape().size(); ++i) {
    if (i < missing) {
      strides.push_back(0);
      continue;
    }
    const std::int64_t length = given[i - missing];
    fits = length == to.shape()[i] || length == 1;
    const std::size_t dropped = source.shape.size() - given.size();
    strides.push_back(length == 1 ? 0 : source.strides[dropped + i - missing]);
  }
  if (!fits)
    throw value_error("assignment: an array of shape " + text_of_shape(source.shape) +
                      " cannot be broadcast to shape " + text_of_shape(to.shape()));
  const array::host_view spread{source.data, source.type, to.shape(), strides};
  wait_for_queue_of(to);
  if (to.size() * static_cast<std::int64_t>(size_of(to.type())) < (1 << 16)) return array::copy_from_host(to, spread);
  without_gil([&] { array::copy_from_host(to, spread); });
}

void assign_any(const ndarray &to, PyObject *value) {
  if (is_array(value)) {
    const ndarray &from = array_of(value);
    if (from.get_queue() == to.get_queue()) return array::assign(to, from);
    return array::assign(to, array::to_placement(from, {to.get_queue(), to.memory_kind()}));
  }
  if (is_numpy_array(value)) return assign_host(to, host_array(value, false));
  if (const auto n = number_from(value)) return array::assign(to, n->value);
  if (PyObject_HasAttrString(value, "__sycl_usm_array_interface__") || PyList_Check(value) || PyTuple_Check(value)) {
    conversion options;
    options.queue = to.get_queue();
    return array::assign(to, array_from(value, options));
  }
  if (!PyObject_CheckBuffer(value)) {
    const nb::object array = numpy().attr("asarray")(nb::handle(value));
    return assign_host(to, host_array(array, false));
  }
  assign_host(to, host_array(value, false));
}

void check_writable(const ndarray &a) {
  if (!a.writable()) throw nb::value_error("assignment: the array is read-only");
}

/// x[mask] = value for a number or an array. False for other indices and values.
[[gnu::noinline]] bool assign_where(const ndarray &to, PyObject *key, PyObject *value) {
  if (!is_mask(key)) return false;
  const ndarray &mask = array_of(key);
  ndarray values;
  if (is_array(value)) {
    values = array_of(value);
    if (values.get_queue() != to.get_queue()) values = array::to_placement(values, {to.get_queue(), to.memory_kind()});
  } else if (const auto number = number_from(value)) {
    check_writable(to);
    values = array::empty({}, to.type(), {to.get_queue(), to.memory_kind()});
    array::assign(values, number->value);
  } else {
    conversion options;
    options.queue = to.get_queue();
    values = array_from(value, options);
  }
  array::place_elements(to, mask, 0, values);
  return true;
}

int set_item(PyObject *self, PyObject *key, PyObject *value) noexcept {
  return guarded([&] {
    if (!value) throw nb::type_error("index: elements of an array cannot be deleted");
    const ndarray &a = array_of(self);
    const bool basic = PySlice_Check(key) || PyLong_CheckExact(key) || PyTuple_Check(key) || key == Py_Ellipsis;
    if (!basic && assign_where(a, key, value)) return 0;
    const ndarray part = key == Py_Ellipsis ? a : array::view(a, index_parts(a, key));
    check_writable(a);
    if (PyComplex_Check(value) && part.dimensions() > 0 && package_of(self) == package::dpctl &&
        loses_imaginary_part(dtype::complex128, a.type())) [[unlikely]] {
      // dpctl accepts one complex number for a slice of an array of any dtype. NumPy, and therefore dpnp, refuses it.
      warn_of_lost_imaginary_part("assignment", dtype::complex128, a.type());
      array::assign(part, array::scalar::of(PyComplex_RealAsDouble(value)));
      return 0;
    }
    assign_any(part, value);
    return 0;
  });
}

Py_ssize_t length(PyObject *self) noexcept {
  const ndarray &a = array_of(self);
  if (a.dimensions() > 0) return a.shape()[0];
  PyErr_SetString(PyExc_TypeError, "len() of a 0-d array");
  return -1;
}

/// x[i], which iteration calls.
PyObject *get_row(PyObject *self, Py_ssize_t i) noexcept {
  return guarded([&] {
    const ndarray &a = array_of(self);
    const array::index row{kind::integer, i};
    return wrap(array::view(a, {&row, 1}), package_of(self));
  });
}

PyType_Slot slots[] = {
    {Py_mp_subscript, slot(get_item)}, {Py_mp_ass_subscript, slot(set_item)}, {Py_mp_length, slot(length)},
    {Py_sq_length, slot(length)},      {Py_sq_item, slot(get_row)},
};

}  // namespace

std::span<const PyType_Slot> index_slots() noexcept { return slots; }

}  // namespace dpep::python
