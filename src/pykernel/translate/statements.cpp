// Statements: assignment, control flow, asserts.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

using kind = statement::kind;

/// Whether control never goes on behind the statement.
bool ends(const statement &s) {
  return s.what == kind::give_back || s.what == kind::leave || s.what == kind::next || s.what == kind::raise ||
         s.what == kind::leave_label;
}

}  // namespace

/// Whether nothing goes on behind the block, as far as its structure tells.
bool translator::always_returns(const block &statements) const {
  const auto breaks = [](const auto &self, const block &list) -> bool {
    return std::ranges::any_of(list, [&](const statement &s) {
      if (s.what == kind::repeat || s.what == kind::iterate) return self(self, s.otherwise);
      return s.what == kind::leave || self(self, s.body) || self(self, s.otherwise);
    });
  };
  const auto leaves = [](const auto &self, const block &list, const std::string &label) -> bool {
    return std::ranges::any_of(list, [&](const statement &s) {
      return (s.what == kind::leave_label && s.text == label) || self(self, s.body, label) ||
             self(self, s.otherwise, label);
    });
  };
  return std::ranges::any_of(statements, [&](const statement &s) {
    switch (s.what) {
    case kind::give_back:
    case kind::raise:
      return true;
    case kind::branch:
      return always_returns(s.body) && always_returns(s.otherwise);
    case kind::labelled:
      return !leaves(leaves, s.body, s.text) && always_returns(s.body);
    case kind::repeat: {
      const expression &condition = *s.parts[0];
      const bool forever =
          (condition.what == expression::kind::boolean || condition.what == expression::kind::integer) &&
          condition.integer;
      return !breaks(breaks, s.body) && (forever || always_returns(s.otherwise));
    }
    case kind::iterate:
      return !breaks(breaks, s.body) && always_returns(s.otherwise);
    default:
      return false;
    }
  });
}

void translator::body(const block &statements) {
  for (const statement &s : statements) {
    b.line = s.at.line;
    statement_of(s);
    if (ends(s)) return;  // what follows is never reached
  }
}

