// Detection of reads of uninitialised memory (DPEP_CHECK): private and local memory is followed by a shadow of the same
// layout, in which an element is 1 if the corresponding element was written. Reading another element ends the kernel.
#include "pykernel/translate/initialisation_checks.hpp"

#include <fmt/format.h>

#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/work_item_ids.hpp"

namespace dpep::pykernel {
namespace {

node number(ir_builder &b, machine_type m, int x) { return is_float(m) ? b.real(m, x) : b.integer(m, x); }

}  // namespace

void check_initialised(translation &ctx, type of, node address) {
  if (!of->shadow) return;
  const machine_type m = memory_type_of(of->element);
  const node written = ctx.ir.load(m, ctx.ir.offset(address, ctx.ir.size(1), of->shadow));
  ctx.ir.branch(ctx.ir.compare(is_float(m) ? operation::feq : operation::eq, written, number(ctx.ir, m, 0)), [&] {
    ctx.ir.fail(
        of->space == address_space::local_space
            ? "RuntimeError: read of an element of local memory that no work-item of the group has written"
            : "RuntimeError: read of an element of a private array that was never written: write it first, or create "
              "the array with fill_zeros=True",
        ctx.source().file, ctx.source().name);
  });
}

void mark_initialised(translation &ctx, type of, node address) {
  if (!of->shadow) return;
  const machine_type m = memory_type_of(of->element);
  ctx.ir.store(ctx.ir.offset(address, ctx.ir.size(1), of->shadow), number(ctx.ir, m, 1));
}

void mark_all(translation &ctx, const value &array, bool written) {
  const type t = array.of;
  if (!t->shadow) return;
  const machine_type m = memory_type_of(t->element);
  const auto bytes = std::int64_t(size_of(t->element));
  const bool shared = !written;  // each work-item of the group resets a part
  const auto each = [&](const value &i) {
    const node element = ctx.ir.offset(array.parts[0], i.parts[0], bytes);
    ctx.ir.store(ctx.ir.offset(element, ctx.ir.size(1), t->shadow), number(ctx.ir, m, written));
  };
  expression at;
  at.at = ctx.current->called_at;
  const value start = shared ? linear_id(ctx, "__dpep_local_id", "__dpep_local_size") : integer(ctx, 0);
  node step = ctx.ir.size(1);
  for (int d = 0; shared && d < ctx.dimensions(); ++d)
    step = ctx.ir.mul(step, item_id(ctx, "__dpep_local_size", d).parts[0]);
  loop_over_range(ctx, each, start, size_value(ctx, elements(ctx, array)),
                  shared ? size_value(ctx, step) : integer(ctx, 1), at);
}

std::int64_t local_shadow_offset(type t) {
  std::int64_t bytes = std::int64_t(size_of(t->element));
  for (const std::int64_t length : t->extents) bytes *= length;
  return (bytes + 63) / 64 * 64;
}

}  // namespace dpep::pykernel
