// Messages with numbers, which are known when the kernel fails.
#include "pykernel/translate/raised_messages.hpp"

#include <fmt/format.h>

#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

constexpr std::size_t max_numbers = 2;

/// Text with `{}` in the places of numbers. Other braces are doubled.
struct message {
  std::string text;
  std::vector<node> numbers;

  void add(std::string_view characters) {
    for (const char c : characters) {
      text += c;
      if (c == '{' || c == '}') text += c;
    }
  }
  /// A string as in Python's source.
  void add_quoted(std::string_view characters) {
    std::string quoted = "'";
    for (const char c : characters) {
      if (c == '\'' || c == '\\') quoted += '\\';
      if (c == '\n')
        quoted += "\\n";
      else
        quoted += c;
    }
    add(quoted + "'");
  }
};

bool is_f_string(const expression &e) { return e.what == expression::kind::other && e.text == "JoinedStr"; }

/// Whether an expression has only names and integers, so that it can be evaluated here.
bool is_arithmetic(const expression &e) {
  using enum expression::kind;
  switch (e.what) {
  case name:
  case integer:
    return true;
  case unary:
  case binary:
  case subscript:
  case attribute:
    return std::ranges::all_of(e.parts, [](const expression_pointer &part) { return part && is_arithmetic(*part); });
  default:
    return false;
  }
}

/// Returns whether the value is an integer that a message can have.
bool add_number(translation &ctx, message &to, const expression &e) {
  if (to.numbers.size() == max_numbers || !is_arithmetic(e)) return false;
  const value v = evaluate(ctx, e);
  if (!is_scalar(v.of) || !is_integer(v.of->element) || v.of->element == dtype::uint64) return false;
  to.numbers.push_back(integer_node(ctx, v, e, "a number of a message"));
  to.text += "{}";
  return true;
}

bool add_f_string(translation &ctx, message &to, const expression &e) {
  return !e.parts.empty() && std::ranges::all_of(e.parts, [&](const expression_pointer &part) {
    if (part->what == expression::kind::text) return to.add(part->text), true;
    return add_number(ctx, to, *part);
  });
}

bool add_argument(translation &ctx, message &to, const expression &e) {
  if (e.what == expression::kind::text) return to.add_quoted(e.text), true;
  if (!is_f_string(e)) return add_number(ctx, to, e);
  message inner{.text = "", .numbers = std::move(to.numbers)};
  const bool added = add_f_string(ctx, inner, e);
  to.numbers = std::move(inner.numbers);
  const bool is_plain = inner.text.find_first_of("'\\\n") == inner.text.npos;
  to.text += '\'' + inner.text + '\'';
  return added && is_plain;
}

bool add_arguments(translation &ctx, message &to, std::span<const expression_pointer> arguments) {
  if (arguments.size() == 1 && arguments[0]->what == expression::kind::text)
    return to.add(": " + arguments[0]->text), true;
  if (arguments.size() == 1 && is_f_string(*arguments[0])) return to.add(": "), add_f_string(ctx, to, *arguments[0]);
  to.add("(");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i) to.add(", ");
    if (!add_argument(ctx, to, *arguments[i])) return false;
  }
  to.add(")");
  return true;
}

}  // namespace

bool emit_raise(translation &ctx, const std::string &name, std::span<const expression_pointer> arguments,
                const source_location &at) {
  message made;
  made.add(name);
  if (!arguments.empty() && !add_arguments(ctx, made, arguments)) return false;
  const node none = ctx.ir.size(0);
  made.numbers.resize(max_numbers, none);
  emit_error_with(ctx, made.text, made.numbers[0], made.numbers[1], at);
  return true;
}

}  // namespace dpep::pykernel
