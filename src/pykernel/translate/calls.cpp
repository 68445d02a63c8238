// Calls: methods, builtin functions, device functions.
#include "pykernel/translate/calls.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/array_reductions.hpp"
#include "pykernel/translate/debug_variables.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/out_of_line_functions.hpp"
#include "pykernel/translate/reducers.hpp"
#include "pykernel/translate/statements.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {
namespace {

std::optional<std::pair<value, std::string>> method_of(translation &ctx, const expression &target) {
  using kinds = expression::kind;
  if (target.what == kinds::attribute) return std::pair(evaluate(ctx, *target.parts[0]), target.text);
  // getattr(x, "name") with a constant name.
  if (target.what == kinds::call && target.parts.size() == 3 && target.parts[0]->what == kinds::name &&
      target.parts[0]->text == "getattr") {
    const value name = evaluate(ctx, *target.parts[2]);
    if (name.of->what != type_properties::kind::text)
      fail(ctx, error_kind::typing, target, "getattr() takes a constant string as the attribute's name");
    return std::pair(evaluate(ctx, *target.parts[1]), name.text);
  }
  return std::nullopt;
}

value call_builtin(translation &ctx, const std::string &name, const arguments &a) {
  if (name == "builtins.min" || name == "builtins.max" || name == "builtins.sum")
    if (auto v = array_reduction(ctx, name, a)) return *v;
  if (auto v = python_function(ctx, name, a)) return *v;
  if (auto v = math_function(ctx, name, a)) return *v;
  if (auto v = creation_function(ctx, name, a)) return *v;
  if (name.starts_with("numpy.") || name.starts_with("dpnp.") || name.starts_with("dpctl.tensor."))
    if (auto v = array_reduction(ctx, name.substr(name.rfind('.') + 1), a)) return *v;
  if (ctx.request.elementwise && !name.ends_with("PrivateArray") && !name.ends_with("private_array"))
    fail(ctx, error_kind::unsupported, a.call,
         fmt::format("{}() is not available in element functions, which get one number of each operand and no "
                     "work-item: write a kernel",
                     a.function));
  if (auto v = kernel_function(ctx, name, a)) return *v;
  if (auto v = group_function(ctx, name, a)) return *v;
  if (auto v = atomic_function(ctx, name, a)) return *v;
  const bool of_arrays = name.starts_with("numpy.") || name.starts_with("dpnp.") || name.starts_with("dpctl.tensor.");
  fail(ctx, of_arrays ? error_kind::array_function : error_kind::unsupported, a.call,
       fmt::format("{} is not available in kernels{}", name,
                   of_arrays ? ": kernels compute with numbers; create arrays outside of the kernel, and pass them"
                             : ""));
}

/// What the end of a function's statements does, where a call can reach it and other paths return a value. Python's
/// None is false, so a result of which only the truth value is used is 0.
void end_without_value(translation &ctx, const frame &called, const expression &at) {
  const auto result = called.variables.find("#result");
  if (result == called.variables.end() || !result->second.of || result->second.of->what == type_properties::kind::none)
    return;
  const type t = result->second.of;
  const function_source &source = called.function.source;
  if (called.is_result_used)
    emit_error(ctx, fmt::format("TypeError: {}() ended without returning a value, and its result is used", source.name),
               source.at);
  else if (is_scalar(t))
    assign(ctx, "#result", convert(ctx, integer(ctx, 0), t, at), at);
}

value call_function(translation &ctx, const callable &f, std::vector<value> positional,
                    std::vector<std::pair<std::string, value>> keywords, const expression &at) {
  std::vector<const callable *> callers = ctx.request.callers;
  for (const frame *x = ctx.current; x; x = x->caller) callers.push_back(&x->function);
  for (const callable *caller : callers)
    if (caller == &f)
      fail(ctx, error_kind::unsupported, at,
           fmt::format("'{}' calls itself: kernels have no recursion; write a loop, with a PrivateArray as a stack",
                       f.source.name));
  const auto &parameters = f.source.parameters;
  if (const std::size_t most = parameters.size() - f.keyword_only; positional.size() > most)
    fail(ctx, error_kind::typing, at,
         fmt::format("{}() takes {} {}arguments, got {}", f.source.name, most, f.keyword_only ? "positional " : "",
                     positional.size()));
  std::vector<std::optional<value>> given(parameters.size());
  for (std::size_t i = 0; i < positional.size(); ++i) given[i] = std::move(positional[i]);
  for (auto &[name, v] : keywords) {
    const auto p = std::ranges::find(parameters, name, &parameter::name);
    if (p == parameters.end())
      fail(ctx, error_kind::typing, at, fmt::format("{}() has no parameter '{}'", f.source.name, name));
    const auto i = std::size_t(p - parameters.begin());
    if (given[i]) fail(ctx, error_kind::typing, at, fmt::format("{}() got two values for '{}'", f.source.name, name));
    given[i] = std::move(v);
  }
  std::vector<type> types;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) {
      if (!f.defaults[i])
        fail(ctx, error_kind::typing, at,
             fmt::format("{}() is missing its argument '{}'", f.source.name, parameters[i].name));
      given[i] = constant(ctx, *f.defaults[i], at);
    }
    types.push_back(given[i]->of);
  }
  if (!f.signatures.empty()) {
    const auto exact = std::ranges::find(f.signatures, types);
    const std::vector<type> &wanted = exact != f.signatures.end() ? *exact : f.signatures.front();
    if (wanted.size() != types.size())
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() has a signature of {} types, got {} arguments", f.source.name, wanted.size(),
                       types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) given[i] = convert(ctx, *given[i], wanted[i], at);
    types = wanted;
  }
  std::vector<value> values;
  for (auto &v : given) values.push_back(*std::move(v));
  if (std::optional<value> result = call_out_of_line(ctx, f, values, types)) return *std::move(result);
  std::unique_ptr<frame> &inner = ctx.current->calls[{&at, types}];
  if (!inner) {
    inner = std::make_unique<frame>(f);
    collect_locals(*inner, f.source.body);
    for (const parameter &p : parameters) inner->locals.insert(p.name);
  }
  inner->caller = ctx.current;
  inner->called_at = at.at;
  inner->shared = ctx.current->shared || at.shared;
  inner->is_result_used = std::ranges::find(ctx.unused, &at) == ctx.unused.end();
  inner->end_scope = ctx.ir.new_scope();
  ctx.current = inner.get();
  enter_call_site(ctx, *inner, at.at);
  const std::uint8_t outer_math = std::exchange(ctx.ir.fast, f.fast_math);
  for (std::size_t i = 0; i < values.size(); ++i) assign_parameter(ctx, parameters[i].name, values[i], at);
  ctx.ir.scope(inner->end_scope, [&] {
    // Assignments of parameters belong to the call site, so that a breakpoint on the function is after them.
    const std::uint32_t outside = std::exchange(ctx.ir.site, inner->site);
    inner->body_block = ctx.ir.current_block();
    body(ctx, f.source.body);
    if (!always_returns(f.source.body)) end_without_value(ctx, *inner, at);
    ctx.ir.site = outside;
  });
  ctx.ir.fast = outer_math;
  value result = none();
  if (const auto r = inner->variables.find("#result"); r != inner->variables.end() && r->second.of)
    result = read(ctx, "#result", at);
  ctx.current = inner->caller;
  ctx.ir.line = at.at.line;
  return result;
}

}  // namespace

