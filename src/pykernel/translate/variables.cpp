// Variables: types over all passes, and IR variables of the current pass.
#include "pykernel/translate/variables.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/debug_variables.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

void collect_targets(const expression &target, std::set<std::string, std::less<>> &names) {
  if (target.what == expression::kind::name) names.insert(target.text);
  if (target.what == expression::kind::tuple || target.what == expression::kind::list)
    for (const expression_pointer &part : target.parts) collect_targets(*part, names);
  if (target.what == expression::kind::other && target.text == "Starred") collect_targets(*target.parts[0], names);
}

/// The expression that a variable stands for. It is computed where it is used, so its operands must be unchanged.
std::shared_ptr<const array_expression> lazy_value(const translation &ctx, std::string_view name,
                                                   const variable_state &variable, const expression &at) {
  const lazy_definition &definition = *variable.lazy;
  const auto &loops = ctx.current->loops;
  bool unchanged = ctx.ir.is_open(definition.block) && definition.stores == ctx.stores;
  for (std::size_t i = definition.loops; i < loops.size(); ++i) unchanged = unchanged && !loops[i].stores_elements;
  if (!unchanged)
    fail(ctx, error_kind::whole_array, at,
         fmt::format("'{}' is an expression of whole arrays, whose operands may have changed", name));
  return definition.value;
}

/// The type of a variable that is assigned values of two types; null if there is none. In dpjit functions a variable
/// that is assigned Python's integers and smaller ones of NumPy has 64 bits, as in Numba: a sum that begins with 0 does
/// not wrap.
type common_type(const translation &ctx, std::string_view name, type a, type b) {
  const type both = unify(a, b);
  if (!ctx.request.loop || !both || !is_scalar(both) || name.starts_with('#')) return both;
  const type python = a->weak ? a : b;
  const bool mixed = a->weak != b->weak && is_integer(python->element) && is_integer(both->element);
  return mixed && size_of(both->element) < sizeof(std::int64_t) ? scalar_type(dtype::int64) : both;
}

/// Declares the IR variables of a variable in the current pass.
void begin_pass(translation &ctx, std::string_view name, variable_state &variable) {
  variable.pass = ctx.pass;
  variable.assignments = 0;
  variable.slots.clear();
  for (machine_type m : machine_types_of(variable.of)) variable.slots.push_back(ctx.ir.variable(m, std::string(name)));
  if (ctx.request.debug) declare_debug_variable(ctx, name, variable);
}

/// Whether a type is a number's, or that of a tuple of those.
bool is_of_numbers(type t) { return is_scalar(t) || (is_tuple(t) && std::ranges::all_of(t->members, is_of_numbers)); }

std::string used_before_assigned(std::string_view name) {
  return fmt::format("'{}' is used before it is assigned: assign it on every path that leads here", name);
}

/// Whether a variable of a compiled loop becomes one that may be None, since one of two types is None's. Then the next
/// pass begins it as such.
bool becomes_optional(translation &ctx, std::string_view name, variable_state &variable, type other) {
  const type none = none_type();
  const type number = variable.of == none ? other : variable.of;
  const bool suits = ctx.request.loop && ctx.current == ctx.root.get() && !name.starts_with('#') && !variable.is_set &&
                     !variable.optional && (variable.of == none || other == none) && is_of_numbers(number);
  if (!suits) return false;
  variable.optional = ctx.changed = true;
  variable.of = number;
  return true;
}

/// Emits the check that a variable has a value.
void check_set(translation &ctx, std::string_view name, const variable_state &variable, const expression &at) {
  ctx.kernel.raises = true;
  ctx.ir.branch(ctx.ir.negate(ctx.ir.get(*variable.is_set)), [&] {
    emit_error(
        ctx,
        variable.was_none
            ? fmt::format("TypeError: '{}' is None: the loop has not assigned it yet", name)
            : fmt::format(
                  "UnboundLocalError: cannot access local variable '{}' where it is not associated with a value", name),
        at.at);
  });
}

}  // namespace

void collect_locals(frame &f, const block &statements) {
  using kind = statement::kind;
  for (const statement &s : statements) {
    if (s.what == kind::assign)
      for (std::size_t i = 0; i + 1 < s.parts.size(); ++i) collect_targets(*s.parts[i], f.locals);
    if (s.what == kind::augmented_assign || s.what == kind::for_ || s.what == kind::annotation)
      collect_targets(*s.parts[0], f.locals);
    collect_locals(f, s.body);
    collect_locals(f, s.otherwise);
  }
}

void assign_parameter(translation &ctx, std::string_view name, const value &v, const expression &at) {
  if (v.of == none_type()) {
    ctx.current->none_parameters.emplace(name);
  } else {
    ctx.current->none_parameters.erase(std::string(name));
    assign(ctx, name, v, at);
  }
}