void translator::statement_of(const statement &s) {
  switch (s.what) {
  case kind::assign: {
    const value v = evaluate(*s.parts.back());
    for (std::size_t i = 0; i + 1 < s.parts.size(); ++i) assign_to(*s.parts[i], v, *s.parts.back());
    return;
  }
  case kind::augmented: {
    const expression &target = *s.parts[0];
    if (target.what == expression::kind::subscript)
      return store_subscript(target, [&] { return evaluate(*s.parts[1]); }, s.text, *s.parts[1]);
    if (target.what != expression::kind::name)
      fail(mistake::unsupported, target,
           fmt::format("{} cannot be assigned to: kernels assign to variables and elements", text_of(target)));
    const value old = evaluate(target), change = evaluate(*s.parts[1]);
    return assign_to(target, binary(s.text, old, change, *s.parts[1]), *s.parts[1]);
  }
  case kind::declare:
  case kind::nothing:
    return;
  case kind::evaluate:
    if (s.parts[0]->what == expression::kind::text || is_ellipsis(*s.parts[0])) return;  // says nothing
    evaluate(*s.parts[0]);
    return;
  case kind::branch: {
    const node condition = truth(evaluate(*s.parts[0]), *s.parts[0]);
    return b.branch(condition, [&] { body(s.body); }, [&] { body(s.otherwise); });
  }
  case kind::labelled: {
    const std::uint32_t scope = b.new_scope();
    here->labels[s.text] = scope;
    return b.scope(scope, [&] { body(s.body); });
  }
  case kind::leave_label:
    return b.leave(here->labels.at(s.text));
  case kind::repeat: {
    const frame::loop marks{b.new_scope(), b.new_scope()};
    return b.scope(marks.end, [&] {
      here->loops.push_back(marks);
      b.loop([&] { return truth(evaluate(*s.parts[0]), *s.parts[0]); },
             [&] { b.scope(marks.next, [&] { body(s.body); }); });
      here->loops.pop_back();
      body(s.otherwise);
    });
  }
  case kind::iterate: {
    const frame::loop marks{b.new_scope(), b.new_scope()};
    const expression &target = *s.parts[0], &iterable = *s.parts[1];
    const auto each = [&](const value &v) {
      b.scope(marks.next, [&] {
        here->loops.push_back(marks);
        assign_to(target, v, iterable);
        body(s.body);
        here->loops.pop_back();
      });
    };
    return b.scope(marks.end, [&] {
      iterate(iterable, each);
      body(s.otherwise);
    });
  }
  case kind::give_back: {
    const value v = s.parts.empty() ? none() : evaluate(*s.parts[0]);
    if (!here->caller && asked.elementwise && !is_scalar(v.of))
      fail(mistake::typing, s.at,
           fmt::format("'{}' returns {}: functions of elements return a number", source().name, described(v.of)));
    if (!here->caller && !asked.elementwise) {
      if (v.of->what != type_facts::kind::none)
        fail(mistake::result, *s.parts[0],
             fmt::format("kernel '{}' returns a value of type {}: kernels return nothing; write it to an array",
                         source().name, described(v.of)));
    } else {
      static const expression nowhere;
      assign("#result", v, s.parts.empty() ? nowhere : *s.parts[0]);
    }
    return b.leave(here->end_scope);
  }
  case kind::leave:
  case kind::next:
    if (here->loops.empty()) fail(mistake::unsupported, s.at, "break and continue stand in loops");
    return b.leave(s.what == kind::leave ? here->loops.back().end : here->loops.back().next);
  case kind::expect: {
    const node condition = truth(evaluate(*s.parts[0]), *s.parts[0]);
    std::string message = "AssertionError: " + text_of(*s.parts[0]);
    if (s.parts.size() > 1) {
      const value m = evaluate(*s.parts[1]);
      if (m.of->what == type_facts::kind::text) message = "AssertionError: " + m.text;
    }
    return b.branch(b.negate(condition), [&] { stop(message, s.at); });
  }
  case kind::raise: {
    std::string message = "an exception";
    if (!s.parts.empty()) {
      const expression &e = *s.parts[0];
      const bool called = e.what == expression::kind::call;
      const expression &type = called ? *e.parts[0] : e;
      if (type.what != expression::kind::name && type.what != expression::kind::attribute)
        fail(mistake::unsupported, e, fmt::format("{} is no exception: raise one by its name", text_of(e)));
      message = type.text;
      for (std::size_t i = 1; called && i < e.parts.size(); ++i)
        if (e.parts[i]->what == expression::kind::text) message += (i == 1 ? ": " : ", ") + e.parts[i]->text;
    }
    return stop(message, s.at);
  }
  case kind::other:
    break;
  }
  fail(mistake::unsupported, s.at, fmt::format("{} is not part of the kernel language{}", s.text, advice(s.text)));
}

void translator::assign_to(const expression &target, const value &v, const expression &at) {
  switch (target.what) {
  case expression::kind::name:
    return assign(target.text, v, at);
  case expression::kind::tuple:
  case expression::kind::list: {
    std::vector<value> members = v.members;
    if (!is_tuple(v.of)) fail(mistake::typing, at, fmt::format("{} cannot be unpacked", described(v.of)));
    if (members.size() != target.parts.size())
      fail(mistake::value, at,
           fmt::format("{} values cannot be unpacked into {} targets", members.size(), target.parts.size()));
    for (std::size_t i = 0; i < members.size(); ++i) assign_to(*target.parts[i], members[i], at);
    return;
  }
  case expression::kind::subscript:
    return store_subscript(target, [&] { return v; }, {}, at);
  default:
    fail(mistake::unsupported, target,
         fmt::format("{} cannot be assigned to: kernels assign to variables and elements", text_of(target)));
  }
}

