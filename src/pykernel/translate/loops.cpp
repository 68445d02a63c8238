// Loops over ranges.
#include "pykernel/translate/loops.hpp"

#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

node range_length(translation &ctx, node from, node to, node by) {
  const node zero = ctx.ir.size(0), one = ctx.ir.size(1);
  const node up = ctx.ir.compare(operation::slt, zero, by);
  const node distance =
      ctx.ir.select(up, ctx.ir.binary(operation::sub, to, from), ctx.ir.binary(operation::sub, from, to));
  const node size = ctx.ir.select(up, by, ctx.ir.binary(operation::sub, zero, by));
  const node divisor = ctx.ir.select(ctx.ir.compare(operation::eq, size, zero), one, size);
  const node count =
      ctx.ir.binary(operation::sdiv, ctx.ir.binary(operation::sub, ctx.ir.add(distance, divisor), one), divisor);
  return ctx.ir.select(ctx.ir.compare(operation::slt, distance, one), zero, count);
}

void loop_over_range(translation &ctx, const std::function<void(const value &)> &each, const value &start,
                     const value &stop, const value &step, const expression &at) {
  const node from = integer_node(ctx, start, at, "range's start"), to = integer_node(ctx, stop, at, "range's stop"),
             by = integer_node(ctx, step, at, "range's step");
  const std::uint32_t counter = ctx.ir.variable(machine_type::i64, "#counter");
  if (step.known == 0) fail(ctx, error_kind::value, at, "range's step must not be zero");
  const auto value_at = [&](node n, bool nonnegative) {
    value v = scalar(ctx, dtype::int64, n, true, nonnegative);
    v.known.reset();
    return v;
  };
  const bool may_wrap = is_unsigned(step.of->element) && size_of(step.of->element) == sizeof(std::int64_t);
  if (step.known || (step.nonnegative && !may_wrap)) {
    // A variable step that is not negative has been compared with zero. Then no division is needed for the number of
    // iterations, and LLVM knows how the counter advances.
    const bool up = !step.known || *step.known > 0;
    ctx.ir.set(counter, from);
    return ctx.ir.loop(
        [&] {
          return up ? ctx.ir.compare(operation::slt, ctx.ir.get(counter), to)
                    : ctx.ir.compare(operation::slt, to, ctx.ir.get(counter));
        },
        [&] {
          value v = value_at(ctx.ir.get(counter), up ? start.nonnegative : stop.nonnegative);
          v.is_short = up && start.nonnegative && stop.is_short;
          each(v);
          ctx.ir.line = at.at.line;
          ctx.ir.set(counter, ctx.ir.binary(operation::add, ctx.ir.get(counter), by, true));
        });
  }
  // The sign of the step is not known: compute the number of iterations first.
  const node zero = ctx.ir.size(0), one = ctx.ir.size(1);
  const node count = range_length(ctx, from, to, by);
  ctx.ir.set(counter, zero);
  ctx.ir.loop([&] { return ctx.ir.compare(operation::slt, ctx.ir.get(counter), count); },
              [&] {
                each(value_at(ctx.ir.add(from, ctx.ir.mul(ctx.ir.get(counter), by)), false));
                ctx.ir.line = at.at.line;
                ctx.ir.set(counter, ctx.ir.binary(operation::add, ctx.ir.get(counter), one, true));
              });
}

}  // namespace dpep::pykernel
