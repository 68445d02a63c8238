// Numbers: constants, conversions, truth values.
#include "pykernel/translate/numbers.hpp"

#include <fmt/format.h>

#include "pykernel/translate/array_layout.hpp"

namespace dpep::pykernel {

value integer(translation &ctx, std::int64_t x) {
  return {.of = weak_integer(),
          .parts = {ctx.ir.size(x)},
          .known = x,
          .nonnegative = x >= 0,
          .is_short = x >= 0 && x < std::int64_t{1} << 31};
}
value truth_value(translation &ctx, bool x) {
  return {.of = weak_boolean(), .parts = {ctx.ir.boolean(x)}, .known = x, .nonnegative = true};
}
value real(translation &ctx, double x) { return {.of = weak_real(), .parts = {ctx.ir.real(machine_type::f64, x)}}; }
value scalar(translation &ctx, dtype t, node n, bool weak, bool nonnegative) {
  value v{.of = scalar_type(t, weak), .parts = {n}};
  v.nonnegative = nonnegative || is_unsigned(t);
  if (is_integer(t) || t == dtype::boolean) v.known = ctx.ir.known(n);
  v.is_short = v.known && is_integer(t) && *v.known >= 0 && *v.known < std::int64_t{1} << 31;
  return v;
}
value tuple(std::vector<value> members, std::vector<std::string> names, std::string name) {
  std::vector<type> types;
  for (const value &m : members) types.push_back(m.of);
  value v{.of = tuple_type(std::move(types), std::move(names), std::move(name))};
  v.members = std::move(members);
  return v;
}
value object(entity e) {
  value v{.of = simple_type(type_properties::kind::object)};
  v.object = std::make_shared<const entity>(std::move(e));
  return v;
}

namespace {

/// Converts one machine scalar from a dtype to another.
node convert_part(ir_builder &b, node x, dtype from, dtype to) {
  const machine_type target = machine_type_of(to), given = machine_type_of(from);
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

/// The dtype of each part of a number.
dtype part_type(dtype t) { return is_complex(t) ? real_of(t) : t; }

}  // namespace

value convert(translation &ctx, const value &v, type to, const expression &at) {
  if (v.of == to) return v;
  if (is_scalar(v.of) && is_scalar(to)) {
    const dtype from = v.of->element, into = to->element;
    value result = v;
    result.of = to;
    if (from == into) return result;
    result.is_short = v.is_short && is_integer(into) && size_of(into) == sizeof(std::int64_t);
    if (is_complex(into)) {
      const dtype part = real_of(into);
      const node real = convert_part(ctx.ir, v.parts[0], part_type(from), part);
      const node imaginary = is_complex(from) ? convert_part(ctx.ir, v.parts[1], part_type(from), part)
                                              : ctx.ir.real(machine_type_of(part), 0);
      result.parts = {real, imaginary};
    } else {
      if (is_complex(from)) {
        if (into != dtype::boolean)
          fail(ctx, error_kind::typing, at,
               fmt::format("a complex number ({}) cannot be converted to {}: use its real part, z.real",
                           display_name(v.of), display_name(to)));
        result.parts = {truth(ctx, v, at)};
      } else {
        const bool narrow =
            into != dtype::boolean && is_real(from) && is_integer(into) && bits_of(machine_type_of(into)) < 64;
        // As in NumPy, the conversion goes through 64 bits, so values out of range wrap.
        const node wide = narrow ? convert_part(ctx.ir, v.parts[0], from, dtype::int64) : v.parts[0];
        result.parts = {convert_part(ctx.ir, wide, narrow ? dtype::int64 : from, into)};
      }
    }
    result.known = is_integer(into) || into == dtype::boolean ? ctx.ir.known(result.parts[0]) : std::nullopt;
    result.nonnegative = is_unsigned(into) || into == dtype::boolean ||
                         (v.nonnegative && is_integer(into) && (!is_unsigned(from) || size_of(from) < size_of(into)) &&
                          size_of(into) >= size_of(from)) ||
                         (result.known && *result.known >= 0);
    return result;
  }
  if (is_tuple(v.of) && is_tuple(to) && v.members.size() == to->members.size()) {
    value result{.of = to};
    for (std::size_t i = 0; i < v.members.size(); ++i)
      result.members.push_back(convert(ctx, v.members[i], to->members[i], at));
    return result;
  }
  if (is_array(v.of) && is_array(to)) {
    value result{.of = to, .parts = {v.parts[0]}};
    for (int d = 0; d < v.of->dimensions; ++d) result.parts.push_back(extent(ctx, v, d));
    if (to->layout == 'A')
      for (int d = 0; d < v.of->dimensions; ++d) result.parts.push_back(stride(ctx, v, d));
    return result;
  }
  fail(ctx, operand_error({v.of}), at,
       fmt::format("{} cannot be converted to {}", display_name(v.of), display_name(to)));
}

node truth(translation &ctx, const value &v, const expression &at) {
  if (is_scalar(v.of)) {
    if (!is_complex(v.of->element)) return convert_part(ctx.ir, v.parts[0], v.of->element, dtype::boolean);
    const machine_type m = ctx.ir.type_of(v.parts[0]);
    return ctx.ir.binary(operation::bit_or, ctx.ir.compare(operation::fne, v.parts[0], ctx.ir.real(m, 0)),
                         ctx.ir.compare(operation::fne, v.parts[1], ctx.ir.real(m, 0)));
  }
  if (is_tuple(v.of)) return ctx.ir.boolean(!v.members.empty());
  if (v.of->what == type_properties::kind::none) return ctx.ir.boolean(false);
  if (v.of->what == type_properties::kind::text) return ctx.ir.boolean(!v.text.empty());
  fail(ctx, operand_error({v.of}), at,
       fmt::format("the truth value of {} is not defined: compare numbers, or elements of an array",
                   display_name(v.of)));
}

node integer_node(translation &ctx, const value &v, const expression &at, const char *what) {
  if (!is_scalar(v.of) || !(is_integer(v.of->element) || v.of->element == dtype::boolean))
    fail(ctx, operand_error({v.of}), at,
         fmt::format("{} must be an integer, got {}{}", what, display_name(v.of),
                     is_scalar(v.of) ? ": convert it with int()" : ""));
  return convert_part(ctx.ir, v.parts[0], v.of->element, dtype::int64);
}

std::int64_t constant_integer(const translation &ctx, const value &v, const expression &at, const std::string &what) {
  if (is_scalar(v.of) && v.known) return *v.known;
  if (is_scalar(v.of) && is_real(v.of->element))
    fail(ctx, error_kind::typing, at,
         fmt::format("{} must be an integer, got {}: convert it with int()", what, display_name(v.of)));
  fail(ctx, error_kind::typing, at,
       fmt::format("{} must be a constant integer, got {} that is known only when the kernel runs: use a literal, or a "
                   "global or closure variable",
                   what, display_name(v.of)));
}

}  // namespace dpep::pykernel
