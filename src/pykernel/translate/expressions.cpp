// Expressions: names, constants, operators, conditionals, attributes.
#include "pykernel/translate/expressions.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/array_reductions.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/calls.hpp"
#include "pykernel/translate/loop_results.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/subscripts.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {
namespace {

using kind = expression::kind;

/// Evaluates one of two values. `operand`: distinguishes several choices that an expression makes.
value select_lazily(translation &ctx, const value &condition, const expression &at, std::size_t operand,
                    const std::function<value()> &yes, const std::function<value()> &no) {
  if (condition.known) return *condition.known ? yes() : no();
  const std::string name =
      fmt::format("#choice {}:{}-{}:{} {}", at.at.line, at.at.column, at.at.end_line, at.at.end_column, operand);
  ctx.ir.branch(condition.parts[0], [&] { assign(ctx, name, yes(), at); }, [&] { assign(ctx, name, no(), at); });
  return read(ctx, name, at);
}

/// A view of an array, which has the elements of the same variable.
value with_origin(const translation &ctx, value v, const value &of, const expression &e) {
  if (!is_array(v.of)) return v;
  v.origin = of.origin;
  v.of_iteration = of.of_iteration;
  v.written = source_text(ctx, e);
  return v;
}

/// The comparison of a variable that may be None by `is None`, `is not None`, `==` or `!=`.
std::optional<value> compared_with_none(translation &ctx, const expression &e) {
  const std::string &op = e.names[0];
  const expression &variable = *e.parts[0];
  const value nothing = is_still_none(ctx, variable);
  if (op == "is" || op == "is not") {
    if (evaluate(ctx, *e.parts[1]).of->what != type_properties::kind::none) return std::nullopt;
    if (nothing.known) return truth_value(ctx, op == "is");
    return op == "is" ? nothing : scalar(ctx, dtype::boolean, ctx.ir.negate(nothing.parts[0]), true);
  }
  if ((op != "==" && op != "!=") || nothing.known || may_be_none(ctx, *e.parts[1])) return std::nullopt;
  const value v = read_unchecked(ctx, variable);
  value equal = compare(ctx, op, v, evaluate(ctx, *e.parts[1]), e);
  if (!is_scalar(equal.of)) return std::nullopt;
  equal.parts[0] = ctx.ir.select(nothing.parts[0], ctx.ir.boolean(op == "!="), equal.parts[0]);
  equal.known.reset();
  return equal;
}

bool exceeds_64_bits(const expression &e) { return e.what == kind::integer && e.too_large && e.integer == 0; }

}  // namespace

value evaluate_beside(translation &ctx, const value &other, std::string_view op, const expression &e) {
  const bool is_float = is_scalar(other.of) && (is_real(other.of->element) || is_complex(other.of->element));
  if (exceeds_64_bits(e) && std::isfinite(e.number.real()) && (is_float || (op == "/" && is_scalar(other.of))))
    return real(ctx, e.number.real());
  return operand(ctx, op, e);
}

value operand(translation &ctx, std::string_view op, const expression &e) {
  const bool takes_none = op == "==" || op == "!=" || op.starts_with("is") || op.ends_with("in");
  return !takes_none && may_be_none(ctx, e) ? read(ctx, e.text, e) : evaluate(ctx, e);
}