void assign(translation &ctx, std::string_view name, const value &given, const expression &at) {
  if (given.lazy)
    if (const std::optional<value> array = stored(ctx, given, at)) return assign(ctx, name, *array, at);
  const value &v = given;
  if (const auto parameter = ctx.current->none_parameters.find(name); parameter != ctx.current->none_parameters.end()) {
    if (v.of == none_type()) return;
    if (ctx.ir.current_block() != ctx.current->body_block)
      fail(ctx, error_kind::typing, at,
           fmt::format("'{}' is None, and is assigned {} where that depends on a condition or a loop: use another name",
                       name, display_name(v.of)));
    ctx.current->none_parameters.erase(parameter);
  }
  if (v.of == none_type() && may_be_unset(ctx, name)) {
    const variable_state &variable = ctx.current->variables.find(name)->second;
    if (variable.was_none) return ctx.ir.set(*variable.is_set, ctx.ir.boolean(false));
  }
  const auto found = ctx.current->variables.find(name);
  variable_state &variable =
      found != ctx.current->variables.end() ? found->second : ctx.current->variables[std::string(name)];
  if (!variable.of) {
    variable.of = v.of;
    variable.known = v.known;
    variable.varies = !v.known;
    variable.nonnegative = v.nonnegative;
    variable.is_short = v.is_short;
    variable.text = v.text;
    variable.object = v.object;
    variable.origin = v.origin;
  } else {
    const bool is_value = name.starts_with("#choice") || name == "#result";  // of an expression, or of a function
    const type both = is_value && is_scalar(variable.of) && is_scalar(v.of)
                          ? type_of_either(variable.of, variable.known, v.of, v.known)
                          : common_type(ctx, name, variable.of, v.of);
    if (!both && name == "#result")
      fail(ctx, error_kind::typing, at,
           fmt::format("'{}' returns {} here and {} elsewhere: its values must be of one type; return a number that "
                       "stands for None, such as nan or -1, or a tuple of a bool and a number",
                       ctx.source().name, display_name(v.of), display_name(variable.of)));
    if (!both && name.starts_with('#'))  // the compiler's variable for the result of a conditional expression
      fail(
          ctx, error_kind::typing, at,
          fmt::format(
              "a conditional expression's values must be of one type, got {} and {}: convert one of them, or use an if "
              "statement",
              display_name(variable.of), display_name(v.of)));
    if (!both && becomes_optional(ctx, name, variable, v.of)) return;
    if (!both) {
      const auto described = [](type t) {
        return (t->what == type_properties::kind::array_expression ? "an expression of arrays, " : "") +
               display_name(t);
      };
      fail(ctx, v.lazy ? error_kind::whole_array : operand_error({variable.of}), at,
           fmt::format("'{}' is {} here and {} elsewhere: a variable has one type; use another name", name,
                       described(v.of), described(variable.of)));
    }
    if (variable.object != v.object &&
        !(variable.object && v.object && variable.object->text == v.object->text &&
          variable.object->what == v.object->what && variable.object->element == v.object->element &&
          variable.object->function == v.object->function))
      fail(ctx, error_kind::typing, at,
           fmt::format("'{}' is assigned two different functions, types or modules, which are constants: use two names",
                       name));
    if (variable.text != v.text)
      fail(ctx, error_kind::typing, at,
           v.of->what == type_properties::kind::atomic
               ? fmt::format("'{}' is assigned AtomicRefs of different memory order or scope: use two names", name)
               : fmt::format("'{}' is assigned two different strings, which are constants: use two names", name));
    if (both != variable.of) variable.of = both, ctx.changed = true;
    if (variable.nonnegative && !v.nonnegative) variable.nonnegative = false, ctx.changed = true;
    if (variable.is_short && !v.is_short) variable.is_short = false, ctx.changed = true;
    if (!variable.varies && variable.known != v.known)
      variable.varies = true, variable.known.reset(), ctx.changed = true;
  }
  if (v.of_iteration && !v.origin.empty() && v.origin != name && ctx.is_repeated() && !name.starts_with('#'))
    fail(ctx, ctx.request.loop ? error_kind::whole_array : error_kind::unsupported, at,
         fmt::format("'{}' would refer to an array that each iteration creates anew: create both arrays before the "
                     "loop, or copy the elements",
                     name));
  variable.of_iteration = variable.of_iteration || v.of_iteration;
  if (variable.origin != v.origin) variable.origin.clear();
  if (v.lazy) variable.lazy = lazy_definition{v.lazy, ctx.ir.current_block(), ctx.current->loops.size(), ctx.stores};
  const std::vector<machine_type> machines = machine_types_of(variable.of);
  if (variable.pass != ctx.pass) begin_pass(ctx, name, variable);
  ++variable.assignments;
  if (variable.slots.size() != machines.size()) return;  // widened in this pass, whose code is discarded
  value converted = v;
  if (v.of != variable.of) converted = convert(ctx, v, variable.of, at);
  std::vector<node> parts;
  append_parts(converted, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (ctx.ir.type_of(parts[i]) != machines[i]) return;  // also widened in this pass
    ctx.ir.set(variable.slots[i], parts[i]);
  }
  if (variable.is_set) ctx.ir.set(*variable.is_set, ctx.ir.boolean(true));
  if (!variable.debug_copies.empty()) update_debug_copies(ctx, variable, converted);
}

