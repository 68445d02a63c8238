// The outputs of a compiled loop: combined from those of its work-items, and converted to Python objects.
#include "loop_results.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

namespace dpep::python {
namespace {

using pykernel::is_unsigned, pykernel::type;
using pykernel::type_properties;

double real_of_word(dtype t, std::uint64_t word) {
  switch (real_of(t)) {
  case dtype::float16:
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(word)));
  case dtype::float32:
    return std::bit_cast<float>(static_cast<std::uint32_t>(word));
  default:
    return std::bit_cast<double>(word);
  }
}

std::uint64_t word_of_real(dtype t, double x) {
  switch (real_of(t)) {
  case dtype::float16:
    return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
  case dtype::float32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  default:
    return std::bit_cast<std::uint64_t>(x);
  }
}

/// The integer in the low bytes of a word, extended to 64 bits.
std::uint64_t integer_of_word(dtype t, std::uint64_t word) {
  const int unused = 64 - 8 * static_cast<int>(size_of(t));
  if (is_unsigned(t) || t == dtype::boolean) return word << unused >> unused;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(word << unused) >> unused);
}

enum class folding : std::uint8_t { sum, product, bit_and, bit_or, bit_xor, both, either, minimum, maximum };

folding folding_of(std::string_view operation) {
  constexpr std::pair<std::string_view, folding> table[] = {
      {"+", folding::sum},     {"*", folding::product},   {"&", folding::bit_and},
      {"|", folding::bit_or},  {"^", folding::bit_xor},   {"and", folding::both},
      {"or", folding::either}, {"min", folding::minimum}, {"max", folding::maximum}};
  return std::ranges::find(table, operation, &std::pair<std::string_view, folding>::first)->second;
}

template <class T> T combine(folding what, T x, T y) {
  switch (what) {
  case folding::sum:
    return x + y;
  case folding::product:
    return x * y;
  case folding::both:
    return x != T() ? y : x;
  case folding::either:
    return x != T() ? x : y;
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (what == folding::bit_and) return x & y;
    if (what == folding::bit_or) return x | y;
    if (what == folding::bit_xor) return x ^ y;
  }
  // As Python's min and max: x, unless y is smaller or larger.
  if constexpr (std::is_arithmetic_v<T>) return what == folding::minimum ? (y < x ? y : x) : (y > x ? y : x);
  return x;
}

/// Combines `count` numbers, whose first words are `distance` words apart, into the first of them.
void combine_numbers(type t, folding what, std::uint64_t *words, std::size_t count, std::size_t distance) {
  const dtype e = t->element;
  const auto fold = [&](auto read, auto write) {
    auto total = read(words);
    for (std::size_t i = 1; i < count; ++i) total = combine(what, total, read(words + i * distance));
    write(total);
  };
  switch (kind_of(e)) {
  case dtype_kind::complex:
    return fold(
        [&](const std::uint64_t *w) { return std::complex(real_of_word(e, w[0]), real_of_word(e, w[1])); },
        [&](std::complex<double> z) { words[0] = word_of_real(e, z.real()), words[1] = word_of_real(e, z.imag()); });
  case dtype_kind::real:
    return fold([&](const std::uint64_t *w) { return real_of_word(e, *w); },
                [&](double x) { *words = word_of_real(e, x); });
  case dtype_kind::signed_integer:
    if (what == folding::sum || what == folding::product) break;  // wraps
    return fold([&](const std::uint64_t *w) { return static_cast<std::int64_t>(integer_of_word(e, *w)); },
                [&](std::int64_t x) { *words = static_cast<std::uint64_t>(x); });
  case dtype_kind::boolean:
    if (what == folding::sum) what = folding::bit_or;
    break;
  case dtype_kind::unsigned_integer:
    break;
  }
  fold([&](const std::uint64_t *w) { return integer_of_word(e, *w); }, [&](std::uint64_t x) { *words = x; });
}

/// An array needs no words: the object that the call passed is returned.
std::size_t words_of(type t) { return pykernel::is_array(t) ? 0 : pykernel::argument_bytes(t) / 8; }

/// A tuple of a class, which may be one of named tuples.
nb::object like_tuple(nb::handle cls, const nb::object &members) {
  return nb::hasattr(cls, "_make") ? cls.attr("_make")(members) : cls(members);
}

