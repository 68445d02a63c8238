// Statements: assignment, control flow, assertions.
#include "pykernel/translate/statements.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/arguments.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/calls.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/loop_results.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/raised_messages.hpp"
#include "pykernel/translate/reducers.hpp"
#include "pykernel/translate/sequences.hpp"
#include "pykernel/translate/slices.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {
namespace {

using kind = statement::kind;

/// The name of `range` in loops that dpjit makes, whose steps are not zero.
constexpr std::string_view own_range = "#range";

/// Whether the statement always transfers control elsewhere.
bool ends(const statement &s) {
  return s.what == kind::return_ || s.what == kind::break_ || s.what == kind::continue_ || s.what == kind::raise ||
         s.what == kind::break_to_label;
}

/// Whether statements may change elements of arrays: by assignments, or by calls outside of expressions.
bool stores_elements(const block &statements) {
  return std::ranges::any_of(statements, [](const statement &s) {
    if (s.what == kind::expression) return s.parts[0]->what == expression::kind::call;
    const bool assigns = s.what == kind::assign || s.what == kind::augmented_assign;
    const std::size_t targets = s.what == kind::assign ? s.parts.size() - 1 : 1;
    for (std::size_t i = 0; assigns && i < targets; ++i)
      if (s.parts[i]->what != expression::kind::name) return true;
    return stores_elements(s.body) || stores_elements(s.otherwise);
  });
}

/// The value of an expression that is not used, or only as a truth value.
value tested_value(translation &ctx, const expression &e) {
  const unused_results unused(ctx, e);
  return evaluate(ctx, e);
}

/// The elements or rows of an array that is unpacked into a number of targets.
std::vector<value> unpacked(translation &ctx, const value &array, std::size_t targets, const expression &at) {
  const node length = extent(ctx, array, 0), wanted = ctx.ir.size(std::int64_t(targets));
  if (const auto known = ctx.ir.known(length)) {
    targets = std::size_t(*known);  // the caller reports a difference
  } else {
    ctx.ir.branch(ctx.ir.compare(operation::ne, length, wanted), [&] {
      emit_error(ctx, "ValueError: shapes do not match: an array is unpacked into another number of targets", at.at);
    });
  }
  std::vector<value> members;
  for (std::size_t i = 0; i < targets; ++i)
    members.push_back(element_or_row(ctx, array, integer(ctx, std::int64_t(i)), at));
  return members;
}

bool is_starred(const expression_pointer &e) { return e->what == expression::kind::other && e->text == "Starred"; }

/// Assigns to targets of which one has a star, and gets a tuple of the values that the others do not get.
void assign_with_rest(translation &ctx, const expression &target, std::size_t starred,
                      const std::vector<value> &members, const expression &at) {
  const std::size_t others = target.parts.size() - 1, after = others - starred;
  const expression &rest = *target.parts[starred]->parts[0];
  // Python's value is a list, which other statements of the program may get.
  const bool leaves_loop = ctx.request.loop && ctx.current == ctx.root.get() &&
                           std::ranges::find(ctx.request.loop->outputs, rest.text) != ctx.request.loop->outputs.end();
  if (rest.what != expression::kind::name || leaves_loop)
    fail(ctx, error_kind::unsupported, *target.parts[starred], "a target with * is a variable of the kernel's own");
  if (members.size() < others)
    fail(ctx, error_kind::value, at,
         fmt::format("{} values cannot be unpacked into at least {} targets", members.size(), others));
  for (std::size_t i = 0; i < starred; ++i) assign_to(ctx, *target.parts[i], members[i], at);
  const auto last = std::ptrdiff_t(members.size() - after);
  assign_to(ctx, rest, tuple({members.begin() + std::ptrdiff_t(starred), members.begin() + last}), at);
  for (std::size_t i = 0; i < after; ++i)
    assign_to(ctx, *target.parts[starred + 1 + i], members[std::size_t(last) + i], at);
}

/// Assigns to a variable that is an array and that the loop reduces: stores the elements in the work-item's array.
void update_array_reduction(translation &ctx, std::string_view name, const value &next, const expression &at) {
  value total = read(ctx, name, at);
  total.written = name;
  if (!is_whole_array(next) || next.of->element != total.of->element || next.of->dimensions != total.of->dimensions)
    fail(ctx, error_kind::whole_array, at,
         fmt::format("'{}' is {} before the loop, and is assigned {} in it: convert it before the loop", name,
                     display_name(total.of), display_name(next.of)));
  store_elements(ctx, total, next, {}, at);
}

/// The name of the builtin function of Python that is called; "range" for prange, empty for other expressions.
std::string builtin_called(translation &ctx, const expression &e) {
  if (e.what != expression::kind::call) return {};
  const value callee = evaluate(ctx, *e.parts[0]);
  if (!callee.object || callee.object->what != entity::kind::builtin) return {};
  const std::string &name = callee.object->text;
  if (name == "builtins.range" || name.ends_with(".prange")) return "range";
  constexpr std::string_view package = "builtins.";
  return name.starts_with(package) ? name.substr(package.size()) : std::string();
}

range_bounds bounds_of(translation &ctx, const expression &call) {
  const arguments a = evaluate_arguments(ctx, call, "range");
  check_keywords(ctx, a);
  check_count(ctx, a, 1, 3);
  const auto &p = a.positional;
  if (p.size() > 2 && !p[2].known && call.parts[0]->text != own_range) {
    const node step = integer_node(ctx, p[2], call, "range's step");
    ctx.kernel.raises = true;
    ctx.ir.branch(ctx.ir.compare(operation::eq, step, ctx.ir.size(0)),
                  [&] { emit_error(ctx, "ValueError: range() arg 3 must not be zero", call.at); });
  }
  return {p.size() > 1 ? p[0] : integer(ctx, 0), p.size() > 1 ? p[1] : p[0], p.size() > 2 ? p[2] : integer(ctx, 1)};
}

/// Refuses calls of enumerate, zip and reversed with other numbers of arguments, or other keywords.
void check_call(const translation &ctx, const expression &call, std::string_view name, std::size_t most,
                std::string_view keyword) {
  const std::size_t given = call.parts.size() - 1;
  if (given - call.names.size() < 1 || given > most)
    fail(ctx, error_kind::typing, call, fmt::format("{}() takes a sequence, got {} arguments", name, given));
  for (const std::string &each : call.names)
    if (each != keyword) fail(ctx, error_kind::typing, call, fmt::format("{}() has no argument '{}'", name, each));
}

/// The sequence that a `for` statement iterates over.
sequence sequence_of(translation &ctx, const expression &iterable) {
  const std::string name = builtin_called(ctx, iterable);
  const auto argument = [&](std::size_t i) -> const expression & { return *iterable.parts[i + 1]; };
  if (name == "range") return sequence_of_range(ctx, bounds_of(ctx, iterable), iterable);
  if (name == "enumerate") {
    check_call(ctx, iterable, name, 2, "start");
    const value first = iterable.parts.size() == 3 ? evaluate(ctx, argument(1)) : integer(ctx, 0);
    return enumerated(ctx, sequence_of(ctx, argument(0)), first, iterable);
  }
  if (name == "reversed") {
    check_call(ctx, iterable, name, 1, {});
    return backwards(ctx, sequence_of(ctx, argument(0)), iterable);
  }
  if (name == "zip") {
    check_call(ctx, iterable, name, 64, "strict");
    std::vector<sequence> operands;
    for (std::size_t i = 0; i + 1 + iterable.names.size() < iterable.parts.size(); ++i)
      operands.push_back(sequence_of(ctx, argument(i)));
    const bool strict =
        !iterable.names.empty() && constant_integer(ctx, evaluate(ctx, *iterable.parts.back()), iterable, "strict");
    return zipped(ctx, std::move(operands), strict, iterable);
  }
  return sequence_of_value(ctx, evaluate(ctx, iterable), iterable);
}

void iterate(translation &ctx, const expression &iterable, const std::function<void(const value &)> &each) {
  if (builtin_called(ctx, iterable) != "range") return iterate(ctx, sequence_of(ctx, iterable), each, iterable);
  const range_bounds r = bounds_of(ctx, iterable);
  loop_over_range(ctx, each, r.start, r.stop, r.step, iterable);
}

/// Whether other work-items may change an element that an augmented assignment changes.
bool is_shared(const translation &ctx, const statement &s) {
  return (s.shared || ctx.current->shared) && !ctx.request.single_task;
}

/// The right side of an augmented assignment to an element.
value change_of(translation &ctx, const statement &s) {
  const value v = evaluate(ctx, *s.parts[1]);
  if (s.reordered && !may_reorder(ctx, v.of))
    fail(ctx, error_kind::unsupported, *s.parts[1],
         fmt::format("the order of updates by {} is given", display_name(v.of)));
  return v;
}

/// Translates an `if`. Returns the condition's value where it is known.
std::optional<bool> branch(translation &ctx, const statement &s) {
  const node condition = truth(ctx, tested_value(ctx, *s.parts[0]), *s.parts[0]);
  ctx.ir.branch(condition, [&] { body(ctx, s.body); }, [&] { body(ctx, s.otherwise); });
  const auto known = ctx.ir.known(condition);
  return known ? std::optional(*known != 0) : std::nullopt;
}

/// The value that is assigned to elements: a list is as good as a tuple.
value assigned_to_elements(translation &ctx, const expression &e) {
  if (e.what != expression::kind::list || !ctx.request.loop) return operand(ctx, "=", e);
  std::vector<value> members;
  for (const expression_pointer &part : e.parts) members.push_back(evaluate(ctx, *part));
  return tuple(std::move(members));
}

void statement_of(translation &ctx, const statement &s) {
  switch (s.what) {
  case kind::assign: {
    const auto is_element = [](const auto &target) { return target->what == expression::kind::subscript; };
    const bool only_elements = std::all_of(s.parts.begin(), s.parts.end() - 1, is_element);
    const value v = only_elements ? assigned_to_elements(ctx, *s.parts.back()) : evaluate(ctx, *s.parts.back());
    for (std::size_t i = 0; i + 1 < s.parts.size(); ++i) assign_to(ctx, *s.parts[i], v, *s.parts.back());
    return;
  }
  case kind::augmented_assign: {
    const expression &target = *s.parts[0];
    if (target.what == expression::kind::subscript)
      return store_subscript(ctx, target, [&] { return change_of(ctx, s); }, s.text, *s.parts[1], is_shared(ctx, s));
    if (target.what != expression::kind::name)
      fail(ctx, error_kind::unsupported, target,
           fmt::format("{} cannot be assigned to: kernels assign to variables and elements", source_text(ctx, target)));
    const value old = operand(ctx, s.text, target), change = evaluate_beside(ctx, old, s.text, *s.parts[1]);
    if (old.of->what == type_properties::kind::reduction) return combine_with(ctx, old, change, s.text, *s.parts[1]);
    if (ctx.request.loop && is_array(old.of))
      return store_elements(ctx, old, change, s.text, *s.parts[1], is_shared(ctx, s) && !old.of_iteration);
    const value changed = [&] {
      const in_any_order adds(ctx, updates_reduction(ctx, target));
      return binary(ctx, s.text, old, change, *s.parts[1]);
    }();
    return assign_to(ctx, target, changed, *s.parts[1]);
  }
  case kind::annotation:
  case kind::pass_:
    return;
  case kind::expression:
    if (s.parts[0]->what == expression::kind::text || is_ellipsis(*s.parts[0]))
      return;  // docstrings and `...` have no effect
    tested_value(ctx, *s.parts[0]);
    return;
  case kind::if_:
    branch(ctx, s);
    return;
  case kind::labelled: {
    const std::uint32_t scope = ctx.ir.new_scope();
    ctx.current->labels[s.text] = scope;
    return ctx.ir.scope(scope, [&] { body(ctx, s.body); });
  }
  case kind::break_to_label:
    return ctx.ir.leave(ctx.current->labels.at(s.text));
  case kind::while_: {
    const frame::loop marks{ctx.ir.new_scope(), ctx.ir.new_scope(), stores_elements(s.body)};
    return ctx.ir.scope(marks.end, [&] {
      ctx.current->loops.push_back(marks);
      ctx.ir.loop([&] { return truth(ctx, tested_value(ctx, *s.parts[0]), *s.parts[0]); },
                  [&] { ctx.ir.scope(marks.next, [&] { body(ctx, s.body); }); });
      ctx.current->loops.pop_back();
      body(ctx, s.otherwise);
    });
  }
  case kind::for_: {
    const frame::loop marks{ctx.ir.new_scope(), ctx.ir.new_scope(), stores_elements(s.body)};
    const expression &target = *s.parts[0], &iterable = *s.parts[1];
    const auto each = [&](const value &v) {
      ctx.ir.scope(marks.next, [&] {
        ctx.current->loops.push_back(marks);
        assign_to(ctx, target, v, iterable);
        body(ctx, s.body);
        ctx.current->loops.pop_back();
      });
    };
    return ctx.ir.scope(marks.end, [&] {
      iterate(ctx, iterable, each);
      body(ctx, s.otherwise);
    });
  }
  case kind::return_: {
    const bool is_used = ctx.current->is_result_used;
    const value v = s.parts.empty() ? none() : is_used ? evaluate(ctx, *s.parts[0]) : tested_value(ctx, *s.parts[0]);
    if (!ctx.current->caller && ctx.request.elementwise && !is_scalar(v.of))
      fail(ctx, error_kind::typing, s.at,
           fmt::format("element function '{}' returns {}: it must return a number", ctx.source().name,
                       display_name(v.of)));
    if (!ctx.current->caller && !ctx.request.elementwise) {
      if (v.of->what != type_properties::kind::none)
        fail(ctx, error_kind::result, *s.parts[0],
             fmt::format("kernel '{}' returns a value of type {}: kernels return nothing; write it to an array",
                         ctx.source().name, display_name(v.of)));
    } else {
      static const expression nowhere;
      assign(ctx, "#result", v, s.parts.empty() ? nowhere : *s.parts[0]);
    }
    return ctx.ir.leave(ctx.current->end_scope);
  }
  case kind::break_:
  case kind::continue_:
    if (ctx.current->loops.empty())
      fail(ctx, error_kind::unsupported, s.at, "break and continue must be inside a loop");
    return ctx.ir.leave(s.what == kind::break_ ? ctx.current->loops.back().end : ctx.current->loops.back().next);
  case kind::assert_:
    return emit_assert(ctx, s, truth(ctx, tested_value(ctx, *s.parts[0]), *s.parts[0]), evaluate);
  case kind::raise:
    return emit_raise(ctx, s, evaluate);
  case kind::other:
    break;
  }
  fail(ctx, error_kind::unsupported, s.at,
       fmt::format("{} is not part of the kernel language{}", s.text, suggestion_for(s.text)));
}

}  // namespace

