// The passes over a kernel, and its arguments.
#include <utility>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

std::size_t argument_bytes(type t) { return machines_of(t).size() * 8; }

translator::translator(const request &r, code &c) : b(c), asked(r), code_(c) {
  root_ = std::make_unique<frame>(r.function);
  collect_locals(*root_, r.function.source.body);
  for (const parameter &p : r.function.source.parameters) root_->locals.insert(p.name);
}

value translator::argument(type t, std::int64_t &offset) {
  std::vector<node> parts;
  for (const machine m : machines_of(t)) {
    const bool is_extent = is_array(t) && !parts.empty() && parts.size() <= t->dimensions;
    // truths are bytes in memory
    node n = b.argument(m == machine::i1 ? machine::i8 : m, offset, !is_extent ? 0 : t->narrow ? 31 : 63);
    if (m == machine::i1) n = b.compare(operation::ne, n, b.integer(machine::i8, 0));
    parts.push_back(n);
    offset += 8;
  }
  // a local accessor's address is an offset in the launch's local memory
  if (is_array(t) && t->where == memory::local)
    parts[0] = b.offset(b.call(machine::address, "__dpep_local_memory", {}),
                        b.cast(operation::bits, machine::i64, parts[0]), 1);
  const node *first = parts.data();
  value v = value_of(t, first);
  if (asked.check && is_array(t) && t->where == memory::local) v.of = array_with_shadow(t, local_shadow(t));
  return v;
}

bool translator::pass() {
  ++pass_;
  changed_ = false;
  const function_source &source = root_->function.source;
  code_ = {};
  code_.name = source.name;
  code_.file = source.file;
  code_.line = source.at.line;
  code_.debug = asked.debug;
  b = builder(code_);
  here = root_.get();
  here->loops.clear();
  here->end_scope = b.new_scope();
  enter_site(*here, source.at);
  // of a function that debuggers see: break points at its name stand behind what has no line
  b.line = asked.debug && asked.elementwise ? 0 : source.at.line;
  b.fast = root_->function.fast_math;
  std::int64_t offset = 0;
  expression at;
  std::vector<value> arguments;
  for (std::size_t i = 0; i < asked.arguments.size(); ++i) {
    at.at = source.parameters[i].at;
    arguments.push_back(argument(asked.arguments[i], offset));
    assign(source.parameters[i].name, arguments.back(), at);
  }
  for (std::size_t i = asked.arguments.size(); i < source.parameters.size(); ++i) {
    const std::size_t first_default = source.parameters.size() - root_->function.defaults.size();
    at.at = source.parameters[i].at;
    assign(source.parameters[i].name, constant(root_->function.defaults[i - first_default], at), at);
  }
  forget_local_memory(arguments);
  const std::vector<type> known = std::exchange(local_arrays_, {});
  b.scope(here->end_scope, [&] { body(source.body); });
  if (asked.check && known != local_arrays_) changed_ = true;
  if (asked.elementwise) give_result();
  return !changed_;
}

void translator::give_result() {
  const function_source &source = root_->function.source;
  if (!always_returns(source.body))
    fail(mistake::typing, source.at,
         fmt::format("'{}' can end without a result: functions of elements return a number on every way", source.name));
  expression at;
  at.at = source.at;
  value v = read("#result", at);
  if (asked.result) v = convert(v, asked.result, at);
  for (const type t : asked.arguments)
    for (const machine m : machines_of(t)) code_.parameters.push_back(m == machine::i1 ? machine::i8 : m);
  for (const node n : v.parts)
    code_.results.push_back(b.type_of(n) == machine::i1 ? b.cast(operation::zext, machine::i8, n) : n);
  code_.result = v.of->element;
  code_.result_type = v.of;
}

std::shared_ptr<const code> translate(const request &r) {
  const auto &parameters = r.function.source.parameters;
  if (r.arguments.size() > parameters.size() || r.arguments.size() + r.function.defaults.size() < parameters.size())
    throw compile_error(mistake::typing, r.function.source, r.function.source.at,
                        fmt::format("{} '{}' takes {} arguments, got {}", r.elementwise ? "function" : "kernel",
                                    r.function.source.name, parameters.size(), r.arguments.size()));
  auto c = std::make_shared<code>();
  translator t(r, *c);
  // types only widen, so this ends; the bound is for defects
  for (int passes = 0; passes < 64; ++passes)
    if (t.pass()) return c;
  throw compile_error(mistake::typing, r.function.source, r.function.source.at,
                      "the types of its variables cannot be found");
}

}  // namespace dpep::pykernel
