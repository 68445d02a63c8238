// Variables: their types over all passes, and their places in this pass's code.
#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

void collect_targets(const expression &target, std::set<std::string, std::less<>> &names) {
  if (target.what == expression::kind::name) names.insert(target.text);
  if (target.what == expression::kind::tuple || target.what == expression::kind::list)
    for (const expression_pointer &part : target.parts) collect_targets(*part, names);
}

}  // namespace

void translator::fail(mistake what, const place &at, const std::string &message) const {
  throw compile_error(what, source(), at, message);
}
void translator::fail(mistake what, const expression &at, const std::string &message) const {
  fail(what, at.at, message);
}

void translator::collect_locals(frame &f, const block &statements) const {
  using kind = statement::kind;
  for (const statement &s : statements) {
    if (s.what == kind::assign)
      for (std::size_t i = 0; i + 1 < s.parts.size(); ++i) collect_targets(*s.parts[i], f.locals);
    if (s.what == kind::augmented || s.what == kind::iterate || s.what == kind::declare)
      collect_targets(*s.parts[0], f.locals);
    collect_locals(f, s.body);
    collect_locals(f, s.otherwise);
  }
}

void translator::assign(std::string_view name, const value &v, const expression &at) {
  const auto found = here->variables.find(name);
  variable_facts &variable = found != here->variables.end() ? found->second : here->variables[std::string(name)];
  if (!variable.of) {
    variable.of = v.of;
    variable.known = v.known;
    variable.varies = !v.known;
    variable.natural = v.natural;
    variable.text = v.text;
    variable.object = v.object;
  } else {
    const type both = unify(variable.of, v.of);
    if (!both && name.starts_with('#'))  // nobody's name, but what a conditional expression chooses
      fail(mistake::typing, at,
           fmt::format("a conditional expression's values must be of one type, got {} and {}", described(variable.of),
                       described(v.of)));
    if (!both)
      fail(mistake::typing, at,
           fmt::format("'{}' is {} here and {} elsewhere: a variable has one type; use another name", name,
                       described(v.of), described(variable.of)));
    if (variable.object != v.object &&
        !(variable.object && v.object && variable.object->text == v.object->text &&
          variable.object->what == v.object->what && variable.object->element == v.object->element &&
          variable.object->function == v.object->function))
      fail(mistake::typing, at, fmt::format("'{}' stands for two different objects: use two names", name));
    if (variable.text != v.text)
      fail(mistake::typing, at,
           v.of->what == type_facts::kind::atomic
               ? fmt::format("'{}' is assigned references of different memory order or scope: use two names", name)
               : fmt::format("'{}' is assigned two different strings, which are constants", name));
    if (both != variable.of) variable.of = both, changed_ = true;
    if (variable.natural && !v.natural) variable.natural = false, changed_ = true;
    if (!variable.varies && variable.known != v.known) variable.varies = true, variable.known.reset(), changed_ = true;
  }
  const std::vector<machine> machines = machines_of(variable.of);
  if (variable.pass != pass_) {
    variable.pass = pass_;
    variable.slots.clear();
    for (machine m : machines) variable.slots.push_back(b.variable(m, std::string(name)));
    if (asked.debug) show(name, variable);
  }
  if (variable.slots.size() != machines.size()) return;  // widened in this pass, whose code is thrown away
  value converted = v;
  if (v.of != variable.of) converted = convert(v, variable.of, at);
  std::vector<node> parts;
  append_parts(converted, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (b.type_of(parts[i]) != machines[i]) return;  // the same
    b.set(variable.slots[i], parts[i]);
  }
  if (!variable.mirrors.empty()) set_mirrors(variable, converted);
}

value translator::read(std::string_view name, const expression &at) {
  const auto found = here->variables.find(name);
  if (found == here->variables.end() || !found->second.of || found->second.pass != pass_)
    fail(mistake::name, at, fmt::format("'{}' is used before it is assigned", name));
  variable_facts &variable = found->second;
  std::vector<node> parts;
  for (std::size_t i = 0; i < variable.slots.size(); ++i) parts.push_back(b.get(variable.slots[i]));
  const std::size_t wanted = machines_of(variable.of).size();
  while (parts.size() < wanted) parts.push_back(b.size(0));  // widened in this pass, whose code is thrown away
  if (!variable.varies && variable.known && is_scalar(variable.of)) {
    value v = variable.of->element == dtype::boolean ? truth_value(*variable.known != 0) : integer(*variable.known);
    if (v.of != variable.of) v = convert(v, variable.of, at);
    return v;
  }
  const node *first = parts.data();
  value v = value_of(variable.of, first);
  v.natural = variable.natural;
  v.text = variable.text;
  v.object = variable.object;
  return v;
}

void translator::stop(std::string_view message, const place &at) {
  b.line = at.line;
  b.fail(message, source().file, source().name);
}

}  // namespace dpep::pykernel
