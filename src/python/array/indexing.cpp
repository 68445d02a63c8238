// Indexing: x[i, a:b, ...] as a view, and assignment to it.
#include <algorithm>
#include <limits>

#include <dpep/array_indexing.hpp>
#include <dpep/array_single_elements.hpp>

#include "array_slots.hpp"
#include "functions.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

using kind = array::index::kind;

/// The parts of a basic index: an integer or a slice indexes one axis, None and `...` index none.
class index_parts {
public:
  index_parts(array::extents shape, PyObject *key, package whose) : shape_(shape), whose_(whose) {
    if (PyTuple_Check(key)) {
      const Py_ssize_t n = PyTuple_GET_SIZE(key);
      for (Py_ssize_t i = 0; i < n; ++i) add(PyTuple_GET_ITEM(key, i), key, i);
    } else {
      add(key, nullptr, 0);
    }
  }
  operator std::span<const array::index>() const noexcept { return {parts_, count_}; }
  /// Whether the parts are an integer for each axis, so that they select one element.
  bool select_element() const noexcept {
    return count_ == shape_.size() && std::ranges::all_of(std::span(parts_, count_), [](const array::index &part) {
             return part.what == kind::integer;
           });
  }
  /// Whether a part is a bool, which in NumPy selects as a mask does: the result is a copy.
  bool has_flags() const noexcept {
    return std::ranges::any_of(std::span(parts_, count_),
                               [](const array::index &part) { return part.what == kind::flag; });
  }
  /// Whether a part is an array, so that the parts are incomplete.
  bool has_arrays() const noexcept { return has_arrays_; }

  /// Whether a part is a bool, which may be a 0-d array.
  static bool is_flag(PyObject *part) {
    if (is_array(part)) return array_of(part).dimensions() == 0 && array_of(part).type() == dtype::boolean;
    return PyBool_Check(part) || type_of_numpy_scalar(part) == dtype::boolean;
  }
  /// Whether a part that is not an array of indices indexes an axis.
  static bool is_axis_indexed(PyObject *part) { return part != Py_None && part != Py_Ellipsis && !is_flag(part); }

  /// Whether an array selects elements. 0-d arrays are integers or bools. dpnp accepts lists and ranges,
  /// too, as NumPy does.
  static bool is_array_of_indices(PyObject *part, package whose) {
    if (is_array(part)) return array_of(part).dimensions() != 0;
    if (whose == package::dpnp && (PyList_Check(part) || Py_TYPE(part) == &PyRange_Type)) return true;
    if (!PyObject_CheckBuffer(part) || PyBytes_Check(part)) return false;
    const nb::object dimensions = nb::getattr(part, "ndim", nb::int_(0));
    return !dimensions.equal(nb::int_(0));
  }

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
    } else if (is_flag(part)) {
      const int value = PyObject_IsTrue(part);
      if (value < 0) throw nb::python_error();
      push({kind::flag, 0, value});
    } else if (is_array_of_indices(part, whose_)) {
      has_arrays_ = true;
    } else if (PyIndex_Check(part)) {
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

  static std::size_t axes_indexed(PyObject *tuple, Py_ssize_t from) {
    std::size_t count = 0;
    for (Py_ssize_t i = from; tuple && i < PyTuple_GET_SIZE(tuple); ++i) {
      PyObject *part = PyTuple_GET_ITEM(tuple, i);
      count += is_axis_indexed(part);
    }
    return count;
  }

  [[noreturn]] static void refuse(PyObject *part) {
    throw nb::index_error(
        ("index: expected an integer, a slice, '...', None or an array of integers or bools, got " + type_of(part))
            .c_str());
  }

  array::extents shape_;
  package whose_;
  bool has_arrays_ = false;
  std::size_t axis_ = 0, count_ = 0;
  union {  // not initialised, which would take longer than the rest: most indices have one or two parts
    array::index parts_[2 * max_dimensions];
  };
};

/// Whether the index is one array. The most frequent other indices are recognised first.
bool is_one_array(PyObject *key) {
  return !PyLong_CheckExact(key) && !PySlice_Check(key) && !PyTuple_CheckExact(key) && is_array(key);
}

/// Whether elements of `of` are selected along its first axis by one array of integers.
bool selects_rows(const ndarray &of, const ndarray &indices) {
  const dtype_kind kind = kind_of(indices.type());
  return of.dimensions() > 0 && indices.dimensions() > 0 &&
         (kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer);
}

/// The array of indices that a part is, on the queue of the indexed array.
ndarray indices_from(const ndarray &of, PyObject *part) {
  conversion to;
  if (!is_array(part)) to.queue = of.get_queue();
  if ((PyList_Check(part) || Py_TYPE(part) == &PyRange_Type) && PyObject_Size(part) == 0) to.type = dtype::int64;
  ndarray indices = array_from(part, to);
  const dtype_kind kind = kind_of(indices.type());
  if (kind == dtype_kind::real || kind == dtype_kind::complex)
    throw nb::index_error(
        ("index: arrays used as indices must be of integers or bools, got " + std::string(name_of(indices.type())))
            .c_str());
  return indices;
}

