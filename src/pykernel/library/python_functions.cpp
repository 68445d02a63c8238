// Python's builtin functions, and methods of numbers.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

void print(translation &ctx, const arguments &a) {
  std::string separator = " ", end = "\n";
  for (const auto &[key, v] : a.keywords) {
    if ((key != "sep" && key != "end") || v.of->what != type_properties::kind::text)
      fail(ctx, error_kind::unsupported, a.call,
           fmt::format("print() in kernels takes the keywords sep and end with constant strings, got {}", key));
    (key == "sep" ? separator : end) = v.text;
  }
  std::string format;
  std::vector<node> list{0};
  const auto literally = [&](const std::string &t) {
    for (const char c : t) format += c == '%' ? "%%" : std::string(1, c);
  };
  const std::function<void(const value &, bool)> add = [&](const value &v, bool inside) {
    using kinds = type_properties::kind;
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
        list.push_back(ctx.ir.select(v.parts[0], ctx.ir.string("True"), ctx.ir.string("False")));
      } else if (is_complex(t)) {
        format += "(%g%+gj)";
        for (const node part : v.parts) list.push_back(ctx.ir.cast(operation::fpcast, machine_type::f64, part));
      } else if (is_real(t)) {
        format += "%s";
        list.push_back(ctx.ir.call(
            machine_type::pointer, t == dtype::float64 ? "__dpep_text_of_double" : "__dpep_text_of_float",
            {ctx.ir.cast(operation::fpcast, t == dtype::float64 ? machine_type::f64 : machine_type::f32, v.parts[0])}));
      } else {
        format += is_unsigned(t) ? "%llu" : "%lld";
        list.push_back(convert(ctx, v, is_unsigned(t) ? dtype::uint64 : dtype::int64, a.call).parts[0]);
      }
    } else {
      fail(
          ctx, error_kind::typing, a.call,
          fmt::format("LoweringError: print() in kernels takes numbers, tuples and strings, got {}: print its elements",
                      display_name(v.of)));  // programs for numba-dpex look for "LoweringError"
    }
  };
  for (std::size_t i = 0; i < a.positional.size(); ++i) {
    if (i) literally(separator);
    add(a.positional[i], false);
  }
  literally(end);
  list[0] = ctx.ir.string(format);
  ctx.ir.call(machine_type::i32, "__dpep_printf", list);
}

value tuple_function(translation &ctx, std::string_view name, const arguments &a) {
  const auto members_of = [&](const value &v) -> const std::vector<value> & {
    if (!is_tuple(v.of))
      fail(ctx, error_kind::unsupported, a.call,
           fmt::format("{}() takes tuples{}, got {}: use range and an index", name,
                       name == "enumerate" ? ", and arrays in a for loop" : "", display_name(v.of)));
    return v.members;
  };
  std::vector<value> rows;
  if (name == "zip") {
    if (!a.keywords.empty())
      fail(ctx, error_kind::typing, a.call, "zip() takes no keywords in kernels: leave them out");
    std::size_t length = a.positional.empty() ? 0 : SIZE_MAX;
    for (const value &v : a.positional) length = std::min(length, members_of(v).size());
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<value> row;
      for (const value &v : a.positional) row.push_back(v.members[i]);
      rows.push_back(tuple(std::move(row)));
    }
    return tuple(std::move(rows));
  }
  check_count(ctx, a, 1, name == "enumerate" ? 2 : 1);
  const std::vector<value> &members = members_of(require_argument(ctx, a, 0, "iterable"));
  if (name == "reversed") return tuple({members.rbegin(), members.rend()});
  const value *const start = find_argument(a, 1, "start");
  for (std::size_t i = 0; i < members.size(); ++i)
    rows.push_back(
        tuple({binary(ctx, "+", start ? *start : integer(ctx, 0), integer(ctx, std::int64_t(i)), a.call), members[i]}));
  return tuple(std::move(rows));
}

