// Functions that reduce whole arrays to numbers, in compiled loops.
#include "pykernel/translate/array_reductions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

/// The dtype in which NumPy adds elements up: integers and bools in 64 bits.
dtype sum_type(dtype t) {
  if (t == dtype::boolean) return dtype::int64;
  if (!is_integer(t)) return t;
  return is_unsigned(t) ? dtype::uint64 : dtype::int64;
}

/// The result of `add` for all elements one after the other, beginning with `first`.
value folded(translation &ctx, const value &v, const value &first,
             const std::function<value(const value &, const value &)> &add, const expression &at) {
  std::vector<std::uint32_t> slots;
  for (const node part : first.parts) {
    slots.push_back(ctx.ir.variable(ctx.ir.type_of(part), "#total"));
    ctx.ir.set(slots.back(), part);
  }
  const auto total = [&] {
    value now{.of = first.of};
    for (const std::uint32_t slot : slots) now.parts.push_back(ctx.ir.get(slot));
    return now;
  };
  for_each_element(
      ctx, v,
      [&](const std::vector<value> &indices) {
        const value element = element_of(ctx, v, indices, at);
        // NumPy's own order of additions depends on the length.
        const std::uint8_t before = std::exchange(ctx.ir.fast, std::uint8_t(ctx.ir.fast | reassoc));
        const value next = convert(ctx, add(total(), element), first.of, at);
        ctx.ir.fast = before;
        for (std::size_t i = 0; i < slots.size(); ++i) ctx.ir.set(slots[i], next.parts[i]);
      },
      at);
  return total();
}

value extremum(translation &ctx, const value &v, bool maximum, const expression &at, bool propagate_nan = true) {
  if (is_complex(v.of->element)) fail(ctx, error_kind::array_function, at, "complex numbers have no order");
  ctx.ir.branch(ctx.ir.compare(operation::eq, element_count(ctx, v), ctx.ir.size(0)),
                [&] { emit_error(ctx, "ValueError: minimum and maximum of an empty array are not defined", at.at); });
  const std::vector<value> zeros(v.of->dimensions, integer(ctx, 0));
  return folded(
      ctx, v, element_of(ctx, v, zeros, at),
      [&](const value &x, const value &y) { return minimum(ctx, x, y, maximum, propagate_nan, at); }, at);
}

/// The position in C order of the first minimum or maximum, or of the first NaN.
value position_of_extremum(translation &ctx, const value &v, bool maximum, const expression &at) {
  if (is_complex(v.of->element)) fail(ctx, error_kind::array_function, at, "complex numbers have no order");
  ctx.ir.branch(ctx.ir.compare(operation::eq, element_count(ctx, v), ctx.ir.size(0)),
                [&] { emit_error(ctx, "ValueError: argmin and argmax of an empty array are not defined", at.at); });
  const value first = element_of(ctx, v, std::vector<value>(v.of->dimensions, integer(ctx, 0)), at);
  const std::uint32_t best = ctx.ir.variable(ctx.ir.type_of(first.parts[0]), "#best"),
                      position = ctx.ir.variable(machine_type::i64, "#position"),
                      found = ctx.ir.variable(machine_type::i64, "#found");
  ctx.ir.set(best, first.parts[0]);
  ctx.ir.set(position, ctx.ir.size(0));
  ctx.ir.set(found, ctx.ir.size(0));
  for_each_element(
      ctx, v,
      [&](const std::vector<value> &indices) {
        const value element = element_of(ctx, v, indices, at), now{.of = first.of, .parts = {ctx.ir.get(best)}};
        node better = compare(ctx, maximum ? ">" : "<", element, now, at).parts[0];
        if (is_real(v.of->element)) {
          const node x = element.parts[0], y = now.parts[0];
          better = ctx.ir.binary(operation::bit_or, better,
                                 ctx.ir.binary(operation::bit_and, ctx.ir.compare(operation::fne, x, x),
                                               ctx.ir.compare(operation::feq, y, y)));
        }
        ctx.ir.set(best, ctx.ir.select(better, element.parts[0], now.parts[0]));
        ctx.ir.set(found, ctx.ir.select(better, ctx.ir.get(position), ctx.ir.get(found)));
        ctx.ir.set(position, ctx.ir.add(ctx.ir.get(position), ctx.ir.size(1)));
      },
      at);
  return scalar(ctx, dtype::int64, ctx.ir.get(found), false, true);
}

/// The sum of the elements of an expression in a dtype.
value sum_in(translation &ctx, const value &v, dtype t, const expression &at) {
  return folded(
      ctx, v, convert(ctx, integer(ctx, 0), t, at),
      [&](const value &x, const value &y) { return binary(ctx, "+", x, convert(ctx, y, t, at), at); }, at);
}