nb::object object_of(type t, const std::uint64_t *&words) {
  if (t->what == type_properties::kind::none) return nb::none();
  if (pykernel::is_tuple(t)) {
    nb::list members;
    for (const type m : t->members) members.append(object_of(m, words));
    const nb::tuple plain(members);
    const nb::handle cls = t->name.empty() ? nb::handle() : named_tuple_class(t->name);
    return cls.is_valid() ? like_tuple(cls, plain) : nb::object(plain);
  }
  const dtype e = t->element;
  const std::uint64_t first = *words++;
  switch (kind_of(e)) {
  case dtype_kind::boolean:
    return number_to_python(e, t->weak, array::scalar::of((first & 1) != 0));
  case dtype_kind::signed_integer:
    return number_to_python(e, t->weak, array::scalar::of(static_cast<std::int64_t>(integer_of_word(e, first))));
  case dtype_kind::unsigned_integer:
    return number_to_python(e, t->weak, array::scalar::of(integer_of_word(e, first)));
  case dtype_kind::real:
    return number_to_python(e, t->weak, array::scalar::of(real_of_word(e, first)));
  case dtype_kind::complex:
    break;
  }
  return number_to_python(e, t->weak,
                          array::scalar::of(std::complex(real_of_word(e, first), real_of_word(e, *words++))));
}

/// NumPy's class of the numbers of a dtype.
PyTypeObject *numpy_class(dtype t) {
  static std::array<PyObject *, dtype_count> classes{};  // each is taken once
  PyObject *&known = classes[static_cast<std::size_t>(t)];
  if (!known) known = nb::object(nb::steal(numpy_dtype(t)).attr("type")).release().ptr();
  return reinterpret_cast<PyTypeObject *>(known);
}

}  // namespace

nb::object number_to_python(dtype t, bool weak, const array::scalar &x) {
  if (!weak && t == dtype::float64) {
    // numpy.float64 is a subclass of float, whose member it has; a call of the class takes three times as long.
    PyTypeObject *const type = numpy_class(t);
    const nb::object number = nb::steal(type->tp_alloc(type, 0));
    if (!number.is_valid()) throw nb::python_error();
    reinterpret_cast<PyFloatObject *>(number.ptr())->ob_fval = x.number.real();
    return number;
  }
  nb::object number = nb::steal(to_python(x));
  if (!number.is_valid()) throw nb::python_error();
  return weak ? number : nb::object(nb::handle(reinterpret_cast<PyObject *>(numpy_class(t)))(number));
}

nb::object as_result(nb::handle x) {
  PyTypeObject *const type = Py_TYPE(x.ptr());
  if (type == numpy_class(dtype::float64)) return nb::float_(PyFloat_AS_DOUBLE(x.ptr()));
  if (type == numpy_class(dtype::int64)) return nb::steal(PyNumber_Index(x.ptr()));
  if (PyTuple_Check(x.ptr())) {
    const nb::object values = nb::steal(PyTuple_New(PyTuple_GET_SIZE(x.ptr())));
    bool changed = false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x.ptr()); ++i) {
      nb::object member = as_result(PyTuple_GET_ITEM(x.ptr(), i));
      changed |= member.ptr() != PyTuple_GET_ITEM(x.ptr(), i);
      PyTuple_SET_ITEM(values.ptr(), i, member.release().ptr());
    }
    if (!changed) return nb::borrow(x);
    return type == &PyTuple_Type ? values : like_tuple(x.type(), values);
  }
  static PyObject *const generic = nb::object(nb::module_::import_("numpy").attr("generic")).release().ptr();
  return PyObject_TypeCheck(x.ptr(), reinterpret_cast<PyTypeObject *>(generic)) ? x.attr("item")() : nb::borrow(x);
}

std::size_t output_words(std::span<const type> types) {
  std::size_t words = 0;
  for (const type t : types) words += words_of(t);
  return words;
}

void combine_outputs(std::span<const type> types, std::span<const std::string> operations,
                     std::span<std::uint64_t> words) {
  const std::size_t each = output_words(types);
  if (!each) return;
  std::size_t at = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!operations[i].empty() && words_of(types[i]))
      combine_numbers(types[i], folding_of(operations[i]), words.data() + at, words.size() / each, each);
    at += words_of(types[i]);
  }
}

nb::object outputs_to_python(std::span<const type> types, std::span<const std::uint32_t> optional,
                             std::span<const std::uint64_t> words,
                             const std::function<nb::object(std::size_t)> &input) {
  const nb::object values = nb::steal(PyTuple_New(Py_ssize_t(types.size())));
  if (!values.is_valid()) throw nb::python_error();
  const std::uint64_t *next = words.data();
  for (std::size_t i = 0; i < types.size(); ++i)
    PyTuple_SET_ITEM(values.ptr(), Py_ssize_t(i),
                     (pykernel::is_array(types[i]) ? input(i) : object_of(types[i], next)).release().ptr());
  for (const std::uint32_t i : optional) {
    if (*next++ & 1) continue;
    const nb::object unused = nb::steal(PyTuple_GET_ITEM(values.ptr(), i));
    PyTuple_SET_ITEM(values.ptr(), i, nb::none().release().ptr());
  }
  return values;
}

}  // namespace dpep::python
