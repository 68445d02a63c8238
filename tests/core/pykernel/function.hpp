// Builders of syntax trees of Python functions, and of kernels from them.
#pragma once

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "pykernel/compile.hpp"
#include "pykernel/syntax/diagnostics.hpp"

namespace dpep::pykernel::test {

using kinds = expression::kind;

/// The location of an expression on a line of its own, so that locations in messages differ.
inline source_location at_line(std::uint32_t line) { return {line, 4, line, 9}; }

inline expression_pointer make(kinds what, std::string text, std::vector<expression_pointer> parts = {},
                               std::uint32_t line = 1) {
  auto e = std::make_unique<expression>();
  e->what = what;
  e->text = std::move(text);
  e->parts = std::move(parts);
  e->at = at_line(line);
  return e;
}
template <class... Parts> std::vector<expression_pointer> list(Parts... parts) {
  std::vector<expression_pointer> all;
  (all.push_back(std::move(parts)), ...);
  return all;
}
inline expression_pointer name(std::string text, std::uint32_t line = 1) {
  return make(kinds::name, std::move(text), {}, line);
}
inline expression_pointer number(std::int64_t x) {
  auto e = std::make_unique<expression>();
  e->what = kinds::integer;
  e->integer = x;
  e->at = at_line(1);
  return e;
}
inline expression_pointer binary(expression_pointer a, std::string op, expression_pointer b, std::uint32_t line = 1) {
  return make(kinds::binary, std::move(op), list(std::move(a), std::move(b)), line);
}
inline expression_pointer less(expression_pointer a, expression_pointer b) {
  auto e = std::make_unique<expression>();
  e->what = kinds::compare;
  e->names = {"<"};
  e->parts = list(std::move(a), std::move(b));
  e->at = at_line(1);
  return e;
}
inline expression_pointer element(std::string array, expression_pointer index, std::uint32_t line = 1) {
  return make(kinds::subscript, "", list(name(std::move(array), line), std::move(index)), line);
}
template <class... Arguments> expression_pointer call(expression_pointer callee, Arguments... arguments) {
  return make(kinds::call, "", list(std::move(callee), std::move(arguments)...));
}
/// item.get_id(0)
inline expression_pointer id() { return call(make(kinds::attribute, "get_id", list(name("item"))), number(0)); }

inline statement simple(statement::kind what, std::vector<expression_pointer> parts, std::uint32_t line = 1) {
  statement s;
  s.what = what;
  s.parts = std::move(parts);
  s.at = at_line(line);
  return s;
}
inline statement assign(expression_pointer target, expression_pointer value) {
  return simple(statement::kind::assign, list(std::move(target), std::move(value)));
}
inline statement add_to(expression_pointer target, expression_pointer value) {
  statement s = simple(statement::kind::augmented_assign, list(std::move(target), std::move(value)));
  s.text = "+";
  return s;
}
template <class... Statements> block body_of(Statements... statements) {
  block all;
  (all.push_back(std::move(statements)), ...);
  return all;
}
inline statement branch(expression_pointer condition, block body) {
  statement s = simple(statement::kind::if_, list(std::move(condition)));
  s.body = std::move(body);
  return s;
}
inline statement for_range(std::string counter, expression_pointer from, expression_pointer to, block body) {
  statement s = simple(statement::kind::for_,
                       list(name(std::move(counter)), call(name("range"), std::move(from), std::move(to))));
  s.body = std::move(body);
  return s;
}

/// An environment with the given names, and Python's range.
class known_names final : public environment {
public:
  explicit known_names(std::map<std::string, entity> all = {}) : all_(std::move(all)) {
    all_.emplace("range", entity{.what = entity::kind::builtin, .text = "builtins.range"});
  }
  entity look_up(const std::string &name) const override {
    const auto found = all_.find(name);
    return found == all_.end() ? entity() : found->second;
  }
  entity attribute(const entity &, const std::string &) const override { return {}; }

private:
  std::map<std::string, entity> all_;
};

inline callable function(std::string name, std::vector<std::string> parameters, block body,
                         std::map<std::string, entity> names = {}) {
  callable f;
  f.source.name = std::move(name);
  f.source.file = "file.py";
  f.source.first_line = 1;
  for (int line = 1; line < 10; ++line) f.source.lines.push_back("    line" + std::to_string(line));
  for (std::string &p : parameters) f.source.parameters.push_back({std::move(p), at_line(1)});
  f.source.body = std::move(body);
  f.source.at = at_line(1);
  f.names = std::make_unique<known_names>(std::move(names));
  return f;
}

/// A kernel with a work-item before its parameters.
inline callable kernel_function(std::vector<std::string> parameters, block body,
                                std::map<std::string, entity> names = {}) {
  parameters.insert(parameters.begin(), "item");
  return function("kernel", std::move(parameters), std::move(body), std::move(names));
}
inline std::shared_ptr<const kernel_ir> translated(const callable &f, std::vector<type> arguments) {
  arguments.insert(arguments.begin(), simple_type(type_properties::kind::item, 1));
  return translate({.function = f, .arguments = std::move(arguments)});
}

}  // namespace dpep::pykernel::test
