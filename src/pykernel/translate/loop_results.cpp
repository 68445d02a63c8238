// The variables that a compiled loop changes: reductions, and values that are returned.
#include "pykernel/translate/loop_results.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/variables.hpp"
#include "pykernel/translate/work_item_ids.hpp"

namespace dpep::pykernel {
namespace {

expression start_of(const translation &ctx) {
  expression at;
  at.at = ctx.source().at;
  return at;
}

node linear_item(translation &ctx) {
  return ctx.request.single_task ? ctx.ir.size(0) : item_id(ctx, "__dpep_global_id", 0).parts[0];
}

/// Whether an output can be returned: a number, None, or a tuple of those.
bool can_be_returned(type t) {
  if (!is_tuple(t)) return is_scalar(t) || t->what == type_properties::kind::none;
  for (const type m : t->members)
    if (!can_be_returned(m)) return false;
  return true;
}

bool is_parameter(const translation &ctx, std::string_view name) {
  return std::ranges::find(ctx.source().parameters, name, &parameter::name) != ctx.source().parameters.end();
}

}  // namespace

void begin_reductions(translation &ctx) {
  const expression at = start_of(ctx);
  for (const loop_properties::reduction &r : ctx.request.loop->reductions) {
    value before = read(ctx, r.variable, at);
    if (!is_scalar(before.of))
      fail(ctx, error_kind::whole_array, at,
           fmt::format("'{}' is {}, and prange adds up numbers only", r.variable, display_name(before.of)));
    const bool sum = r.operation == "+" || r.operation == "^";
    // Repeating the value before the loop does not change the result of the other operations.
    if (sum || r.operation == "*") {
      const value identity = convert(ctx, integer(ctx, sum ? 0 : 1), before.of, at);
      const node first = ctx.ir.compare(operation::eq, linear_item(ctx), ctx.ir.size(0));
      for (std::size_t i = 0; i < before.parts.size(); ++i)
        before.parts[i] = ctx.ir.select(first, before.parts[i], identity.parts[i]);
    }
    before.known.reset();
    assign(ctx, r.variable, before, at);
  }
}

void store_outputs(translation &ctx, std::int64_t offset) {
  const loop_properties &loop = *ctx.request.loop;
  ctx.kernel.many_iterations = loop.many_iterations;
  if (loop.outputs.empty()) return;
  const expression at = start_of(ctx);
  std::vector<node> parts;
  for (const std::string &name : loop.outputs) {
    const value v = is_assigned(ctx, name) ? read(ctx, name, at) : none();  // only assigned where it is not reached
    // An array that the loop changed in place is still the function's own.
    if (is_array(v.of) && ctx.root->variables.find(name)->second.assignments == 1 && is_parameter(ctx, name)) {
      ctx.kernel.outputs.push_back(v.of);
      continue;
    }
    if (!can_be_returned(v.of))
      fail(ctx, error_kind::whole_array, at,
           fmt::format("'{}' is {} at the end of the loop: only numbers can be returned from it", name,
                       display_name(v.of)));
    ctx.kernel.outputs.push_back(v.of);
    append_parts(v, parts);
  }
  const auto bytes = static_cast<std::int64_t>(8 * parts.size());
  const node to = ctx.ir.offset(ctx.ir.argument(machine_type::pointer, offset), linear_item(ctx), bytes);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const node part = ctx.ir.type_of(parts[i]) == machine_type::i1
                          ? ctx.ir.cast(operation::zext, machine_type::i8, parts[i])
                          : parts[i];
    ctx.ir.store(ctx.ir.offset(to, ctx.ir.size(static_cast<std::int64_t>(i)), 8), part);
  }
}

}  // namespace dpep::pykernel