unused_results::unused_results(translation &ctx, const expression &e) : ctx_(ctx), before_(ctx.unused.size()) {
  add(e);
}

void unused_results::add(const expression &e) {
  using kind = expression::kind;
  if (e.what == kind::call) ctx_.unused.push_back(&e);
  if (e.what == kind::conditional || e.what == kind::and_ || e.what == kind::or_ ||
      (e.what == kind::unary && e.text == "not"))
    for (const auto &part : e.parts) add(*part);
}

arguments evaluate_arguments(translation &ctx, const expression &e, std::string name) {
  arguments a{e, std::move(name), {}, {}};
  const std::size_t count = e.parts.size() - 1, positional = count - e.names.size();
  for (std::size_t i = 0; i < count; ++i) {
    const expression &part = *e.parts[i + 1];
    if (part.what == expression::kind::other && part.text == "Starred") {
      const value v = evaluate(ctx, *part.parts[0]);
      if (!is_tuple(v.of))
        fail(ctx, error_kind::typing, part,
             fmt::format("only tuples can be unpacked with *, got {}", display_name(v.of)));
      a.positional.insert(a.positional.end(), v.members.begin(), v.members.end());
    } else if (i < positional) {
      a.positional.push_back(evaluate(ctx, part));
    } else {
      if (e.names[i - positional].empty())
        fail(ctx, error_kind::unsupported, part, "kernels do not support **: write the keyword arguments out");
      a.keywords.emplace_back(e.names[i - positional], evaluate(ctx, part));
    }
  }
  ctx.ir.line = e.at.line;
  return a;
}