bool always_returns(const block &statements) {
  const auto breaks = [](const auto &self, const block &list) -> bool {
    return std::ranges::any_of(list, [&](const statement &s) {
      if (s.what == kind::while_ || s.what == kind::for_) return self(self, s.otherwise);
      return s.what == kind::break_ || self(self, s.body) || self(self, s.otherwise);
    });
  };
  const auto leaves = [](const auto &self, const block &list, const std::string &label) -> bool {
    return std::ranges::any_of(list, [&](const statement &s) {
      return (s.what == kind::break_to_label && s.text == label) || self(self, s.body, label) ||
             self(self, s.otherwise, label);
    });
  };
  return std::ranges::any_of(statements, [&](const statement &s) {
    switch (s.what) {
    case kind::return_:
    case kind::raise:
      return true;
    case kind::if_:
      return always_returns(s.body) && always_returns(s.otherwise);
    case kind::labelled:
      return !leaves(leaves, s.body, s.text) && always_returns(s.body);
    case kind::while_: {
      const expression &condition = *s.parts[0];
      const bool forever =
          (condition.what == expression::kind::boolean || condition.what == expression::kind::integer) &&
          condition.integer;
      return !breaks(breaks, s.body) && (forever || always_returns(s.otherwise));
    }
    case kind::for_:
      return !breaks(breaks, s.body) && always_returns(s.otherwise);
    default:
      return false;
    }
  });
}