/// The number of axes that an array indexes: a mask has an axis for each.
std::size_t axes_of(const ndarray &indices) {
  return kind_of(indices.type()) == dtype_kind::boolean ? indices.shape().size() : 1;
}

/// The integers of an index that selects one element: an int, or a tuple of ints, for each axis. Ints are Python's,
/// NumPy's, and elements of arrays.
class element_index {
public:
  explicit element_index(PyObject *key) noexcept {
    if (!PyTuple_CheckExact(key)) {
      if (PySlice_Check(key))
        valid_ = false;
      else
        add(key);
    } else {
      const Py_ssize_t n = PyTuple_GET_SIZE(key);
      if (n <= Py_ssize_t(most_))
        for (Py_ssize_t i = 0; i < n && valid_; ++i) add(PyTuple_GET_ITEM(key, i));
      valid_ &= n <= Py_ssize_t(most_);
    }
  }
  /// Whether there are integers, of 64 bits.
  explicit operator bool() const noexcept { return valid_ && count_ > 0; }
  operator std::span<const std::int64_t>() const noexcept { return {integers_, count_}; }

private:
  void add(PyObject *x) noexcept {
    int overflow = 0;
    if (PyLong_CheckExact(x)) {
      integers_[count_++] = PyLong_AsLongLongAndOverflow(x, &overflow);
      valid_ &= !overflow;
    } else {
      valid_ &= add_element(x) || add_numpy_scalar(x);
    }
  }
  bool add_element(PyObject *x) noexcept {
    const element_value *const value = is_array(x) ? value_of(x) : nullptr;
    if (!value || !is_integer(value->type)) return false;
    integers_[count_++] = array::number_in(value->bytes, value->type).integer;
    return true;
  }
  bool add_numpy_scalar(PyObject *x) noexcept {
    const auto type = type_of_numpy_scalar(x);
    if (!type || !is_integer(*type)) return false;
    const Py_ssize_t i = PyNumber_AsSsize_t(x, PyExc_IndexError);
    const bool failed = i == -1 && PyErr_Occurred();
    if (failed) PyErr_Clear();
    integers_[count_++] = i;
    return !failed;
  }
  static bool is_integer(dtype type) noexcept {
    return kind_of(type) == dtype_kind::signed_integer ||
           (kind_of(type) == dtype_kind::unsigned_integer && type != dtype::uint64);
  }
  static constexpr std::size_t most_ = 4;
  std::int64_t integers_[most_];
  std::size_t count_ = 0;
  bool valid_ = true;
};

