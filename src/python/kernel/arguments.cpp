// Converts the arguments of a launch: their types to a key, their values to bytes.
#include "arguments.hpp"

#include <bit>
#include <cstring>

#include <dpep/kernel_arguments.hpp>

namespace dpep::python {
namespace {

using pykernel::type;
using pykernel::type_properties;

/// The qualified name of an object's type: "numpy.ndarray", "list".
std::string qualified_type_of(PyObject *x) {
  const nb::handle type(reinterpret_cast<PyObject *>(Py_TYPE(x)));
  const std::string module = text_of(nb::str(type.attr("__module__"))), name = text_of(nb::str(type.attr("__name__")));
  return module == "builtins" ? name : module + "." + name;
}

// Words of keys: a tag in the low byte, properties of the type above it.
enum tag : std::uint64_t {
  scalar_tag = 1,
  array_tag,
  local_tag,
  tuple_tag,
  none_tag,
  unset_tag,  // a variable of a loop without a value, which is passed as Ellipsis
  item_tag,
  nd_item_tag,
  reduction_tag,
  end_tag
};

std::uint64_t scalar_word(dtype t, bool weak) { return scalar_tag | std::uint64_t(t) << 8 | std::uint64_t(weak) << 16; }
/// The length of the last axis if it is part of the type, else 0.
int fixed_last_extent_of(const ndarray &a) {
  const std::span<const std::int64_t> shape = a.shape();
  return shape.size() > 1 && a.row_major() && shape.back() > 0 && shape.back() <= pykernel::max_fixed_last_extent
             ? static_cast<int>(shape.back())
             : 0;
}
/// Whether each row of a length that is part of the type begins at a multiple of 16 bytes, which GPUs load at once.
bool has_aligned_rows(const ndarray &a) {
  constexpr std::size_t alignment = 16;
  const auto row = std::size_t(fixed_last_extent_of(a)) * size_of(a.type());
  return row && row % alignment == 0 && std::bit_cast<std::uintptr_t>(array::first_element(a)) % alignment == 0 &&
         !a.get_queue().get_device().info().local_mem_is_global;
}
constexpr int last_extent_shift = 40;

constexpr std::uint64_t writable_bit = std::uint64_t(1) << 32;
constexpr std::uint64_t index32_bit = std::uint64_t(1) << 33;
constexpr std::uint64_t aligned_rows_bit = std::uint64_t(1) << 35;
constexpr std::uint64_t extents_bit = std::uint64_t(1) << 34;  // a word with the length of each axis follows

std::uint64_t array_word(std::uint64_t tag, dtype t, std::size_t dimensions, char layout, bool writable,
                         int last_extent = 0) {
  return tag | std::uint64_t(t) << 8 | std::uint64_t(dimensions) << 16 | std::uint64_t(std::uint8_t(layout)) << 24 |
         (writable ? writable_bit : 0) | std::uint64_t(last_extent) << last_extent_shift;
}

void append_key(type t, kernel_key &key) {
  switch (t->what) {
  case type_properties::kind::scalar:
    return key.push_back(scalar_word(t->element, t->weak));
  case type_properties::kind::array:
    // signatures do not specify lengths
    return key.push_back(array_word(t->space == pykernel::address_space::local_space ? local_tag : array_tag,
                                    t->element, t->dimensions, t->layout, t->writable));
  case type_properties::kind::tuple:
    key.push_back(tuple_tag | std::uint64_t(t->members.size()) << 8 |
                  std::uint64_t(std::bit_cast<std::uintptr_t>(t->names.empty() ? nullptr : t)) << 16);
    for (const type m : t->members) append_key(m, key);
    return;
  case type_properties::kind::item:
    return key.push_back(item_tag);
  case type_properties::kind::nd_item:
    return key.push_back(nd_item_tag);
  default:
    return key.push_back(none_tag);
  }
}

}  // namespace

bool has_short_rows(const ndarray &a) { return fixed_last_extent_of(a) != 0; }

std::uint64_t item_word(const launch_form &form) { return form.grouped ? nd_item_tag : item_tag; }

kernel_key without_weak_numbers(std::span<const std::uint64_t> key) {
  kernel_key strong;
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::uint64_t word = key[i];
    const std::uint64_t tag = i ? word & 0xFF : 0;
    if (tag == scalar_tag) word &= ~(std::uint64_t(1) << 16);
    if (tag == local_tag && (word & extents_bit)) i += word >> 16 & 0xFF;
    if (tag == array_tag || tag == local_tag)
      word &= ~(std::uint64_t(0xFF) << last_extent_shift | index32_bit | aligned_rows_bit | extents_bit);
    strong.push_back(word);
  }
  return strong;
}

kernel_key with_writable_arrays(kernel_key strong) {
  for (std::size_t i = 1; i < strong.size(); ++i)
    if ((strong[i] & 0xFF) == array_tag) strong[i] |= writable_bit;
  return strong;
}