value evaluate(translation &ctx, const expression &e) {
  ctx.ir.line = e.at.line;
  switch (e.what) {
  case kind::name:
    if (ctx.current->locals.contains(e.text)) {
      if (may_be_none(ctx, e))
        fail(ctx, error_kind::typing, e,
             fmt::format("'{0}' may be None here: in loops such variables are compared, also by 'is None', and are "
                         "operands of arithmetic; use a bool that says whether '{0}' has a value",
                         e.text));
      value v = read(ctx, e.text, e);
      if (is_array(v.of)) v.written = e.text;
      return v;
    }
    return constant(ctx, ctx.current->function.names->look_up(e.text), e);
  case kind::boolean:
    return truth_value(ctx, e.integer != 0);
  case kind::integer:
    if (exceeds_64_bits(e))
      fail(ctx, error_kind::value, e,
           fmt::format("{} does not fit 64 bits, the width of integers in kernels; write it as a float if it is used "
                       "as one",
                       source_text(ctx, e)));
    return e.too_large ? scalar(ctx, dtype::uint64, ctx.ir.size(e.integer)) : integer(ctx, e.integer);
  case kind::real:
    return real(ctx, e.number.real());
  case kind::complex:
    return {
        .of = weak_complex(),
        .parts = {ctx.ir.real(machine_type::f64, e.number.real()), ctx.ir.real(machine_type::f64, e.number.imag())}};
  case kind::text: {
    value v{.of = simple_type(type_properties::kind::text)};
    v.text = e.text;
    return v;
  }
  case kind::none:
    return none();
  case kind::unary: {
    const value x = evaluate(ctx, *e.parts[0]);
    ctx.ir.line = e.at.line;
    return unary(ctx, e.text, x, e);
  }
  case kind::binary: {
    const expression &left = *e.parts[0], &right = *e.parts[1];
    std::optional<value> late;  // the right operand, if the left one's type depends on it
    if (exceeds_64_bits(left)) late = evaluate(ctx, right);
    const value x = late ? evaluate_beside(ctx, *late, e.text, left) : operand(ctx, e.text, left);
    const value y = late ? *late : evaluate_beside(ctx, x, e.text, right);
    ctx.ir.line = e.at.line;
    if (e.text == "@" && is_whole_array(x) && is_whole_array(y))
      if (const auto product = array_reduction(ctx, "dot", {e, "matmul", {x, y}, {}})) return *product;
    const in_any_order adds(ctx, updates_reduction(ctx, left) || updates_reduction(ctx, right));
    return binary(ctx, e.text, x, y, e);
  }
  case kind::and_:
  case kind::or_: {
    const std::function<value(std::size_t)> from = [&](std::size_t i) {
      const value x = evaluate(ctx, *e.parts[i]);
      if (i + 1 == e.parts.size()) return x;
      const auto rest = [&] { return from(i + 1); };
      const auto same = [&] { return x; };
      const value condition = scalar(ctx, dtype::boolean, truth(ctx, x, *e.parts[i]), true);
      return e.what == kind::and_ ? select_lazily(ctx, condition, e, i, rest, same)
                                  : select_lazily(ctx, condition, e, i, same, rest);
    };
    return from(0);
  }
  case kind::compare: {
    if (e.names.size() == 1 && may_be_none(ctx, *e.parts[0]))
      if (std::optional<value> v = compared_with_none(ctx, e)) return *v;
    value left = e.names.size() == 1 ? operand(ctx, e.names[0], *e.parts[0]) : evaluate(ctx, *e.parts[0]);
    if (e.names.size() == 1)
      return compare(ctx, e.names[0], left, evaluate_beside(ctx, left, e.names[0], *e.parts[1]), e);
    const std::function<value(std::size_t, const value &)> from = [&](std::size_t i, const value &l) {
      const value r = evaluate(ctx, *e.parts[i + 1]);
      const value c = compare(ctx, e.names[i], l, r, e);
      if (i + 1 == e.names.size()) return c;
      return select_lazily(ctx, c, e, i, [&] { return from(i + 1, r); }, [&] { return c; });
    };
    return from(0, left);
  }
  case kind::conditional: {
    const value condition = scalar(ctx, dtype::boolean, truth(ctx, evaluate(ctx, *e.parts[0]), *e.parts[0]), true);
    return select_lazily(
        ctx, condition, e, 0, [&] { return evaluate(ctx, *e.parts[1]); }, [&] { return evaluate(ctx, *e.parts[2]); });
  }
  case kind::call:
    return call(ctx, e);
  case kind::attribute: {
    const value of = evaluate(ctx, *e.parts[0]);
    return with_origin(ctx, attribute_of(ctx, of, e.text, e), of, e);
  }
  case kind::subscript: {
    const value of = evaluate(ctx, *e.parts[0]);
    return with_origin(ctx, subscript(ctx, of, e), of, e);
  }
  case kind::tuple: {
    std::vector<value> members;
    for (const expression_pointer &part : e.parts) members.push_back(evaluate(ctx, *part));
    return tuple(std::move(members));
  }
  case kind::list:
    fail(ctx, error_kind::unsupported, e, "kernels do not support lists" + suggestion_for("List"));
  case kind::slice:
    fail(ctx, error_kind::unsupported, e, "a slice is only allowed as an index");
  case kind::other:
    break;
  }
  fail(ctx, error_kind::unsupported, e,
       fmt::format("{} is not part of the kernel language{}", e.text, suggestion_for(e.text)));
}