/// Whether the statements after a block are unreachable.
static bool leaves(const block &statements) {
  return always_returns(statements) || (!statements.empty() && ends(statements.back()));
}

void body(translation &ctx, const block &statements) {
  for (const statement &s : statements) {
    ctx.ir.line = s.at.line;
    if (s.what == kind::if_) {
      const std::optional<bool> taken = branch(ctx, s);
      if (taken && leaves(*taken ? s.body : s.otherwise)) return;  // as after `if x is None: return` for a None
      continue;
    }
    statement_of(ctx, s);
    if (ends(s)) return;  // the statements after it are unreachable
  }
}

void assign_to(translation &ctx, const expression &target, const value &v, const expression &at) {
  switch (target.what) {
  case expression::kind::name:
    if (is_array_reduction(ctx, target.text)) return update_array_reduction(ctx, target.text, v, at);
    return assign(ctx, target.text, v, at);
  case expression::kind::tuple:
  case expression::kind::list: {
    std::vector<value> members = v.members;
    const auto starred = std::ranges::find_if(target.parts, is_starred);
    if (starred != target.parts.end() && is_tuple(v.of))
      return assign_with_rest(ctx, target, std::size_t(starred - target.parts.begin()), members, at);
    if (is_array(v.of) && v.of->dimensions > 0) members = unpacked(ctx, v, target.parts.size(), at);
    if (!is_tuple(v.of) && !is_array(v.of))
      fail(ctx, operand_error({v.of}), at,
           fmt::format("{} cannot be unpacked: only tuples can be", display_name(v.of)));
    if (members.size() != target.parts.size())
      fail(ctx, error_kind::value, at,
           fmt::format("{} values cannot be unpacked into {} targets: use as many names as there are values",
                       members.size(), target.parts.size()));
    for (std::size_t i = 0; i < members.size(); ++i) assign_to(ctx, *target.parts[i], members[i], at);
    return;
  }
  case expression::kind::subscript:
    return store_subscript(ctx, target, [&] { return v; }, {}, at);
  default:
    fail(ctx, error_kind::unsupported, target,
         fmt::format("{} cannot be assigned to: kernels assign to variables and elements", source_text(ctx, target)));
  }
}

}  // namespace dpep::pykernel
