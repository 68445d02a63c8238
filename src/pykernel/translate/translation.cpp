// Errors with their place in the source.
#include "pykernel/translate/translation.hpp"

#include <algorithm>

namespace dpep::pykernel {

void fail(const translation &ctx, error_kind what, const source_location &at, const std::string &message) {
  throw compile_error(what, ctx.source(), at, message);
}
void fail(const translation &ctx, error_kind what, const expression &at, const std::string &message) {
  fail(ctx, what, at.at, message);
}

error_kind operand_error(std::initializer_list<type> operands) {
  return std::ranges::any_of(operands,
                             [](type t) { return is_array(t) || t->what == type_properties::kind::array_expression; })
             ? error_kind::whole_array
             : error_kind::typing;
}

void emit_error(translation &ctx, std::string_view message, const source_location &at) {
  ctx.ir.line = at.line;
  ctx.ir.fail(message, ctx.source().file, ctx.source().name);
}

void emit_error_with(translation &ctx, std::string_view message, node first, node second, const source_location &at) {
  ctx.ir.line = at.line;
  ctx.ir.fail_with(message, first, second, ctx.source().file, ctx.source().name);
}

std::string source_text(const translation &ctx, const expression &e) {
  const std::string line = ctx.source().line(e.at.line);
  if (e.at.line != e.at.end_line || e.at.end_column > line.size() || e.at.column >= e.at.end_column)
    return e.text.empty() ? "this" : e.text;
  return line.substr(e.at.column, e.at.end_column - e.at.column);
}

}  // namespace dpep::pykernel