/// The square of the absolute value of each element of `v`, or of its difference from a number.
value squares(translation &ctx, const value &v, const value *from, dtype t, const expression &at) {
  std::vector<value> operands{v};
  if (from) operands.push_back(*from);
  return elementwise(
      ctx, operands,
      [t, at = &at](translation &inner, const std::vector<value> &n) {
        value x = convert(inner, n[0], t, *at);
        if (n.size() > 1) x = binary(inner, "-", x, n[1], *at);
        if (!is_complex(t)) return binary(inner, "*", x, x, *at);
        const dtype part = real_of(t);
        const value re = scalar(inner, part, x.parts[0]), im = scalar(inner, part, x.parts[1]);
        return binary(inner, "+", binary(inner, "*", re, re, *at), binary(inner, "*", im, im, *at), *at);
      },
      at);
}

/// Variance and Euclidean norm, before the square root.
value squared_size(translation &ctx, const value &v, bool about_mean, const expression &at) {
  const dtype given = v.of->element;
  const dtype t = is_real(given) || is_complex(given) ? given : dtype::float64;
  if (!about_mean) return sum_in(ctx, squares(ctx, v, nullptr, t, at), real_of(t), at);
  const value count = size_value(ctx, element_count(ctx, v));
  const value mean = binary(ctx, "/", sum_in(ctx, v, t, at), convert(ctx, count, t, at), at);
  return binary(ctx, "/", sum_in(ctx, squares(ctx, v, &mean, t, at), real_of(t), at),
                convert(ctx, count, real_of(t), at), at);
}

}  // namespace

std::optional<value> array_reduction(translation &ctx, std::string_view name, const arguments &a) {
  const bool of_python = name.starts_with("builtins.");
  if (of_python) name.remove_prefix(std::string_view("builtins.").size());
  constexpr std::array names{"sum", "prod", "min", "max",  "amin",   "amax",   "mean", "any",  "all",
                             "dot", "var",  "std", "norm", "argmin", "argmax", "ptp",  "vdot", "inner"};
  if (!ctx.request.loop || std::ranges::find(names, name) == names.end()) return std::nullopt;
  const expression &at = a.call;
  const bool is_product = name == "dot" || name == "vdot" || name == "inner";
  const std::size_t operands = is_product ? 2 : 1;
  if (a.positional.size() != operands || !a.keywords.empty() || !std::ranges::all_of(a.positional, is_whole_array))
    return std::nullopt;
  value v = a.positional[0];
  if (is_product) {
    if (name == "vdot" && is_complex(v.of->element)) return std::nullopt;
    if (v.of->dimensions != 1 || a.positional[1].of->dimensions != 1) return std::nullopt;
    v = elementwise(
        ctx, a.positional,
        [at = &at](translation &inner, const std::vector<value> &n) { return binary(inner, "*", n[0], n[1], *at); },
        at);
  }
  if (v.of->dimensions == 0 || (of_python && v.of->dimensions != 1)) return std::nullopt;
  if (name == "argmin" || name == "argmax") return position_of_extremum(ctx, v, name == "argmax", at);
  if (name == "ptp") return binary(ctx, "-", extremum(ctx, v, true, at), extremum(ctx, v, false, at), at);
  if (name == "var") return squared_size(ctx, v, true, at);
  if (name == "std" || name == "norm")
    return *math_function(ctx, "numpy.sqrt", with_argument(a, squared_size(ctx, v, name == "std", at)));
  if (name == "min" || name == "amin") return extremum(ctx, v, false, at, !of_python);
  if (name == "max" || name == "amax") return extremum(ctx, v, true, at, !of_python);
  if (name == "any" || name == "all") {
    const bool any = name == "any";
    return folded(
        ctx, v, scalar(ctx, dtype::boolean, ctx.ir.boolean(!any)),
        [&](const value &x, const value &y) {
          return scalar(ctx, dtype::boolean,
                        ctx.ir.binary(any ? operation::bit_or : operation::bit_and, x.parts[0], truth(ctx, y, at)));
        },
        at);
  }
  const bool product = name == "prod";
  dtype t = is_product ? v.of->element : sum_type(v.of->element);
  // Python adds elements to the int 0, so the sum has the type of a variable that begins with 0.
  if (of_python && is_integer(t) && size_of(v.of->element) < sizeof(std::int64_t)) t = dtype::int64;
  if (name == "mean" && !is_real(t) && !is_complex(t)) t = dtype::float64;
  const value total = folded(
      ctx, v, convert(ctx, integer(ctx, product ? 1 : 0), t, at),
      [&](const value &x, const value &y) { return binary(ctx, product ? "*" : "+", x, convert(ctx, y, t, at), at); },
      at);
  if (name != "mean") return total;
  return binary(ctx, "/", total, convert(ctx, size_value(ctx, element_count(ctx, v)), t, at), at);
}

}  // namespace dpep::pykernel