PyObject *get_item(PyObject *self, PyObject *key) noexcept {
  return guarded([&] {
    const ndarray &a = array_of(self);
    const package whose = package_of(self);
    if (whose == package::dpnp)
      if (const element_index i(key); i) {
        PyObject *const made = read_value(a, i);
        if (made || PyErr_Occurred()) return made;
      }
    if (is_one_array(key)) {
      const ndarray &indices = array_of(key);
      if (indices.type() == dtype::boolean && indices.dimensions() > 0)
        return wrap(array::extract_elements(a, indices), whose);
      if (selects_rows(a, indices))
        return wrap(computing(indices.size(), [&] { return array::take_elements(a, {&indices, 1}, 0); }), whose);
    }
    const index_parts parts(a.shape(), key, whose);
    if (!parts.has_arrays()) {
      ndarray part = array::view(a, parts);
      // in dpnp as in NumPy an element of its own, so that x[i], x[j] = x[j], x[i] exchanges elements
      if (whose == package::dpnp && parts.select_element()) return wrap_element(array::copy(part));
      if (whose == package::dpnp && parts.has_flags()) part = array::copy(part);
      return wrap(std::move(part), whose);
    }
    const std::vector<array::index_part> all = index_parts_of(a, key, whose);
    std::int64_t most = a.size();
    for (const array::index_part &p : all)
      if (const auto *indices = std::get_if<ndarray>(&p)) most = std::max(most, indices->size());
    return wrap(computing(most, [&] { return array::get_items(a, all); }), whose);
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

/// None, which NumPy converts to NaN, for a real or complex array; else TypeError.
void assign_none(const ndarray &to) {
  const dtype_kind kind = kind_of(to.type());
  if (kind != dtype_kind::real && kind != dtype_kind::complex)
    throw type_error("assignment: None is NaN in arrays of floating-point numbers, but the array is of dtype " +
                     std::string(name_of(to.type())));
  array::assign(to, array::scalar::of(std::numeric_limits<double>::quiet_NaN()));
}

void assign_any(const ndarray &to, PyObject *value) {
  if (value == Py_None) return assign_none(to);
  if (is_array(value)) return array::assign(to, array_of(value));
  if (is_numpy_array(value)) return assign_host(to, host_array(value, false));
  if (const auto n = number_from(value, to.type())) return array::assign(to, n->value);
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

/// The values of an assignment, on the queue of the array.
ndarray values_for(const ndarray &to, PyObject *value) {
  if (is_array(value)) {
    const ndarray &values = array_of(value);
    if (values.get_queue() == to.get_queue()) return values;
    return array::to_placement(values, {to.get_queue(), to.memory_kind()}, true);
  }
  if (const auto number = number_from(value, to.type())) {
    check_writable(to);
    ndarray values = array::empty({}, to.type(), {to.get_queue(), to.memory_kind()});
    array::assign(values, number->value);
    return values;
  }
  conversion options;
  options.queue = to.get_queue();
  return array_from(value, options);
}

/// Assigns a value to a view of the elements that an index selects.
int set_part(PyObject *self, const ndarray &part, PyObject *value) {
  if (PyComplex_Check(value) && part.dimensions() > 0 && package_of(self) == package::dpctl &&
      loses_imaginary_part(dtype::complex128, part.type())) [[unlikely]] {
    // dpctl accepts one complex number for a slice of an array of any dtype. NumPy, and therefore dpnp, refuses it.
    warn_of_lost_imaginary_part("assignment", dtype::complex128, part.type());
    array::assign(part, array::scalar::of(PyComplex_RealAsDouble(value)));
    return 0;
  }
  assign_any(part, value);
  return 0;
}

int set_item(PyObject *self, PyObject *key, PyObject *value) noexcept {
  return guarded([&] {
    if (!value) throw nb::type_error("index: elements of an array cannot be deleted");
    const ndarray &a = array_of(self);
    if (const element_index i(key); i && write_value(a, i, value)) return 0;
    if (is_one_array(key)) {
      const ndarray &indices = array_of(key);
      if (indices.type() == dtype::boolean) {
        array::place_elements(a, indices, 0, values_for(a, value));
        return 0;
      }
      if (selects_rows(a, indices)) {
        array::put_elements(a, {&indices, 1}, 0, values_for(a, value));
        return 0;
      }
    }
    if (key == Py_Ellipsis) {
      check_writable(a);
      return set_part(self, a, value);
    }
    const index_parts parts(a.shape(), key, package_of(self));
    if (parts.has_arrays()) {
      array::set_items(a, index_parts_of(a, key, package_of(self)), values_for(a, value));
      return 0;
    }
    if (package_of(self) == package::dpnp && parts.select_element() && (PyList_Check(value) || PyTuple_Check(value)))
      throw value_error("assignment: an element of an array cannot be set to a sequence, got " + type_of(value));
    const ndarray part = array::view(a, parts);
    check_writable(a);
    return set_part(self, part, value);
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
    if (package_of(self) == package::dpnp && a.dimensions() == 1) {
      const std::int64_t at = i;
      PyObject *const made = read_value(a, {&at, 1});
      if (made || PyErr_Occurred()) return made;
    }
    const array::index row{kind::integer, i};
    ndarray part = array::view(a, {&row, 1});
    if (package_of(self) == package::dpnp && a.dimensions() == 1) return wrap_element(array::copy(part));
    return wrap(std::move(part), package_of(self));
  });
}

PyType_Slot slots[] = {
    {Py_mp_subscript, slot(get_item)}, {Py_mp_ass_subscript, slot(set_item)}, {Py_mp_length, slot(length)},
    {Py_sq_length, slot(length)},      {Py_sq_item, slot(get_row)},
};

}  // namespace

std::vector<array::index_part> index_parts_of(const ndarray &a, PyObject *key, package whose) {
  const nb::object parts = PyTuple_Check(key) ? nb::borrow(key) : nb::object(nb::make_tuple(nb::handle(key)));
  const Py_ssize_t n = PyTuple_GET_SIZE(parts.ptr());
  std::vector<array::index_part> found;
  std::size_t axis = 0, used = 0;
  const auto at = [&](Py_ssize_t i) { return PyTuple_GET_ITEM(parts.ptr(), i); };
  std::vector<ndarray> arrays(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    ndarray &indices = arrays[static_cast<std::size_t>(i)];
    if (index_parts::is_array_of_indices(at(i), whose)) indices = indices_from(a, at(i));
    used += indices ? axes_of(indices) : index_parts::is_axis_indexed(at(i));
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (const ndarray &indices = arrays[static_cast<std::size_t>(i)]) {
      found.emplace_back(indices);
      axis += axes_of(indices);
      continue;
    }
    const array::extents rest = a.shape().subspan(std::min(axis, a.shape().size()));
    const index_parts one(rest, at(i), whose);
    const std::span<const array::index> basic = one;
    found.emplace_back(basic[0]);
    if (basic[0].what == kind::ellipsis)
      axis += a.shape().size() - std::min(a.shape().size(), used);
    else
      axis += basic[0].what != kind::new_axis && basic[0].what != kind::flag;
  }
  return found;
}

std::span<const PyType_Slot> index_slots() noexcept { return slots; }

}  // namespace dpep::python
