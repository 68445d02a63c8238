// The variables that a compiled loop changes: reductions, and values that are returned.
#include "pykernel/translate/loop_results.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/arrays.hpp"
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

std::string_view operation_of(const loop_properties &loop, std::string_view variable) {
  const auto found = std::ranges::find(loop.reductions, variable, &loop_properties::reduction::variable);
  return found == loop.reductions.end() ? std::string_view() : found->operation;
}

/// The name of the group algorithm that reduces numbers of a type; empty if there is none.
std::string group_reduction(type t, std::string_view operation) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"+", "add"}, {"*", "mul"}, {"&", "and"}, {"|", "or"}, {"^", "xor"}, {"min", "min"}, {"max", "max"}};
  if (operation == "and" || operation == "or") return std::string(operation);
  if (is_complex(t->element) && operation != "+") return "";
  const auto *const found = std::ranges::find(names, operation, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(names) ? "" : std::string(found->second);
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

std::vector<node> reduced_over_group(translation &ctx, const value &v, const std::string &name,
                                     std::string_view scope) {
  const dtype e = real_of(v.of->element);
  const dtype wide = e == dtype::float16                                ? dtype::float32
                     : is_real(e) || size_of(e) >= sizeof(std::int32_t) ? e
                     : is_unsigned(e)                                   ? dtype::uint32
                                                                        : dtype::int32;
  std::vector<node> parts;
  for (const node part : v.parts) {
    const value x = convert(ctx, scalar(ctx, e, part), wide, start_of(ctx));
    const node total = ctx.ir.call(machine_type_of(wide),
                                   fmt::format("dpep_{}_reduce_{}_{}", scope, name, name_of(wide)), {x.parts[0]});
    parts.push_back(convert(ctx, scalar(ctx, wide, total), e, start_of(ctx)).parts[0]);
  }
  return parts;
}

bool may_reorder(const translation &ctx, type t) {
  return is_scalar(t) && (is_integer(t->element) || (ctx.ir.fast & reassoc) != 0);
}

value call_of_shared_loop(translation &ctx, std::string_view name, const arguments &a) {
  const value &x = a.positional.at(0);
  if (name == "barrier_of_launch") {
    ctx.ir.call(machine_type::none, "__dpep_require_concurrent_groups", {});
    ctx.ir.call(machine_type::none, "dpep_barrier_of_launch", {element_address(ctx, x, {integer(ctx, 0)}, a.call)});
    return none();
  }
  if (name == "assume") {
    ctx.ir.call(machine_type::none, "llvm.assume", {x.parts[0]});
    return none();
  }
  if (name == "independent") {
    ctx.ir.call(machine_type::none, "__dpep_independent_iteration", {x.parts[0]});
    return none();
  }
  if (name == "integer") {
    const node n = integer_node(ctx, x, a.call, "a bound of range");
    return scalar(ctx, dtype::int64, n, true, x.nonnegative && !is_unsigned(x.of->element));
  }
  if (name == "step") {
    const node step = integer_node(ctx, x, a.call, "range's step");
    ctx.kernel.raises = true;
    ctx.ir.branch(ctx.ir.compare(operation::eq, step, ctx.ir.size(0)), [&] {
      ctx.ir.line = a.call.at.line;
      ctx.ir.fail("ValueError: range() arg 3 must not be zero", ctx.source().file, ctx.source().name, /*of_all=*/true);
    });
    return x;
  }
  if (name == "local" && x.of->weak && x.of->element != dtype::boolean)
    fail(ctx, error_kind::unsupported, a.call, "local memory has no numbers of Python");
  if (name == "local")
    return local_array(ctx, constant_shape(ctx, a.positional.at(1), a.call, "a copy's size"), x.of->element, a.call);
  if (!may_reorder(ctx, x.of))
    fail(ctx, error_kind::unsupported, a.call,
         fmt::format("the order of operations on {} is given", display_name(x.of)));
  const std::string_view operation = name.substr(name.rfind('_') + 1);
  value result = x;
  result.known.reset();
  result.nonnegative = false;
  if (name.starts_with("identity")) {
    result.parts = convert(ctx, integer(ctx, operation == "mul" ? 1 : operation == "and" ? -1 : 0), x.of, a.call).parts;
  } else {
    const std::string_view scope = name.starts_with("sub_group") ? "sub_group" : "group";
    result.parts = reduced_over_group(ctx, x, std::string(operation), scope);
  }
  return result;
}

bool reduces(const translation &ctx, std::string_view name) { return !operation_of(*ctx.request.loop, name).empty(); }

bool updates_reduction(const translation &ctx, const expression &e) {
  const bool is_own = e.what == expression::kind::name && ctx.current == ctx.root.get();
  return is_own && ctx.request.loop && reduces(ctx, e.text);
}

bool is_array_reduction(const translation &ctx, std::string_view name) {
  if (!ctx.request.loop || ctx.current != ctx.root.get() || operation_of(*ctx.request.loop, name).empty()) return false;
  const auto found = ctx.root->variables.find(name);
  return found != ctx.root->variables.end() && found->second.of && is_array(found->second.of);
}

value own_argument(translation &ctx, std::string_view name, const value &given, const expression &at) {
  const std::string_view operation = operation_of(*ctx.request.loop, name);
  const auto &scratch = ctx.request.loop->scratch;
  const bool own = !operation.empty() || std::ranges::find(scratch, name) != scratch.end();
  if (!own || !is_array(given.of)) return given;
  if (operation == "and" || operation == "or")
    fail(ctx, error_kind::whole_array, at,
         fmt::format("'{}' is an array, whose truth value is not defined: use & or |", name));
  return element_or_row(ctx, given, size_value(ctx, linear_item(ctx)), at);
}

void begin_reductions(translation &ctx) {
  const expression at = start_of(ctx);
  for (const loop_properties::reduction &r : ctx.request.loop->reductions) {
    if (may_be_unset(ctx, r.variable))
      fail(ctx, error_kind::name, at,
           fmt::format("'{}' has no value before the loop, which reduces it: assign it before the loop", r.variable));
    value before = read(ctx, r.variable, at);
    if (is_array(before.of)) continue;
    if (!is_scalar(before.of))
      fail(ctx, error_kind::whole_array, at,
           fmt::format("'{}' is {}, and prange reduces numbers and arrays only", r.variable, display_name(before.of)));
    if ((r.operation == "and" || r.operation == "or") && before.of->element != dtype::boolean)
      fail(ctx, error_kind::typing, at,
           fmt::format("'{}' is reduced with '{}', so it must be a bool and not {}", r.variable, r.operation,
                       display_name(before.of)));
    const bool sum = r.operation == "+" || r.operation == "^";
    // The other operations are idempotent, so each work-item can begin with the value before the loop.
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
  ctx.kernel.many_iterations = loop.many_iterations && !loop.vectorises_items;
  if (loop.outputs.empty()) return;
  const expression at = start_of(ctx);
  std::vector<value> values;
  std::vector<std::string_view> operations;  // of `values`
  std::vector<node> flags;                   // of the outputs that may be unset
  bool by_groups = ctx.request.grouped;
  for (const std::string &name : loop.outputs) {
    std::optional<std::uint32_t> is_set;
    if (may_be_unset(ctx, name)) is_set = std::exchange(ctx.root->variables.find(name)->second.is_set, {});
    // The caller takes None for an output that the loop did not assign.
    if (is_set && !is_parameter(ctx, name))
      fail(ctx, error_kind::whole_array, at, fmt::format("'{}' may be None at the end of the loop", name));
    value v = is_assigned(ctx, name) ? read(ctx, name, at) : none();  // only unreachable code assigns it
    ctx.kernel.outputs.push_back(v.of);
    if (is_array_reduction(ctx, name)) continue;  // its memory belongs to the caller
    if (is_set && v.of->what == type_properties::kind::none) {
      if (!is_assigned(ctx, name)) continue;  // the caller's variable stays as it is
      fail(ctx, error_kind::whole_array, at, fmt::format("'{}' is assigned None", name));
    }
    // An array that is not assigned, only changed in place, is the object that the call passed.
    if (!is_set && is_array(v.of) && ctx.root->variables.find(name)->second.assignments == 1 && is_parameter(ctx, name))
      continue;
    if (!can_be_returned(v.of))
      fail(ctx, error_kind::whole_array, at,
           fmt::format("'{}' is {} at the end of the loop: only numbers can be returned from it", name,
                       display_name(v.of)));
    if (is_set) {
      ctx.kernel.optional_outputs.push_back(static_cast<std::uint32_t>(ctx.kernel.outputs.size() - 1));
      flags.push_back(ctx.ir.get(*is_set));
    }
    values.push_back(std::move(v));
    operations.push_back(operation_of(loop, name));
    if (by_groups) by_groups = !group_reduction(values.back().of, operations.back()).empty();
  }
  std::vector<node> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (by_groups) values[i].parts = reduced_over_group(ctx, values[i], group_reduction(values[i].of, operations[i]));
    append_parts(values[i], parts);
  }
  parts.insert(parts.end(), flags.begin(), flags.end());
  ctx.kernel.outputs_of_groups = by_groups;
  const auto bytes = static_cast<std::int64_t>(8 * parts.size());
  const node slot = by_groups ? item_id(ctx, "__dpep_group_id", 0).parts[0] : linear_item(ctx);
  const auto store = [&] {
    const node to = ctx.ir.offset(ctx.ir.argument(machine_type::pointer, offset), slot, bytes);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const node part = ctx.ir.type_of(parts[i]) == machine_type::i1
                            ? ctx.ir.cast(operation::zext, machine_type::i8, parts[i])
                            : parts[i];
      ctx.ir.store(ctx.ir.offset(to, ctx.ir.size(static_cast<std::int64_t>(i)), 8), part);
    }
  };
  if (!by_groups) return store();
  const node leader = ctx.ir.compare(operation::eq, item_id(ctx, "__dpep_local_id", 0).parts[0], ctx.ir.size(0));
  ctx.ir.branch(leader, store);
}

}  // namespace dpep::pykernel
