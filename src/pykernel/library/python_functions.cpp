// Python's own functions, print, and methods of numbers.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

std::optional<value> translator::python_function(std::string_view name, arguments &a) {
  if (!name.starts_with("builtins.")) return std::nullopt;
  name.remove_prefix(9);
  const auto &p = a.positional;
  const expression &at = a.call;
  if (name == "print") return print(a), none();
  if (name == "len") {
    expect_count(a, 1, 1);
    if (is_tuple(p[0].of)) return integer(std::int64_t(p[0].members.size()));
    if (!is_array(p[0].of) || p[0].of->dimensions == 0)
      fail(mistake::typing, at, fmt::format("len() takes an array or a tuple, got {}", described(p[0].of)));
    return size_value(extent(p[0], 0));
  }
  if (name == "abs") {
    expect_count(a, 1, 1);
    return math_function("numpy.absolute", a);
  }
  if (name == "min" || name == "max") {
    std::vector<value> list = p;
    if (list.size() == 1 && is_tuple(list[0].of)) {
      const std::vector<value> members = list[0].members;
      list = members;
    }
    if (list.size() < 1 || !a.keywords.empty())
      fail(mistake::typing, at, fmt::format("{}() takes two or more numbers, or a tuple of them", name));
    value best = list[0];
    for (std::size_t i = 1; i < list.size(); ++i) best = minimum(best, list[i], name == "max", false, at);
    return best;
  }
  if (name == "getattr") {
    expect_count(a, 2, 2);
    if (p[1].of->what != type_facts::kind::text) fail(mistake::typing, at, "getattr() takes a constant name");
    return attribute_of(p[0], p[1].text, at);
  }
  if (name == "sum") {
    expect_count(a, 1, 1);
    if (!is_tuple(p[0].of)) fail(mistake::unsupported, at, "sum() takes a tuple: write a loop over arrays");
    value total = integer(0);
    for (const value &m : p[0].members) total = binary("+", total, m, at);
    return total;
  }
  if (name == "pow") {
    expect_count(a, 2, 2);
    return binary("**", p[0], p[1], at);
  }
  if (name == "divmod") {
    expect_count(a, 2, 2);
    return tuple({binary("//", p[0], p[1], at), binary("%", p[0], p[1], at)});
  }
  if (name == "round") {
    expect_count(a, 1, 2);
    const value *digits = take(a, 1, "ndigits");
    const value &x = need(a, 0, "number");
    if (!is_scalar(x.of) || is_complex(x.of->element))
      fail(mistake::typing, at, fmt::format("round() takes a real number, got {}", described(x.of)));
    if (!is_real(x.of->element))
      return digits && digits->of->what != type_facts::kind::none ? rounded_integer(x, *digits, at) : x;
    arguments one{at, "round", {x}, {}};
    if (!digits || digits->of->what == type_facts::kind::none)
      return convert(*math_function("numpy.rint", one), weak_integer(), at);
    const value factor = power(convert(integer(10), scalar_type(x.of->element, x.of->weak), at), *digits, at);
    arguments scaled{at, "round", {binary("*", x, factor, at)}, {}};
    return binary("/", *math_function("numpy.rint", scaled), factor, at);
  }
  if (name == "zip" || name == "reversed" || name == "enumerate") return tuple_function(name, a);
  if (name == "range") fail(mistake::unsupported, at, "range() stands in for loops only");
  if (name == "isinstance")
    fail(mistake::unsupported, at,
         "kernels have no isinstance: types are known when compiling, and functions are compiled for each");
  return std::nullopt;
}

value translator::tuple_function(std::string_view name, const arguments &a) {
  const auto members_of = [&](const value &v) -> const std::vector<value> & {
    if (!is_tuple(v.of))
      fail(mistake::unsupported, a.call,
           fmt::format("{}() goes over tuples{}, got {}: use range and an index", name,
                       name == "enumerate" ? ", and arrays in a for loop" : "", described(v.of)));
    return v.members;
  };
  std::vector<value> rows;
  if (name == "zip") {
    if (!a.keywords.empty()) fail(mistake::typing, a.call, "zip() takes no keywords in kernels");
    std::size_t length = a.positional.empty() ? 0 : SIZE_MAX;
    for (const value &v : a.positional) length = std::min(length, members_of(v).size());
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<value> row;
      for (const value &v : a.positional) row.push_back(v.members[i]);
      rows.push_back(tuple(std::move(row)));
    }
    return tuple(std::move(rows));
  }
  expect_count(a, 1, name == "enumerate" ? 2 : 1);
  const std::vector<value> &members = members_of(need(a, 0, "iterable"));
  if (name == "reversed") return tuple({members.rbegin(), members.rend()});
  const value *const start = take(a, 1, "start");
  for (std::size_t i = 0; i < members.size(); ++i)
    rows.push_back(tuple({binary("+", start ? *start : integer(0), integer(std::int64_t(i)), a.call), members[i]}));
  return tuple(std::move(rows));
}