value round_integer(translation &ctx, const value &x, const value &digits, const expression &at) {
  std::int64_t power = 1;
  for (std::int64_t d = constant_integer(ctx, digits, at, "the digits to round an integer to"); d < 0; ++d)
    if (__builtin_mul_overflow(power, 10, &power)) return convert(ctx, integer(ctx, 0), x.of, at);
  if (power == 1) return x;
  // Round to the nearest multiple, half to even.
  const value whole = convert(ctx, x, scalar_type(dtype::int64, x.of->weak), at), unit = integer(ctx, power);
  const value below = binary(ctx, "*", binary(ctx, "//", whole, unit, at), unit, at),
              rest = binary(ctx, "-", whole, below, at);
  const value twice = binary(ctx, "*", rest, integer(ctx, 2), at), count = binary(ctx, "//", whole, unit, at);
  const node odd = truth(ctx, binary(ctx, "&", count, integer(ctx, 1), at), at);
  const node up = ctx.ir.binary(operation::bit_or, compare(ctx, ">", twice, unit, at).parts[0],
                                ctx.ir.binary(operation::bit_and, compare(ctx, "==", twice, unit, at).parts[0], odd));
  value result = binary(ctx, "+", below, unit, at);
  result.parts[0] = ctx.ir.select(up, result.parts[0], below.parts[0]);
  result.known.reset();
  result.nonnegative = false;
  return convert(ctx, result, x.of, at);
}

}  // namespace

std::optional<value> python_function(translation &ctx, std::string_view name, const arguments &a) {
  if (!name.starts_with("builtins.")) return std::nullopt;
  name.remove_prefix(9);
  const auto &p = a.positional;
  const expression &at = a.call;
  if (name == "print") return print(ctx, a), none();
  if (name == "len") {
    check_count(ctx, a, 1, 1);
    if (is_tuple(p[0].of)) return integer(ctx, std::int64_t(p[0].members.size()));
    if (p[0].lazy && p[0].of->dimensions) return size_value(ctx, length_of(ctx, p[0], 0));
    if (!is_array(p[0].of) || p[0].of->dimensions == 0)
      fail(ctx, error_kind::typing, at, fmt::format("len() takes an array or a tuple, got {}", display_name(p[0].of)));
    return size_value(ctx, extent(ctx, p[0], 0));
  }
  if (name == "abs") {
    check_count(ctx, a, 1, 1);
    return math_function(ctx, "numpy.absolute", a);
  }
  if (name == "min" || name == "max") {
    std::vector<value> list = p;
    if (list.size() == 1 && is_tuple(list[0].of)) {
      const std::vector<value> members = list[0].members;
      list = members;
    }
    if (list.empty() || !a.keywords.empty() || (p.size() == 1 && !is_tuple(p[0].of)))
      fail(ctx, is_array(p.empty() ? none_type() : p[0].of) ? error_kind::array_function : error_kind::typing, at,
           fmt::format("{}() takes two or more numbers, or a tuple of them", name));
    value best = list[0];
    for (std::size_t i = 1; i < list.size(); ++i) best = smaller_or_larger(ctx, best, list[i], name == "max", at);
    return best;
  }
  if (name == "getattr") {
    check_count(ctx, a, 2, 2);
    if (p[1].of->what != type_properties::kind::text)
      fail(ctx, error_kind::typing, at, "getattr() takes a constant string as the attribute's name");
    return attribute_of(ctx, p[0], p[1].text, at);
  }
  if (name == "sum") {
    check_count(ctx, a, 1, 1);
    if (!is_tuple(p[0].of))
      fail(ctx, is_array(p[0].of) ? error_kind::array_function : error_kind::unsupported, at,
           "sum() takes a tuple: write a loop over arrays");
    value total = integer(ctx, 0);
    for (const value &m : p[0].members) total = binary(ctx, "+", total, m, at);
    return total;
  }
  if (name == "pow") {
    check_count(ctx, a, 2, 2);
    return binary(ctx, "**", p[0], p[1], at);
  }
  if (name == "divmod") {
    check_count(ctx, a, 2, 2);
    return tuple({binary(ctx, "//", p[0], p[1], at), binary(ctx, "%", p[0], p[1], at)});
  }
  if (name == "round") {
    check_count(ctx, a, 1, 2);
    const value *digits = find_argument(a, 1, "ndigits");
    const value &x = require_argument(ctx, a, 0, "number");
    if (!is_scalar(x.of) || is_complex(x.of->element))
      fail(ctx, error_kind::typing, at, fmt::format("round() takes a real number, got {}", display_name(x.of)));
    if (!is_real(x.of->element))
      return digits && digits->of->what != type_properties::kind::none ? round_integer(ctx, x, *digits, at) : x;
    if (digits && digits->of->what != type_properties::kind::none &&
        (!is_scalar(digits->of) || is_complex(digits->of->element)))
      fail(ctx, error_kind::typing, at,
           fmt::format("round() takes an integer as its number of digits, got {}", display_name(digits->of)));
    arguments one{at, "round", {x}, {}};
    if (!digits || digits->of->what == type_properties::kind::none)
      return convert(ctx, *math_function(ctx, "numpy.rint", one), weak_integer(), at);
    const value factor =
        power(ctx, convert(ctx, integer(ctx, 10), scalar_type(x.of->element, x.of->weak), at), *digits, at);
    arguments scaled{at, "round", {binary(ctx, "*", x, factor, at)}, {}};
    return binary(ctx, "/", *math_function(ctx, "numpy.rint", scaled), factor, at);
  }
  if (name == "zip" || name == "reversed" || name == "enumerate") return tuple_function(ctx, name, a);
  if (name == "range")
    fail(ctx, error_kind::unsupported, at, "range() is available only in for loops: write `for i in range(n):`");
  if (name == "isinstance")
    fail(ctx, error_kind::unsupported, at,
         "isinstance() is not available in kernels: a kernel is compiled for each combination of argument types; "
         "write a kernel for each");
  return std::nullopt;
}

