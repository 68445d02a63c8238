// Messages with numbers, which are known when the kernel fails.
#include "pykernel/translate/raised_messages.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

using arguments = std::span<const expression_pointer>;

constexpr std::size_t max_numbers = 2;
constexpr std::size_t max_length = 200;  // of a text: the records of failures hold 255 bytes, with numbers

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
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        continue;
      }
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    }
    add(quoted + "'");
  }
};

/// A string, or the name of a global or captured one. Empty: it is another expression.
std::optional<std::string> constant_text(translation &ctx, const expression &e) {
  if (e.what == expression::kind::text) return e.text;
  if (e.what != expression::kind::name || ctx.current->locals.contains(e.text)) return std::nullopt;
  const entity found = ctx.current->function.names->look_up(e.text);
  return found.what == entity::kind::text ? std::optional(found.text) : std::nullopt;
}

bool is_f_string(const expression &e) {
  return e.what == expression::kind::other && e.text == "JoinedStr" && !e.parts.empty();
}

/// Whether an expression has only local variables and numbers, so that it can be evaluated here.
bool is_arithmetic(translation &ctx, const expression &e) {
  using enum expression::kind;
  switch (e.what) {
  case name:
    return ctx.current->locals.contains(e.text) ||
           ctx.current->function.names->look_up(e.text).what == entity::kind::number;
  case integer:
    return true;
  case unary:
  case binary:
  case subscript:
  case attribute:
    return std::ranges::all_of(e.parts,
                               [&](const expression_pointer &part) { return part && is_arithmetic(ctx, *part); });
  default:
    return false;
  }
}

/// Adds the expression's value if it is an integer of 64 bits with a sign, or a narrower one, and fewer than two
/// numbers were added. Returns whether it was.
bool add_number(translation &ctx, message &to, const expression &e, evaluator &evaluate) {
  if (to.numbers.size() == max_numbers || !is_arithmetic(ctx, e)) return false;
  const value v = evaluate(ctx, e);
  if (!is_scalar(v.of) || !is_integer(v.of->element) || v.of->element == dtype::uint64) return false;
  to.numbers.push_back(integer_node(ctx, v, e, "a number of a message"));
  to.text += "{}";
  return true;
}

bool add_f_string(translation &ctx, message &to, const expression &e, evaluator &evaluate) {
  return std::ranges::all_of(e.parts, [&](const expression_pointer &part) {
    if (const auto text = constant_text(ctx, *part)) return to.add(*text), true;
    return add_number(ctx, to, *part, evaluate);
  });
}

bool add_argument(translation &ctx, message &to, const expression &e, evaluator &evaluate) {
  if (const auto text = constant_text(ctx, e)) return to.add_quoted(*text), true;
  if (!is_f_string(e)) return add_number(ctx, to, e, evaluate);
  message inner{.text = "", .numbers = std::move(to.numbers)};
  const bool added = add_f_string(ctx, inner, e, evaluate);
  to.numbers = std::move(inner.numbers);
  to.text += '\'' + inner.text + '\'';
  return added && std::ranges::none_of(inner.text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\'' || c == '\\';
         });
}

bool add_arguments(translation &ctx, message &to, arguments given, evaluator &evaluate) {
  if (given.size() == 1) {
    if (const auto text = constant_text(ctx, *given[0])) return to.add(": " + *text), true;
    if (is_f_string(*given[0])) return to.add(": "), add_f_string(ctx, to, *given[0], evaluate);
  }
  to.add("(");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i) to.add(", ");
    if (!add_argument(ctx, to, *given[i], evaluate)) return false;
  }
  to.add(")");
  return to.text.size() <= max_length;
}

/// Ends the kernel with an exception of the class `name`. Returns false, and does not end the kernel, if a message
/// cannot have one of the arguments. Code that evaluates others may have been emitted.
bool emit_exception(translation &ctx, const std::string &name, arguments given, const source_location &at,
                    evaluator &evaluate) {
  message made;
  made.add(name);
  if (!given.empty() && !add_arguments(ctx, made, given, evaluate)) return false;
  made.numbers.resize(max_numbers, ctx.ir.size(0));
  emit_error_with(ctx, made.text, made.numbers[0], made.numbers[1], at);
  return true;
}

}  // namespace

void emit_raise(translation &ctx, const statement &s, evaluator &evaluate) {
  ctx.kernel.raises = true;
  if (s.parts.empty()) return emit_error(ctx, "an exception", s.at);
  const expression &e = *s.parts[0];
  const bool called = e.what == expression::kind::call;
  const expression &type = called ? *e.parts[0] : e;
  if (type.what != expression::kind::name && type.what != expression::kind::attribute)
    fail(
        ctx, error_kind::unsupported, e,
        fmt::format("raise takes an exception by its name, such as ValueError(\"text\"), got {}", source_text(ctx, e)));
  if (type.what == expression::kind::name &&
      ctx.current->function.names->look_up(type.text).what == entity::kind::unknown)
    fail(ctx, error_kind::name, type, fmt::format("name '{}' is not defined", type.text));
  if (!called) return emit_error(ctx, type.text, s.at);
  const arguments given = arguments(e.parts).subspan(1);
  if (e.names.empty() && emit_exception(ctx, type.text, given, s.at, evaluate)) return;
  std::string message = type.text;
  std::string_view before = ": ";
  for (const expression_pointer &argument : given)
    if (argument->what == expression::kind::text) message += std::string(std::exchange(before, ", ")) + argument->text;
  emit_error(ctx, message, s.at);
}

void emit_assert(translation &ctx, const statement &s, node condition, evaluator &evaluate) {
  ctx.kernel.raises = true;
  ctx.ir.branch(ctx.ir.negate(condition), [&] {
    if (s.parts.size() > 1) {
      if (emit_exception(ctx, "AssertionError", arguments(s.parts).subspan(1), s.at, evaluate)) return;
      evaluate(ctx, *s.parts[1]);  // refuses what kernels cannot compute
    }
    emit_error(ctx, "AssertionError: " + source_text(ctx, *s.parts[0]), s.at);
  });
}

}  // namespace dpep::pykernel