kernel_key key_of(const launch_form &form, std::span<const type> types) {
  kernel_key key{form.word()};
  for (const type t : types) append_key(t, key);
  return key;
}

/// The type of a number as an argument, and whether it is one of Python. Integers of Python from 2^63 on are uint64.
static std::pair<dtype, bool> type_of_number(const number &n) {
  if (n.type) return {*n.type, false};
  if (n.value.beyond_int64) return {dtype::uint64, false};
  constexpr dtype weak_types[] = {dtype::boolean, dtype::int64, dtype::float64, dtype::complex128};
  return {weak_types[int(n.value.what)], true};
}

void packed_arguments::add_queue(const dpep::queue &q, std::size_t position) {
  if (!queue_) {
    queue_ = &q;
    return;
  }
  if (*queue_ == q) return;
  raise("queue", (names_.empty() ? "the kernel's array arguments" : "the arrays of the loop") +
                     std::string(" are on different queues: ") +
                     (names_.empty() ? "argument " + std::to_string(position + 1) : describe(position)) +
                     " is not on the queue of those before it; copy it with to_device");
}

std::string packed_arguments::describe(std::size_t position) const {
  return names_.empty() ? "argument " + std::to_string(position + 1) + " of the kernel"
                        : "'" + names_[position].name + "'";
}

void packed_arguments::add_reduction(const ndarray &parts, type reduction, std::size_t position) {
  add_queue(parts.get_queue(), position);
  key_.push_back(reduction_tag | std::uint64_t(std::bit_cast<std::uintptr_t>(reduction)) << 8);
  words_.push_back(std::bit_cast<std::uintptr_t>(array::first_element(parts)));
}

void packed_arguments::add_scalar(PyObject *x, dtype t, bool weak, const array::scalar &s) {
  key_.push_back(scalar_word(t, weak));
  const bool is_complex = kind_of(t) == dtype_kind::complex;
  const double real = s.what == array::scalar::kind::real || s.what == array::scalar::kind::complex ? s.number.real()
                      : s.beyond_int64 ? double(std::uint64_t(s.integer))
                                       : double(s.integer);
  switch (kind_of(t)) {
  case dtype_kind::boolean:
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    if (s.beyond_int64 && t != dtype::uint64)
      raise("argument", "the integer " + text_of(nb::repr(nb::handle(x))) +
                            " does not fit 64 bits, the width of integers in kernels");
    return words_.push_back(std::uint64_t(s.integer));
  case dtype_kind::real:
  case dtype_kind::complex:
    break;
  }
  const auto word = [&](double v) -> std::uint64_t {
    switch (real_of(t)) {
    case dtype::float16:
      return std::bit_cast<std::uint16_t>(static_cast<_Float16>(v));
    case dtype::float32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(v));
    default:
      return std::bit_cast<std::uint64_t>(v);
    }
  };
  words_.push_back(word(real));
  if (is_complex) words_.push_back(word(s.number.imag()));
}

void packed_arguments::add_integer(std::int64_t x) {
  key_.push_back(scalar_word(dtype::int64, true));
  words_.push_back(std::uint64_t(x));
}

