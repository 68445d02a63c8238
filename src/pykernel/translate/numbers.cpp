// Numbers: constants, conversions, truth.
#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

value translator::integer(std::int64_t x) {
  return {.of = weak_integer(), .parts = {b.size(x)}, .known = x, .natural = x >= 0};
}
value translator::truth_value(bool x) {
  return {.of = weak_boolean(), .parts = {b.boolean(x)}, .known = x, .natural = true};
}
value translator::real(double x) { return {.of = weak_real(), .parts = {b.real(machine::f64, x)}}; }
value translator::scalar(dtype t, node n, bool weak, bool natural) {
  value v{.of = scalar_type(t, weak), .parts = {n}};
  v.natural = natural || is_unsigned(t);
  if (is_integer(t) || t == dtype::boolean) v.known = b.known(n);
  return v;
}
value translator::tuple(std::vector<value> members, std::vector<std::string> names, std::string name) {
  std::vector<type> types;
  for (const value &m : members) types.push_back(m.of);
  value v{.of = tuple_type(std::move(types), std::move(names), std::move(name))};
  v.members = std::move(members);
  return v;
}
value translator::object(entity e) {
  value v{.of = simple_type(type_facts::kind::object)};
  v.object = std::make_shared<const entity>(std::move(e));
  return v;
}

namespace {

/// One machine number of one dtype as another's.
node convert_part(builder &b, node x, dtype from, dtype to) {
  const machine target = machine_of(to), given = machine_of(from);
  if (to == dtype::boolean)
    return from == dtype::boolean ? x
           : is_float(given)      ? b.compare(operation::fne, x, b.real(given, 0))
                                  : b.compare(operation::ne, x, b.integer(given, 0));
  if (is_float(target)) {
    if (is_float(given)) return given == target ? x : b.cast(operation::fpcast, target, x);
    return b.cast(from == dtype::boolean || is_unsigned(from) ? operation::uitofp : operation::sitofp, target, x);
  }
  if (is_float(given))
    return b.cast(is_unsigned(to) && bits_of(target) == 64 ? operation::fptoui : operation::fptosi, target, x);
  const int wanted = bits_of(target), have = bits_of(given);
  if (wanted == have) return x;
  if (wanted < have) return b.cast(operation::trunc, target, x);
  return b.cast(from == dtype::boolean || is_unsigned(from) ? operation::zext : operation::sext, target, x);
}

/// The dtype whose machine numbers the parts are.
dtype part_type(dtype t) { return is_complex(t) ? real_of(t) : t; }

}  // namespace

value translator::convert(const value &v, type to, const expression &at) {
  if (v.of == to) return v;
  if (is_scalar(v.of) && is_scalar(to)) {
    const dtype from = v.of->element, into = to->element;
    value result = v;
    result.of = to;
    if (from == into) return result;
    if (is_complex(into)) {
      const dtype part = real_of(into);
      const node real = convert_part(b, v.parts[0], part_type(from), part);
      const node imaginary =
          is_complex(from) ? convert_part(b, v.parts[1], part_type(from), part) : b.real(machine_of(part), 0);
      result.parts = {real, imaginary};
    } else {
      if (is_complex(from)) {
        if (into != dtype::boolean)
          fail(mistake::typing, at,
               fmt::format("a complex number ({}) cannot become {}: take its real part, z.real", described(v.of),
                           described(to)));
        result.parts = {truth(v, at)};
      } else {
        const bool narrow =
            into != dtype::boolean && is_real(from) && is_integer(into) && bits_of(machine_of(into)) < 64;
        // as NumPy: by way of 64 bits, so that what does not fit wraps
        const node wide = narrow ? convert_part(b, v.parts[0], from, dtype::int64) : v.parts[0];
        result.parts = {convert_part(b, wide, narrow ? dtype::int64 : from, into)};
      }
    }
    result.known = is_integer(into) || into == dtype::boolean ? b.known(result.parts[0]) : std::nullopt;
    result.natural = is_unsigned(into) || into == dtype::boolean ||
                     (v.natural && is_integer(into) && (!is_unsigned(from) || size_of(from) < size_of(into)) &&
                      size_of(into) >= size_of(from)) ||
                     (result.known && *result.known >= 0);
    return result;
  }
  if (is_tuple(v.of) && is_tuple(to) && v.members.size() == to->members.size()) {
    value result{.of = to};
    for (std::size_t i = 0; i < v.members.size(); ++i)
      result.members.push_back(convert(v.members[i], to->members[i], at));
    return result;
  }
  if (is_array(v.of) && is_array(to)) {
    value result{.of = to, .parts = {v.parts[0]}};
    for (int d = 0; d < v.of->dimensions; ++d) result.parts.push_back(extent(v, d));
    if (to->layout == 'A')
      for (int d = 0; d < v.of->dimensions; ++d) result.parts.push_back(stride(v, d));
    return result;
  }
  fail(mistake::typing, at, fmt::format("{} cannot become {}", described(v.of), described(to)));
}

node translator::truth(const value &v, const expression &at) {
  if (is_scalar(v.of)) {
    if (!is_complex(v.of->element)) return convert_part(b, v.parts[0], v.of->element, dtype::boolean);
    const machine m = b.type_of(v.parts[0]);
    return b.binary(operation::bit_or, b.compare(operation::fne, v.parts[0], b.real(m, 0)),
                    b.compare(operation::fne, v.parts[1], b.real(m, 0)));
  }
  if (is_tuple(v.of)) return b.boolean(!v.members.empty());
  if (v.of->what == type_facts::kind::none) return b.boolean(false);
  if (v.of->what == type_facts::kind::text) return b.boolean(!v.text.empty());
  fail(mistake::typing, at,
       fmt::format("the truth of {} is asked for: compare numbers, or elements of an array", described(v.of)));
}

node translator::integer_node(const value &v, const expression &at, const char *what) {
  if (!is_scalar(v.of) || !(is_integer(v.of->element) || v.of->element == dtype::boolean))
    fail(mistake::typing, at,
         fmt::format("{} must be an integer, got {}{}", what, described(v.of),
                     is_scalar(v.of) ? ": convert it with int()" : ""));
  return convert_part(b, v.parts[0], v.of->element, dtype::int64);
}

std::int64_t translator::known_integer(const value &v, const expression &at, const std::string &what) {
  if (is_scalar(v.of) && v.known) return *v.known;
  if (is_scalar(v.of) && is_real(v.of->element))
    fail(mistake::typing, at,
         fmt::format("{} must be an integer, got {}: convert it with int()", what, described(v.of)));
  fail(mistake::typing, at,
       fmt::format("{} must be a constant integer, got {} that is known only when the kernel runs: use a literal, or a "
                   "global or closure variable",
                   what, described(v.of)));
}

}  // namespace dpep::pykernel
