// Sequences that `for` iterates over: range, arrays, tuples, and enumerate, zip and reversed of those.
#include "pykernel/translate/sequences.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

sequence sequence_of_range(translation &ctx, const range_bounds &r, const expression &at) {
  if (r.step.known == 0) fail(ctx, error_kind::value, at, "range's step must not be zero");
  const node from = integer_node(ctx, r.start, at, "range's start"), to = integer_node(ctx, r.stop, at, "range's stop"),
             by = integer_node(ctx, r.step, at, "range's step");
  const bool nonnegative = r.start.nonnegative && r.step.known.value_or(-1) > 0;
  return {range_length(ctx, from, to, by), [&ctx, from, by, nonnegative](const value &position) {
            return scalar(ctx, dtype::int64, ctx.ir.add(from, ctx.ir.mul(position.parts[0], by)), true, nonnegative);
          }};
}

sequence sequence_of_value(translation &ctx, const value &v, const expression &at) {
  if (is_tuple(v.of))
    return {.length = ctx.ir.size(std::int64_t(v.members.size())),
            .at = [v](const value &position) { return v.members[std::size_t(*position.known)]; },
            .unrolled = std::int64_t(v.members.size())};
  if (!is_array(v.of) || v.of->dimensions == 0)
    fail(ctx, operand_error({v.of}), at,
         fmt::format("{} cannot be iterated over: use range, a tuple or an array", display_name(v.of)));
  return {extent(ctx, v, 0), [&ctx, v, &at](const value &position) { return element_or_row(ctx, v, position, at); }};
}

sequence enumerated(translation &ctx, const sequence &of, const value &first, const expression &at) {
  return {.length = of.length,
          .at = [&ctx, first, of, &at](
                    const value &position) { return tuple({binary(ctx, "+", first, position, at), of.at(position)}); },
          .unrolled = of.unrolled,
          .one_way = "enumerate"};
}

sequence zipped(translation &ctx, std::vector<sequence> operands, bool strict, const expression &at) {
  node length = operands[0].length;
  std::optional<std::int64_t> unrolled;
  for (const sequence &s : operands) {
    if (strict)
      ctx.ir.branch(ctx.ir.compare(operation::ne, length, s.length),
                    [&] { emit_error(ctx, "ValueError: zip() arguments have different lengths", at.at); });
    length = ctx.ir.select(ctx.ir.compare(operation::slt, s.length, length), s.length, length);
    if (s.unrolled) unrolled = std::min(*s.unrolled, unrolled.value_or(*s.unrolled));
  }
  return {.length = length,
          .at =
              [operands = std::move(operands)](const value &position) {
                std::vector<value> members;
                for (const sequence &s : operands) members.push_back(s.at(position));
                return tuple(std::move(members));
              },
          .unrolled = unrolled,
          .one_way = "zip"};
}

sequence backwards(translation &ctx, const sequence &of, const expression &at) {
  if (!of.one_way.empty())
    fail(ctx, error_kind::typing, at,
         fmt::format("the result of {}() cannot be reversed: reverse its arguments", of.one_way));
  const node length = of.length;
  return {.length = length,
          .at =
              [&ctx, of, length](const value &position) {
                const node last = ctx.ir.add(length, ctx.ir.size(-1));
                value from_end = size_value(ctx, ctx.ir.binary(operation::sub, last, position.parts[0]));
                from_end.known = ctx.ir.known(from_end.parts[0]);
                return of.at(from_end);
              },
          .unrolled = of.unrolled,
          .one_way = "reversed"};
}

void iterate(translation &ctx, const sequence &s, const std::function<void(const value &)> &each,
             const expression &at) {
  if (!s.unrolled)
    return loop_over_range(
        ctx, [&](const value &position) { each(s.at(position)); }, integer(ctx, 0), size_value(ctx, s.length),
        integer(ctx, 1), at);
  const auto length = ctx.ir.known(s.length);
  for (std::int64_t i = 0; i < std::min(*s.unrolled, length.value_or(*s.unrolled)); ++i) {
    const value position = integer(ctx, i);
    if (length)
      each(s.at(position));
    else
      ctx.ir.branch(ctx.ir.compare(operation::slt, position.parts[0], s.length), [&] { each(s.at(position)); });
  }
}

}  // namespace dpep::pykernel
