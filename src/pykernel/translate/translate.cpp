// The passes over a kernel: parameters, body, result.
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/debug_variables.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/initialisation_checks.hpp"
#include "pykernel/translate/loop_results.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/reducers.hpp"
#include "pykernel/translate/slices.hpp"
#include "pykernel/translate/statements.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {

std::size_t argument_bytes(type t) { return machine_types_of(t).size() * 8; }

translation::translation(const compile_request &r, kernel_ir &k)
    : ir(k), request(r), kernel(k), root(std::make_unique<frame>(r.function)) {
  collect_locals(*root, r.function.source.body);
  root->assigned = root->locals;
  for (const parameter &p : r.function.source.parameters) root->locals.insert(p.name);
}

namespace {

/// Reads an argument at `offset`, and advances the offset past it.
value argument(translation &ctx, type t, std::int64_t &offset) {
  std::vector<node> parts;
  for (const machine_type m : machine_types_of(t)) {
    const bool is_extent = is_array(t) && !parts.empty() && parts.size() <= t->dimensions;
    // Bools are bytes in memory.
    const bool is_aligned = is_array(t) && parts.empty() && t->aligned_rows;
    node n = ctx.ir.argument(m == machine_type::i1 ? machine_type::i8 : m, offset,
                             is_aligned   ? 4
                             : !is_extent ? 0
                             : t->index32 ? 31
                                          : 63);
    if (m == machine_type::i1) n = ctx.ir.compare(operation::ne, n, ctx.ir.integer(machine_type::i8, 0));
    parts.push_back(n);
    offset += 8;
  }
  // The address of a local accessor is passed as an offset in the work-group's local memory.
  if (is_array(t) && t->space == address_space::local_space)
    parts[0] = ctx.ir.offset(ctx.ir.call(machine_type::pointer, "__dpep_local_memory", {}),
                             ctx.ir.cast(operation::bits, machine_type::i64, parts[0]), 1);
  const node *first = parts.data();
  value v = value_of(t, first);
  if (ctx.request.check && is_array(t) && t->space == address_space::local_space)
    v.of = array_with_shadow(t, local_shadow_offset(t));
  return v;
}

/// Sets the result of an elementwise function.
void emit_result(translation &ctx) {
  const function_source &source = ctx.root->function.source;
  if (!always_returns(source.body))
    fail(ctx, error_kind::typing, source.at,
         fmt::format("'{}' can end without returning a value: element functions must return a number on every path; "
                     "add a return statement at the end",
                     source.name));
  expression at;
  at.at = source.at;
  value v = read(ctx, "#result", at);
  if (ctx.request.result) v = convert(ctx, v, ctx.request.result, at);
  for (const type t : ctx.request.arguments)
    for (const machine_type m : machine_types_of(t))
      ctx.kernel.parameters.push_back(m == machine_type::i1 ? machine_type::i8 : m);
  for (const node n : v.parts)
    ctx.kernel.results.push_back(
        ctx.ir.type_of(n) == machine_type::i1 ? ctx.ir.cast(operation::zext, machine_type::i8, n) : n);
  ctx.kernel.result = v.of->element;
  ctx.kernel.result_type = v.of;
}

/// Translates the function once. Returns whether another pass is needed.
bool run_pass(translation &ctx) {
  ++ctx.pass;
  ctx.changed = false;
  ctx.stores = 0;
  const function_source &source = ctx.root->function.source;
  ctx.kernel = {};
  ctx.kernel.name = source.name;
  ctx.kernel.file = source.file;
  ctx.kernel.line = source.at.line;
  ctx.kernel.debug = ctx.request.debug;
  ctx.ir = ir_builder(ctx.kernel);
  ctx.current = ctx.root.get();
  ctx.current->loops.clear();
  ctx.current->none_parameters.clear();
  ctx.current->end_scope = ctx.ir.new_scope();
  enter_call_site(ctx, *ctx.current, source.at);
  // Debuggers set a breakpoint on a function name after the instructions that have no line.
  ctx.ir.line = ctx.request.debug && ctx.request.elementwise ? 0 : source.at.line;
  ctx.ir.fast = ctx.root->function.fast_math;
  for (auto &[name, variable] : ctx.root->variables) {
    variable.is_set.reset();
    if (variable.optional) begin_unset(ctx, name, none_type());
  }
  std::int64_t offset = 0;
  expression at;
  std::vector<value> arguments;
  std::vector<std::pair<value, value>> copies;   // of short arrays that are reduced, and the arrays
  std::vector<std::pair<value, node>> reducers;  // and the addresses of their results
  for (std::size_t i = 0; i < ctx.request.arguments.size(); ++i) {
    at.at = source.parameters[i].at;
    arguments.push_back(argument(ctx, ctx.request.arguments[i], offset));
    if (ctx.request.loop && arguments.back().of->what == type_properties::kind::none) {
      begin_unset(ctx, source.parameters[i].name, arguments.back().of);
      continue;
    }
    value v = arguments.back();
    if (v.of->what == type_properties::kind::reduction) {
      v = begin_reducer(ctx, v.of, at);
      reducers.emplace_back(v, arguments.back().parts[0]);
    }
    if (ctx.request.loop) {
      v = own_argument(ctx, source.parameters[i].name, v, at);
      // Private memory has no aliases, so the elements of a short array stay in registers.
      if (reduces(ctx, source.parameters[i].name) && is_array(v.of))
        if (const std::optional<value> copy = stored(ctx, v, at)) {
          copies.emplace_back(*copy, v);
          v = *copy;
        }
    }
    if (is_array(v.of)) v.origin = source.parameters[i].name;
    assign_parameter(ctx, source.parameters[i].name, v, at);
  }
  for (std::size_t i = ctx.request.arguments.size(); i < source.parameters.size(); ++i) {
    at.at = source.parameters[i].at;
    assign_parameter(ctx, source.parameters[i].name, constant(ctx, *ctx.root->function.defaults[i], at), at);
  }
  reset_local_shadow(ctx, arguments);
  if (ctx.request.loop) begin_reductions(ctx);
  const std::vector<type> known = std::exchange(ctx.local_arrays, {});
  ctx.ir.scope(ctx.current->end_scope, [&] {
    ctx.root->body_block = ctx.ir.current_block();
    body(ctx, source.body);
  });
  if (ctx.request.check && known != ctx.local_arrays) ctx.changed = true;
  for (const auto &[copy, array] : copies) store_elements(ctx, array, copy, {}, at);
  for (const auto &[reducer, memory] : reducers) store_reducer(ctx, reducer, memory, at);
  if (ctx.request.elementwise) emit_result(ctx);
  if (ctx.request.loop) store_outputs(ctx, offset);
  return ctx.changed;
}

/// Refuses kernels of which one work-item may end while others wait for it at a barrier of the launch, forever.
void check_waiting(const compile_request &r, const kernel_ir &k) {
  const auto waits = [&](const instruction &i) {
    return i.what == operation::call && k.text_of(i) == "dpep_barrier_of_launch";
  };
  const auto fails = [](const instruction &i) {
    return i.what == operation::fail_with || (i.what == operation::fail && !i.flag);
  };
  if (std::ranges::any_of(k.instructions, fails) && std::ranges::any_of(k.instructions, waits))
    throw compile_error(error_kind::unsupported, r.function.source, r.function.source.at,
                        "some work-items may end with an error while others wait for them");
}

}  // namespace