value constant(translation &ctx, const entity &e, const expression &at) {
  switch (e.what) {
  case entity::kind::number: {
    value v;
    switch (e.number.what) {
    case array::scalar::kind::boolean:
      v = truth_value(ctx, e.number.integer != 0);
      break;
    case array::scalar::kind::integer:
      v = e.number.beyond_int64 ? scalar(ctx, dtype::uint64, ctx.ir.size(e.number.integer))
                                : integer(ctx, e.number.integer);
      break;
    case array::scalar::kind::real:
      v = real(ctx, e.number.number.real());
      break;
    case array::scalar::kind::complex:
      v = {.of = weak_complex(),
           .parts = {ctx.ir.real(machine_type::f64, e.number.number.real()),
                     ctx.ir.real(machine_type::f64, e.number.number.imag())}};
      break;
    }
    return e.weak ? v : convert(ctx, v, e.element, at);
  }
  case entity::kind::text: {
    value v{.of = simple_type(type_properties::kind::text)};
    v.text = e.text;
    return v;
  }
  case entity::kind::none:
    return none();
  case entity::kind::tuple: {
    std::vector<value> members;
    for (const entity &m : e.members) members.push_back(constant(ctx, m, at));
    return tuple(std::move(members), e.names, e.text);
  }
  case entity::kind::constant_array: {
    const type plain = array_type(e.element, static_cast<int>(e.shape.size()), 'C', address_space::global_space, false);
    value v{.of = array_with_extents(plain, e.shape), .parts = {ctx.ir.string(e.text)}};
    for (const std::int64_t length : e.shape) v.parts.push_back(ctx.ir.size(length));
    return v;
  }
  case entity::kind::unknown:
    fail(ctx, error_kind::name, at, fmt::format("name '{}' is not defined", source_text(ctx, at)));
  case entity::kind::unsupported:
    fail(ctx, error_kind::typing, at,
         fmt::format("{} is {}, which kernels cannot use: pass arrays and numbers as arguments", source_text(ctx, at),
                     e.text));
  default:
    return object(e);
  }
}

value attribute_of(translation &ctx, const value &v, const std::string &name, const expression &at) {
  using types = type_properties::kind;
  if (v.object) {
    const entity &e = *v.object;
    if (e.what == entity::kind::data_type && (name == "type" || name == "dtype")) return v;
    if (e.what == entity::kind::data_type && name == "itemsize") return integer(ctx, std::int64_t(size_of(e.element)));
    if (e.what == entity::kind::object) {
      const entity found = ctx.current->function.names->attribute(e, name);
      if (found.what != entity::kind::unknown) return constant(ctx, found, at);
    }
    fail(ctx, error_kind::name, at,
         fmt::format("{} has no attribute '{}' that kernels can use", source_text(ctx, *at.parts[0]), name));
  }
  switch (v.of->what) {
  case types::array:
    return array_attribute(ctx, v, name, at);
  case types::array_expression:
    return expression_attribute(ctx, v, name, at);
  case types::scalar: {
    const bool complex = is_complex(v.of->element);
    if (name == "real") return complex ? scalar(ctx, real_of(v.of->element), v.parts[0], v.of->weak) : v;
    if (name == "imag") {
      if (complex) return scalar(ctx, real_of(v.of->element), v.parts[1], v.of->weak);
      return convert(ctx, integer(ctx, 0), v.of, at);
    }
    if (name == "dtype") return object({.what = entity::kind::data_type, .weak = false, .element = v.of->element});
    if (name == "value" && (v.known || (!complex && ctx.ir.known_real(v.parts[0]))))
      return v;  // of a member of an enum
    break;
  }
  case types::tuple:
    for (std::size_t i = 0; i < v.of->names.size(); ++i)
      if (v.of->names[i] == name) return v.members[i];
    break;
  case types::item:
  case types::nd_item:
  case types::group:
  case types::sub_group:
    if (name == "dimensions" || name == "ndim")
      return integer(ctx, v.of->what == types::sub_group ? 1 : v.of->dimensions);
    if (name == "leader") {
      arguments nothing{at, name, {}, {}};
      return item_method(ctx, v, name, nothing);
    }
    break;
  default:
    break;
  }
  fail(ctx, error_kind::name, at, fmt::format("{} has no attribute '{}' in kernels", display_name(v.of), name));
}

}  // namespace dpep::pykernel