value translator::rounded_integer(const value &x, const value &digits, const expression &at) {
  std::int64_t power = 1;
  for (std::int64_t d = known_integer(digits, at, "the digits to round an integer to"); d < 0; ++d)
    if (__builtin_mul_overflow(power, 10, &power)) return convert(integer(0), x.of, at);
  if (power == 1) return x;
  // to the nearer multiple, of two to the even one
  const value whole = convert(x, scalar_type(dtype::int64, x.of->weak), at), unit = integer(power);
  const value below = binary("*", binary("//", whole, unit, at), unit, at), rest = binary("-", whole, below, at);
  const value twice = binary("*", rest, integer(2), at), count = binary("//", whole, unit, at);
  const node odd = truth(binary("&", count, integer(1), at), at);
  const node up = b.binary(operation::bit_or, compare(">", twice, unit, at).parts[0],
                           b.binary(operation::bit_and, compare("==", twice, unit, at).parts[0], odd));
  value result = binary("+", below, unit, at);
  result.parts[0] = b.select(up, result.parts[0], below.parts[0]);
  result.known.reset();
  result.natural = false;
  return convert(result, x.of, at);
}

void translator::print(const arguments &a) {
  std::string separator = " ", end = "\n";
  for (const auto &[key, v] : a.keywords) {
    if ((key != "sep" && key != "end") || v.of->what != type_facts::kind::text)
      fail(mistake::unsupported, a.call,
           fmt::format("print() in kernels knows sep and end, constant strings; got {}", key));
    (key == "sep" ? separator : end) = v.text;
  }
  std::string format;
  std::vector<node> list{0};
  const auto literally = [&](const std::string &t) {
    for (const char c : t) format += c == '%' ? "%%" : std::string(1, c);
  };
  const std::function<void(const value &, bool)> add = [&](const value &v, bool inside) {
    using kinds = type_facts::kind;
    if (v.of->what == kinds::text) {
      literally(inside ? "'" + v.text + "'" : v.text);
    } else if (v.of->what == kinds::none) {
      format += "None";
    } else if (is_tuple(v.of)) {
      format += "(";
      for (std::size_t i = 0; i < v.members.size(); ++i) {
        if (i) format += ", ";
        add(v.members[i], true);
      }
      format += v.members.size() == 1 ? ",)" : ")";
    } else if (is_scalar(v.of)) {
      const dtype t = v.of->element;
      if (t == dtype::boolean) {
        format += "%s";
        list.push_back(b.select(v.parts[0], b.string("True"), b.string("False")));
      } else if (is_complex(t)) {
        format += "(%g%+gj)";
        for (const node part : v.parts) list.push_back(b.cast(operation::fpcast, machine::f64, part));
      } else if (is_real(t)) {
        format += "%s";
        list.push_back(
            b.call(machine::address, t == dtype::float64 ? "__dpep_text_of_double" : "__dpep_text_of_float",
                   {b.cast(operation::fpcast, t == dtype::float64 ? machine::f64 : machine::f32, v.parts[0])}));
      } else {
        format += is_unsigned(t) ? "%llu" : "%lld";
        list.push_back(convert(v, is_unsigned(t) ? dtype::uint64 : dtype::int64, a.call).parts[0]);
      }
    } else {
      fail(
          mistake::typing, a.call,
          fmt::format("LoweringError: print() in kernels takes numbers, tuples and strings, got {}: print its elements",
                      described(v.of)));  // the word is what programs for numba-dpex look for
    }
  };
  for (std::size_t i = 0; i < a.positional.size(); ++i) {
    if (i) literally(separator);
    add(a.positional[i], false);
  }
  literally(end);
  list[0] = b.string(format);
  b.call(machine::i32, "__dpep_printf", list);
}

value translator::number_method(const value &v, const std::string &name, arguments &a) {
  if (name == "conjugate" || name == "conj") {
    expect_count(a, 0, 0);
    value r = v;
    if (is_complex(v.of->element)) r.parts[1] = b.unary(operation::fneg, v.parts[1]);
    return r;
  }
  if (name == "is_integer" && (is_real(v.of->element) || is_integer(v.of->element))) {
    expect_count(a, 0, 0);
    if (!is_real(v.of->element)) return truth_value(true);
    const value whole = *math_function("numpy.floor", *one_argument(a, v));
    const value finite = *math_function("numpy.isfinite", *one_argument(a, v));
    return scalar(dtype::boolean,
                  b.binary(operation::bit_and, compare("==", v, whole, a.call).parts[0], finite.parts[0]), true);
  }
  if ((name == "bit_length" || name == "bit_count") && is_integer(v.of->element)) {
    expect_count(a, 0, 0);
    const value size = *math_function("numpy.absolute", *one_argument(a, convert(v, dtype::int64, a.call)));
    if (name == "bit_count") return size_value(b.call(machine::i64, "llvm.ctpop.i64", {size.parts[0]}));
    const node zeros = b.call(machine::i64, "llvm.ctlz.i64", {size.parts[0], b.boolean(false)});
    return size_value(b.binary(operation::sub, b.size(64), zeros));
  }
  if (name == "item") return convert(v, scalar_type(v.of->element, true), a.call);
  if (name == "astype") return convert(v, data_type(need(a, 0, "dtype"), a.call), a.call);
  fail(mistake::unsupported, a.call, fmt::format("{} has no method '{}' in kernels", described(v.of), name));
}

}  // namespace dpep::pykernel