void translator::loop_over_range(const std::function<void(const value &)> &each, const value &start, const value &stop,
                                 const value &step, const expression &at) {
  const node from = integer_node(start, at, "range's start"), to = integer_node(stop, at, "range's stop"),
             by = integer_node(step, at, "range's step");
  const std::uint32_t counter = b.variable(machine::i64, "#counter");
  if (step.known == 0) fail(mistake::value, at, "range's step must not be zero");
  const auto value_at = [&](node n, bool natural) {
    value v = scalar(dtype::int64, n, true, natural);
    v.known.reset();
    return v;
  };
  if (step.known) {
    const bool up = *step.known > 0;
    b.set(counter, from);
    return b.loop(
        [&] {
          return up ? b.compare(operation::slt, b.get(counter), to) : b.compare(operation::slt, to, b.get(counter));
        },
        [&] {
          each(value_at(b.get(counter), up ? start.natural : stop.natural));
          b.line = at.at.line;
          b.set(counter, b.binary(operation::add, b.get(counter), by, true));
        });
  }
  // a step of either sign: count the elements first
  const node zero = b.size(0), one = b.size(1);
  const node up = b.compare(operation::slt, zero, by);
  const node distance = b.select(up, b.binary(operation::sub, to, from), b.binary(operation::sub, from, to));
  const node size = b.select(up, by, b.binary(operation::sub, zero, by));
  const node divisor = b.select(b.compare(operation::eq, size, zero), one, size);
  const node count = b.binary(operation::sdiv, b.binary(operation::sub, b.add(distance, divisor), one), divisor);
  b.set(counter, zero);
  b.loop([&] { return b.compare(operation::slt, b.get(counter), count); },
         [&] {
           each(value_at(b.add(from, b.mul(b.get(counter), by)), false));
           b.line = at.at.line;
           b.set(counter, b.binary(operation::add, b.get(counter), one, true));
         });
}

void translator::iterate(const expression &iterable, const std::function<void(const value &)> &each) {
  if (iterable.what == expression::kind::call) {
    const value callee = evaluate(*iterable.parts[0]);
    const std::string name = callee.object && callee.object->what == entity::kind::builtin ? callee.object->text : "";
    if (name == "builtins.range" || name.ends_with(".prange")) {
      const arguments a = evaluate_arguments(iterable, "range");
      expect_count(a, 1, 3);
      const auto &p = a.positional;
      return loop_over_range(each, p.size() > 1 ? p[0] : integer(0), p.size() > 1 ? p[1] : p[0],
                             p.size() > 2 ? p[2] : integer(1), iterable);
    }
    if (name == "builtins.enumerate") {
      const arguments a = evaluate_arguments(iterable, "enumerate");
      expect_count(a, 1, 2);
      const value *start = take(a, 1, "start");
      const value first = start ? *start : integer(0);
      return iterate_value(need(a, 0, "iterable"), iterable, [&](const value &index, const value &element) {
        each(tuple({binary("+", first, index, iterable), element}));
      });
    }
  }
  iterate_value(evaluate(iterable), iterable, [&](const value &, const value &element) { each(element); });
}

void translator::iterate_value(const value &v, const expression &at,
                               const std::function<void(const value &, const value &)> &each) {
  if (is_tuple(v.of)) {
    for (std::size_t i = 0; i < v.members.size(); ++i) each(integer(std::int64_t(i)), v.members[i]);
    return;
  }
  if (!is_array(v.of) || v.of->dimensions == 0)
    fail(mistake::typing, at,
         fmt::format("{} cannot be iterated over: use range, a tuple or an array", described(v.of)));
  loop_over_range([&](const value &i) { each(i, element_or_row(v, i, at)); }, integer(0), size_value(extent(v, 0)),
                  integer(1), at);
}

}  // namespace dpep::pykernel