value number_method(translation &ctx, const value &v, const std::string &name, const arguments &a) {
  if (name == "conjugate" || name == "conj") {
    check_count(ctx, a, 0, 0);
    value r = v;
    if (is_complex(v.of->element)) r.parts[1] = ctx.ir.unary(operation::fneg, v.parts[1]);
    return r;
  }
  if (name == "is_integer" && (is_real(v.of->element) || is_integer(v.of->element))) {
    check_count(ctx, a, 0, 0);
    if (!is_real(v.of->element)) return truth_value(ctx, true);
    const value whole = *math_function(ctx, "numpy.floor", with_argument(a, v));
    const value finite = *math_function(ctx, "numpy.isfinite", with_argument(a, v));
    return scalar(ctx, dtype::boolean,
                  ctx.ir.binary(operation::bit_and, compare(ctx, "==", v, whole, a.call).parts[0], finite.parts[0]),
                  true);
  }
  if ((name == "bit_length" || name == "bit_count") && is_integer(v.of->element)) {
    check_count(ctx, a, 0, 0);
    const value size =
        is_unsigned(v.of->element)
            ? convert(ctx, v, scalar_type(dtype::uint64), a.call)
            : *math_function(ctx, "numpy.absolute", with_argument(a, convert(ctx, v, dtype::int64, a.call)));
    if (name == "bit_count") return size_value(ctx, ctx.ir.call(machine_type::i64, "llvm.ctpop.i64", {size.parts[0]}));
    const node zeros = ctx.ir.call(machine_type::i64, "llvm.ctlz.i64", {size.parts[0], ctx.ir.boolean(false)});
    return size_value(ctx, ctx.ir.binary(operation::sub, ctx.ir.size(64), zeros));
  }
  if (name == "item") return convert(ctx, v, scalar_type(v.of->element, true), a.call);
  if (name == "astype") return convert(ctx, v, data_type(ctx, require_argument(ctx, a, 0, "dtype"), a.call), a.call);
  fail(ctx, error_kind::unsupported, a.call, fmt::format("{} has no method '{}' in kernels", display_name(v.of), name));
}

}  // namespace dpep::pykernel