void packed_arguments::add(PyObject *x, std::size_t position) {
  if (is_array(x)) [[likely]] {
    const ndarray &a = array_of(x);
    const std::span<const std::int64_t> shape = a.shape(), strides = a.strides();
    const char layout = a.row_major() ? 'C' : a.column_major() ? 'F' : 'A';
    add_queue(a.get_queue(), position);
    key_.push_back(array_word(array_tag, a.type(), shape.size(), layout, a.writable(), fixed_last_extent_of(a)) |
                   (pykernel::fits_index32(shape) ? index32_bit : 0) | (has_aligned_rows(a) ? aligned_rows_bit : 0));
    words_.push_back(std::bit_cast<std::uintptr_t>(array::first_element(a)));
    words_.append(reinterpret_cast<const std::uint64_t *>(shape.data()), shape.size());
    if (layout == 'A') words_.append(reinterpret_cast<const std::uint64_t *>(strides.data()), strides.size());
    return;
  }
  if (PyFloat_CheckExact(x)) return add_scalar(x, dtype::float64, true, array::scalar::of(PyFloat_AS_DOUBLE(x)));
  if (const registered_types &known = registered();
      known.local_accessor && PyObject_TypeCheck(x, known.local_accessor)) {
    const nb::handle h(x);
    const extents_argument shape = shape_from(nb::object(h.attr("_shape")), "LocalAccessor");
    const dtype t = dtype_from(nb::object(h.attr("_dtype")));
    // Kernels are compiled for the size of a work-group, on which the size of local memory depends.
    key_.push_back(array_word(local_tag, t, shape.size(), 'C', true) | extents_bit);
    const array::extents lengths = shape;
    key_.append(reinterpret_cast<const std::uint64_t *>(lengths.data()), lengths.size());
    std::size_t bytes = size_of(t);
    for (const std::int64_t length : lengths)
      if (__builtin_mul_overflow(bytes, std::size_t(length), &bytes))
        raise("argument", "LocalAccessor: the size in bytes does not fit 64 bits; use a smaller shape");
    words_.push_back(local_bytes_);
    words_.append(reinterpret_cast<const std::uint64_t *>(lengths.data()), lengths.size());
    const std::size_t whole = (bytes + 63) / 64 * 64;
    local_bytes_ += checks_are_on() ? 2 * whole : whole;  // twice as much for the shadow of initialised elements
    return;
  }
  if (x == Py_None) return key_.push_back(none_tag);
  if (x == Py_Ellipsis && !names_.empty()) return key_.push_back(unset_tag);
  if (PyTuple_Check(x)) {
    const bool named = Py_TYPE(x) != &PyTuple_Type;
    const pykernel::type t = named ? type_of_argument(x) : nullptr;
    key_.push_back(tuple_tag | std::uint64_t(PyTuple_GET_SIZE(x)) << 8 |
                   std::uint64_t(std::bit_cast<std::uintptr_t>(t)) << 16);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x); ++i) add(PyTuple_GET_ITEM(x, i), position);
    return;
  }
  if (const auto n = number_from(x)) {
    const auto [t, weak] = type_of_number(*n);
    return add_scalar(x, t, weak, n->value);
  }
  if (nb::hasattr(nb::handle(x), "value") &&
      PyLong_Check(nb::object(nb::handle(x).attr("value")).ptr()))  // a member of an enum
    return add(nb::object(nb::handle(x).attr("value")).ptr(), position);
  const std::string name = qualified_type_of(x);
  const bool numpy = name == "numpy.ndarray";
  if (!names_.empty())
    raise("argument", describe(position) + " is a " + name +
                          ": compiled loops take arrays of dpnp and dpctl.tensor, numbers, and tuples of those" +
                          (numpy                      ? "; dpnp.asarray copies a NumPy array to a device"
                           : PyCallable_Check(x) == 1 ? "; a function is a constant of the loop if it is defined or "
                                                        "imported outside of the dpjit function, or once in it, "
                                                        "outside of branches and loops"
                                                      : ""));
  raise("argument", describe(position) + " is a " + name +
                        ": kernels take arrays of dpnp and dpctl.tensor, numbers, tuples of those, and LocalAccessor" +
                        (numpy ? "; dpnp.asarray copies a NumPy array to a device, and a launch with "
                                 "kernel[range](…) copies it there and back"
                               : ""));
}

type packed_arguments::type_of_argument(PyObject *x) {
  if (is_array(x)) {
    const ndarray &a = array_of(x);
    type t = pykernel::array_type(a.type(), a.dimensions(),
                                  a.row_major()      ? 'C'
                                  : a.column_major() ? 'F'
                                                     : 'A',
                                  pykernel::address_space::global_space, a.writable(), fixed_last_extent_of(a));
    if (has_aligned_rows(a)) t = pykernel::array_with_aligned_rows(t);
    return pykernel::fits_index32(a.shape()) ? pykernel::array_with_index32(t) : t;
  }
  if (const registered_types &known = registered();
      known.local_accessor && PyObject_TypeCheck(x, known.local_accessor)) {
    const nb::handle h(x);
    const extents_argument shape = shape_from(nb::object(h.attr("_shape")), "LocalAccessor");
    const array::extents lengths = shape;
    return pykernel::array_with_extents(pykernel::array_type(dtype_from(nb::object(h.attr("_dtype"))),
                                                             int(shape.size()), 'C',
                                                             pykernel::address_space::local_space),
                                        {lengths.begin(), lengths.end()});
  }
  if (x == Py_None) return pykernel::none_type();
  if (x == Py_Ellipsis) return pykernel::unset_type();
  if (PyTuple_Check(x)) {
    std::vector<type> members;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x); ++i) members.push_back(type_of_argument(PyTuple_GET_ITEM(x, i)));
    if (Py_TYPE(x) == &PyTuple_Type) return pykernel::tuple_type(std::move(members));
    std::vector<std::string> names;
    if (const nb::object fields = nb::getattr(nb::handle(x), "_fields", nb::none()); !fields.is_none())
      names = nb::cast<std::vector<std::string>>(nb::list(fields));
    return pykernel::tuple_type(std::move(members), std::move(names), record_named_tuple(nb::handle(x).type()));
  }
  if (const auto n = number_from(x)) {
    const auto [t, weak] = type_of_number(*n);
    return pykernel::scalar_type(t, weak);
  }
  return pykernel::weak_integer();  // a member of an enum, since `add` rejects other objects
}

}  // namespace dpep::python