value call(translation &ctx, const expression &e) {
  const expression &target = *e.parts[0];
  // A method of a value, or a function that is an attribute of a module.
  if (const auto method = method_of(ctx, target)) {
    const auto &[of, name] = *method;
    const bool is_module = of.object && of.object->what == entity::kind::object;
    const bool is_type = of.object && of.object->what == entity::kind::data_type && name == "type";
    if (!is_module && !is_type) {
      if (is_item_method(name) && !is_item(of.of))
        fail(ctx, error_kind::typing, e,
             fmt::format("{} is {}, not a work-item, so it has no method '{}'{}", source_text(ctx, *target.parts[0]),
                         display_name(of.of), name, launch_hint(ctx)));
      arguments a = evaluate_arguments(ctx, e, name);
      switch (of.of->what) {
      case type_properties::kind::item:
      case type_properties::kind::nd_item:
      case type_properties::kind::group:
      case type_properties::kind::sub_group:
        return item_method(ctx, of, name, a);
      case type_properties::kind::atomic:
        return atomic_method(ctx, of, name, a);
      case type_properties::kind::reduction:
        if (name != "combine") break;
        check_count(ctx, a, 1, 1);
        combine_with(ctx, of, require_argument(ctx, a, 0, "partial"), {}, e);
        return none();
      case type_properties::kind::scalar:
        return number_method(ctx, of, name, a);
      case type_properties::kind::array:
      case type_properties::kind::array_expression: {
        arguments with_self = a;
        with_self.positional.insert(with_self.positional.begin(), of);
        if (auto v = array_reduction(ctx, name, with_self)) return *v;
        break;
      }
      default:
        break;
      }
      fail(ctx, is_whole_array(of) ? error_kind::array_function : error_kind::unsupported, e,
           fmt::format("{} has no method '{}' in kernels{}", display_name(of.of), name,
                       is_array(of.of) ? ": kernels compute with elements; write a loop" : ""));
    }
  }
  const value callee = evaluate(ctx, target);
  if (!callee.object)
    fail(ctx, error_kind::typing, target,
         fmt::format("{} is {}, which cannot be called", source_text(ctx, target), display_name(callee.of)));
  const entity &f = *callee.object;
  switch (f.what) {
  case entity::kind::builtin: {
    if (std::optional<value> v = array_of_members(ctx, f.text, e)) return *std::move(v);
    arguments a = evaluate_arguments(ctx, e, f.text.substr(f.text.rfind('.') + 1));
    return call_builtin(ctx, f.text, a);
  }
  case entity::kind::data_type: {
    const arguments a = evaluate_arguments(ctx, e, source_text(ctx, target));
    check_count(ctx, a, 0, is_complex(f.element) ? 2 : 1);
    if (a.positional.empty()) return convert(ctx, integer(ctx, 0), scalar_type(f.element, f.weak), e);
    if (a.positional.size() == 2) {
      const type part = scalar_type(real_of(f.element), f.weak);
      return {
          .of = scalar_type(f.element, f.weak),
          .parts = {convert(ctx, a.positional[0], part, e).parts[0], convert(ctx, a.positional[1], part, e).parts[0]}};
    }
    if (!is_scalar(a.positional[0].of))
      fail(ctx, error_kind::typing, e,
           fmt::format("{}() takes a number, got {}", source_text(ctx, target), display_name(a.positional[0].of)));
    if (f.element == dtype::boolean) return scalar(ctx, dtype::boolean, truth(ctx, a.positional[0], e), f.weak);
    return convert(ctx, a.positional[0], scalar_type(f.element, f.weak), e);
  }
  case entity::kind::named_tuple: {
    arguments a = evaluate_arguments(ctx, e, f.text.substr(f.text.rfind('.') + 1));
    std::vector<value> members;
    for (std::size_t i = 0; i < f.names.size(); ++i) members.push_back(require_argument(ctx, a, i, f.names[i]));
    check_count(ctx, a, f.names.size(), f.names.size());
    return tuple(std::move(members), f.names, f.text);
  }
  case entity::kind::device_function: {
    arguments a = evaluate_arguments(ctx, e, f.function->source.name);
    return call_function(ctx, *f.function, std::move(a.positional), std::move(a.keywords), e);
  }
  case entity::kind::external:
    return call_external(ctx, f.external, evaluate_arguments(ctx, e, f.external->name));
  default:
    break;
  }
  fail(ctx, error_kind::unsupported, target,
       fmt::format(
           "{} cannot be called in a kernel: call functions of math, numpy and kernel_api, and your own functions that "
           "are decorated with device_func",
           source_text(ctx, target)));
}

}  // namespace dpep::pykernel
