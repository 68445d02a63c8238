// The outputs of a compiled loop: combined from those of its work-items, and converted to Python objects.
#include "loop_results.hpp"

#include <array>
#include <bit>

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

std::uint64_t combine_integers(dtype t, const std::string &operation, std::uint64_t x, std::uint64_t y) {
  const bool less = is_unsigned(t) ? x < y : static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
  if (operation == "+") return t == dtype::boolean ? x | y : x + y;
  if (operation == "*") return x * y;
  if (operation == "&") return x & y;
  if (operation == "|") return x | y;
  if (operation == "^") return x ^ y;
  if (operation == "and") return x ? y : x;
  if (operation == "or") return x ? x : y;
  return less == (operation == "min") ? x : y;
}

double combine_reals(const std::string &operation, double x, double y) {
  if (operation == "+") return x + y;
  if (operation == "*") return x * y;
  if (operation == "and") return x != 0 ? y : x;
  if (operation == "or") return x != 0 ? x : y;
  // As Python's min and max: x, unless y is smaller or larger.
  return operation == "min" ? (y < x ? y : x) : (y > x ? y : x);
}

/// Adds the number whose first word is `from` to that at `to`.
void combine(type t, const std::string &operation, std::uint64_t *to, const std::uint64_t *from) {
  const dtype e = t->element;
  switch (kind_of(e)) {
  case dtype_kind::complex: {
    const std::complex<double> x(real_of_word(e, to[0]), real_of_word(e, to[1])),
        y(real_of_word(e, from[0]), real_of_word(e, from[1]));
    const std::complex<double> z = operation == "*" ? x * y : x + y;
    to[0] = word_of_real(e, z.real()), to[1] = word_of_real(e, z.imag());
    return;
  }
  case dtype_kind::real:
    *to = word_of_real(e, combine_reals(operation, real_of_word(e, *to), real_of_word(e, *from)));
    return;
  default:
    *to = combine_integers(e, operation, integer_of_word(e, *to), integer_of_word(e, *from));
  }
}

/// An array is passed on as the object that it came as.
std::size_t words_of(type t) { return pykernel::is_array(t) ? 0 : pykernel::argument_bytes(t) / 8; }

nb::object object_of(type t, const std::uint64_t *&words) {
  if (t->what == type_properties::kind::none) return nb::none();
  if (pykernel::is_tuple(t)) {
    nb::list members;
    for (const type m : t->members) members.append(object_of(m, words));
    return nb::tuple(members);
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

}  // namespace

nb::object number_to_python(dtype t, bool weak, const array::scalar &x) {
  nb::object number = nb::steal(to_python(x));
  if (!number.is_valid()) throw nb::python_error();
  if (weak) return number;
  static std::array<PyObject *, dtype_count> classes{};  // NumPy's scalar types, each taken once
  PyObject *&made = classes[static_cast<std::size_t>(t)];
  if (!made) made = nb::object(nb::steal(numpy_dtype(t)).attr("type")).release().ptr();
  return nb::handle(made)(number);
}

std::size_t output_words(std::span<const type> types) {
  std::size_t words = 0;
  for (const type t : types) words += words_of(t);
  return words;
}

void combine_outputs(std::span<const type> types, std::span<const std::string> operations,
                     std::span<std::uint64_t> words) {
  const std::size_t each = output_words(types);
  for (std::size_t item = each; item < words.size(); item += each) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (!operations[i].empty()) combine(types[i], operations[i], words.data() + at, words.data() + item + at);
      at += words_of(types[i]);
    }
  }
}

nb::object outputs_to_python(std::span<const type> types, std::span<const std::uint64_t> words,
                             const std::function<nb::object(std::size_t)> &input) {
  nb::list list;
  const std::uint64_t *next = words.data();
  for (std::size_t i = 0; i < types.size(); ++i)
    list.append(pykernel::is_array(types[i]) ? input(i) : object_of(types[i], next));
  return nb::tuple(list);
}

}  // namespace dpep::python