void begin_unset(translation &ctx, std::string_view name, type none_or_unset) {
  const std::uint32_t flag = ctx.ir.variable(machine_type::i1, fmt::format("{} is set", name));
  ctx.ir.set(flag, ctx.ir.boolean(false));
  variable_state &variable = ctx.current->variables[std::string(name)];
  variable.is_set = flag;
  variable.was_none = none_or_unset == none_type();
  if (variable.of && is_of_numbers(variable.of)) begin_pass(ctx, name, variable);
}

bool may_be_none(const translation &ctx, const expression &e) {
  return e.what == expression::kind::name && may_be_unset(ctx, e.text) &&
         ctx.current->variables.find(e.text)->second.was_none;
}

value is_still_none(translation &ctx, const expression &e) {
  const variable_state &variable = ctx.current->variables.find(e.text)->second;
  if (!variable.optional && !ctx.root->assigned.contains(e.text)) return truth_value(ctx, true);
  return scalar(ctx, dtype::boolean, ctx.ir.negate(ctx.ir.get(*variable.is_set)), true);
}

bool may_be_unset(const translation &ctx, std::string_view name) {
  const auto found = ctx.current->variables.find(name);
  return found != ctx.current->variables.end() && found->second.is_set;
}

bool is_assigned(const translation &ctx, std::string_view name) {
  if (ctx.current->none_parameters.contains(name)) return true;
  const auto found = ctx.current->variables.find(name);
  return found != ctx.current->variables.end() && found->second.of && found->second.pass == ctx.pass;
}

value read(translation &ctx, std::string_view name, const expression &at) {
  if (ctx.pass == 1 && may_be_unset(ctx, name) && !is_assigned(ctx, name) && ctx.root->assigned.contains(name)) {
    // The type is known in the next pass. Bools of Python have no influence on the types of results.
    ctx.changed = true;
    if (!ctx.unread) ctx.unread.emplace(error_kind::name, ctx.source(), at.at, used_before_assigned(name));
    return scalar(ctx, dtype::boolean, ctx.ir.boolean(false), true);
  }
  if (ctx.current->none_parameters.contains(name)) return none();
  if (!is_assigned(ctx, name)) {
    if (const auto found = ctx.current->variables.find(name);
        found != ctx.current->variables.end() && found->second.is_set && found->second.was_none)
      fail(ctx, error_kind::typing, at, fmt::format("'{}' is None here, and is used like a number or an array", name));
    fail(ctx, error_kind::name, at, used_before_assigned(name));
  }
  variable_state &variable = ctx.current->variables.find(name)->second;
  if (variable.is_set) check_set(ctx, name, variable, at);
  std::vector<node> parts;
  for (std::size_t i = 0; i < variable.slots.size(); ++i) parts.push_back(ctx.ir.get(variable.slots[i]));
  const std::size_t wanted = machine_types_of(variable.of).size();
  while (parts.size() < wanted) parts.push_back(ctx.ir.size(0));  // widened in this pass, whose code is discarded
  if (!variable.varies && variable.known && is_scalar(variable.of)) {
    value v =
        variable.of->element == dtype::boolean ? truth_value(ctx, *variable.known != 0) : integer(ctx, *variable.known);
    if (v.of != variable.of) v = convert(ctx, v, variable.of, at);
    return v;
  }
  const node *first = parts.data();
  value v = value_of(variable.of, first);
  if (variable.of->what == type_properties::kind::array_expression) v.lazy = lazy_value(ctx, name, variable, at);
  if (is_array(variable.of)) v.origin = variable.origin.empty() ? std::string(name) : variable.origin;
  v.of_iteration = variable.of_iteration;
  v.nonnegative = variable.nonnegative;
  v.is_short = variable.is_short;
  v.text = variable.text;
  v.object = variable.object;
  return v;
}

value read_unchecked(translation &ctx, const expression &e) {
  if (!is_assigned(ctx, e.text) || ctx.current->none_parameters.contains(e.text)) return read(ctx, e.text, e);
  std::optional<std::uint32_t> &flag = ctx.current->variables.find(e.text)->second.is_set;
  const std::optional<std::uint32_t> kept = std::exchange(flag, std::nullopt);
  value v = read(ctx, e.text, e);
  flag = kept;
  return v;
}

}  // namespace dpep::pykernel
