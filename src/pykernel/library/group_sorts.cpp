// joint_sort and sort_over_group: Batcher's odd-even merge sort, which works for any number of elements (K. E. Batcher,
// Sorting networks and their applications, 1968; Knuth, The Art of Computer Programming, volume 3, algorithm 5.2.2M).
#include <fmt/format.h>

#include "pykernel/library/group_call.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {
namespace {

bool is_descending(const group_call &c) {
  const value *const given = find_argument(c.args, 2, "descending");
  return given && constant_integer(c.ctx, *given, c.at, "descending");
}

void require_order(const group_call &c, dtype t) {
  if (is_complex(t))
    fail(c.ctx, error_kind::typing, c.at, fmt::format("{}(): complex numbers have no order", c.function));
}

/// Whether x comes after y. NaN comes last, as in NumPy.
node is_after(const group_call &c, const value &x, const value &y, bool descending) {
  translation &ctx = c.ctx;
  const node after = compare(ctx, descending ? "<" : ">", x, y, c.at).parts[0];
  if (!is_real(x.of->element)) return after;
  const node a = x.parts[0], b = y.parts[0];
  return ctx.ir.binary(
      operation::bit_or, after,
      ctx.ir.binary(operation::bit_and, ctx.ir.compare(operation::fne, a, a), ctx.ir.compare(operation::feq, b, b)));
}

/// Emits the steps of the network over n elements. `step` compares elements whose distance is k; `is_lower` says
/// whether an element is the first of a pair.
void network(const group_call &c, node n,
             const std::function<void(node k, const std::function<node(node element)> &is_lower)> &step) {
  ir_builder &ir = c.ctx.ir;
  const node one = ir.size(1), zero = ir.size(0);
  const std::uint32_t outer = ir.variable(machine_type::i64, "#merged"),
                      inner = ir.variable(machine_type::i64, "#distance");
  ir.set(outer, one);
  ir.loop([&] { return ir.compare(operation::slt, ir.get(outer), n); },
          [&] {
            const node p = ir.get(outer);
            ir.set(inner, p);
            ir.loop([&] { return ir.compare(operation::slt, zero, ir.get(inner)); },
                    [&] {
                      const node k = ir.get(inner);
                      step(k, [&ir, p, k, n, zero](node element) {
                        // k and p are powers of two. The first pair begins at k mod p.
                        const node mask = ir.add(p, ir.size(-1));
                        const node from_start =
                            ir.binary(operation::sub, element, ir.binary(operation::bit_and, k, mask));
                        const node upper = ir.add(element, k);
                        const node even = ir.compare(operation::eq, ir.binary(operation::bit_and, from_start, k), zero);
                        const node same_run =
                            ir.compare(operation::eq,
                                       ir.binary(operation::bit_and, ir.binary(operation::bit_xor, element, upper),
                                                 ir.binary(operation::sub, zero, ir.add(p, p))),
                                       zero);
                        const node inside = ir.binary(operation::bit_and, ir.compare(operation::sle, zero, from_start),
                                                      ir.compare(operation::slt, upper, n));
                        return ir.binary(operation::bit_and, inside, ir.binary(operation::bit_and, even, same_run));
                      });
                      ir.set(inner, ir.binary(operation::lshr, ir.get(inner), one));
                    });
            ir.set(outer, ir.add(ir.get(outer), ir.get(outer)));
          });
}

}  // namespace

value joint_sort(const group_call &c) {
  translation &ctx = c.ctx;
  const expression &at = c.at;
  check_count(ctx, c.args, 2, 3);
  const value &array = require_argument(ctx, c.args, 1, "array");
  require_one_dimension(c, array);
  require_order(c, array.of->element);
  const bool descending = is_descending(c);
  const char *const barrier = c.is_sub_group() ? "__dpep_sub_group_barrier" : "__dpep_group_barrier";
  const node n = extent(ctx, array, 0);
  const value first = size_value(ctx, local_id(c)), stride = size_value(ctx, group_size(c));
  ctx.ir.call(machine_type::none, barrier, {});
  network(c, n, [&](node k, const std::function<node(node)> &is_lower) {
    loop_over_range(
        ctx,
        [&](const value &i) {
          ctx.ir.branch(is_lower(i.parts[0]), [&] {
            const value other = size_value(ctx, ctx.ir.add(i.parts[0], k));
            const node low = element_address(ctx, array, {i}, at), high = element_address(ctx, array, {other}, at);
            const value x = load(ctx, array, low), y = load(ctx, array, high);
            ctx.ir.branch(is_after(c, x, y, descending), [&] {
              store(ctx, array, low, y, at);
              store(ctx, array, high, x, at);
            });
          });
        },
        first, size_value(ctx, n), stride, at);
    ctx.ir.call(machine_type::none, barrier, {});
  });
  return none();
}

value sort_over_group(const group_call &c) {
  translation &ctx = c.ctx;
  check_count(ctx, c.args, 2, 3);
  const value &x = require_argument(ctx, c.args, 1, "x");
  if (!is_scalar(x.of))
    fail(ctx, error_kind::typing, c.at, fmt::format("{}() takes a number, got {}", c.function, display_name(x.of)));
  require_order(c, x.of->element);
  const bool descending = is_descending(c);
  const node id = local_id(c);
  const std::uint32_t sorted = ctx.ir.variable(machine_type_of(x.of->element), "#sorted");
  ctx.ir.set(sorted, x.parts[0]);
  network(c, group_size(c), [&](node k, const std::function<node(node)> &is_lower) {
    const node below = ctx.ir.binary(operation::sub, id, k);
    const node lower = is_lower(id);
    const node upper =
        ctx.ir.binary(operation::bit_and, ctx.ir.compare(operation::sle, ctx.ir.size(0), below), is_lower(below));
    const node partner = ctx.ir.select(lower, ctx.ir.add(id, k), ctx.ir.select(upper, below, id));
    const value own{.of = x.of, .parts = {ctx.ir.get(sorted)}};
    const value other = call_library(c, "select", own, {partner});
    // The first of a pair takes the other's number if its own comes after it, the second if the other's comes after.
    const node takes = ctx.ir.select(lower, is_after(c, own, other, descending),
                                     ctx.ir.binary(operation::bit_and, upper, is_after(c, other, own, descending)));
    ctx.ir.set(sorted, ctx.ir.select(takes, other.parts[0], own.parts[0]));
  });
  return {.of = x.of, .parts = {ctx.ir.get(sorted)}};
}

}  // namespace dpep::pykernel