std::shared_ptr<const kernel_ir> translate(const compile_request &r) {
  const auto &parameters = r.function.source.parameters;
  const auto is_missing = [&](std::size_t i) { return i >= r.function.defaults.size() || !r.function.defaults[i]; };
  const auto not_given = std::views::iota(std::min(r.arguments.size(), parameters.size()), parameters.size());
  if (r.arguments.size() > parameters.size() || std::ranges::any_of(not_given, is_missing))
    throw compile_error(error_kind::typing, r.function.source, r.function.source.at,
                        fmt::format("{} '{}' takes {} arguments, got {}", r.elementwise ? "function" : "kernel",
                                    r.function.source.name, parameters.size(), r.arguments.size()));
  auto k = std::make_shared<kernel_ir>();
  translation ctx(r, *k);
  // Types only widen, so this terminates; the bound guards against defects.
  for (int passes = 0; passes < 64; ++passes) {
    try {
      if (run_pass(ctx)) continue;
      check_waiting(r, *k);
      return k;
    } catch (const compile_error &e) {
      if (ctx.pass > 1 || !ctx.unread || e.kind() == error_kind::whole_array) throw;
      throw compile_error(*ctx.unread);
    }
  }
  throw compile_error(error_kind::typing, r.function.source, r.function.source.at,
                      "the types of the variables cannot be inferred: give variables that are assigned different types "
                      "different names");
}

}  // namespace dpep::pykernel
