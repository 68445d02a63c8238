// Expressions: names, constants, operators, choices, attributes. Calls and subscripts have files of their own.
#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

using kind = expression::kind;

}  // namespace

std::string translator::text_of(const expression &e) const {
  const std::string line = source().line(e.at.line);
  if (e.at.line != e.at.end_line || e.at.end_column > line.size() || e.at.column >= e.at.end_column)
    return e.text.empty() ? "this" : e.text;
  return line.substr(e.at.column, e.at.end_column - e.at.column);
}

value translator::evaluate(const expression &e) {
  b.line = e.at.line;
  switch (e.what) {
  case kind::name:
    if (here->locals.contains(e.text)) return read(e.text, e);
    return constant(here->function.names->look_up(e.text), e);
  case kind::boolean:
    return truth_value(e.integer != 0);
  case kind::integer:
    if (e.too_large && e.integer == 0)
      fail(mistake::value, e, fmt::format("{} has more than 64 bits: kernels' integers have at most 64", text_of(e)));
    return e.too_large ? scalar(dtype::uint64, b.size(e.integer)) : integer(e.integer);
  case kind::real:
    return real(e.number.real());
  case kind::complex:
    return {.of = weak_complex(),
            .parts = {b.real(machine::f64, e.number.real()), b.real(machine::f64, e.number.imag())}};
  case kind::text: {
    value v{.of = simple_type(type_facts::kind::text)};
    v.text = e.text;
    return v;
  }
  case kind::none:
    return none();
  case kind::unary: {
    const value x = evaluate(*e.parts[0]);
    b.line = e.at.line;
    return unary(e.text, x, e);
  }
  case kind::binary: {
    const value x = evaluate(*e.parts[0]), y = evaluate(*e.parts[1]);
    b.line = e.at.line;
    return binary(e.text, x, y, e);
  }
  case kind::both:
  case kind::either: {
    const std::function<value(std::size_t)> from = [&](std::size_t i) {
      const value x = evaluate(*e.parts[i]);
      if (i + 1 == e.parts.size()) return x;
      const auto rest = [&] { return from(i + 1); };
      const auto same = [&] { return x; };
      const value condition = scalar(dtype::boolean, truth(x, *e.parts[i]), true);
      // keyed by the operand, since each choice has a variable of its own
      return e.what == kind::both ? choose(condition, *e.parts[i], rest, same)
                                  : choose(condition, *e.parts[i], same, rest);
    };
    return from(0);
  }
  case kind::compare: {
    value left = evaluate(*e.parts[0]);
    if (e.names.size() == 1) return compare(e.names[0], left, evaluate(*e.parts[1]), e);
    const std::function<value(std::size_t, const value &)> from = [&](std::size_t i, const value &l) {
      const value r = evaluate(*e.parts[i + 1]);
      const value c = compare(e.names[i], l, r, e);
      if (i + 1 == e.names.size()) return c;
      return choose(c, *e.parts[i + 1], [&] { return from(i + 1, r); }, [&] { return c; });
    };
    return from(0, left);
  }
  case kind::conditional: {
    const value condition = scalar(dtype::boolean, truth(evaluate(*e.parts[0]), *e.parts[0]), true);
    return choose(condition, e, [&] { return evaluate(*e.parts[1]); }, [&] { return evaluate(*e.parts[2]); });
  }
  case kind::call:
    return call(e);
  case kind::attribute:
    return attribute_of(evaluate(*e.parts[0]), e.text, e);
  case kind::subscript: {
    const value of = evaluate(*e.parts[0]);
    return subscript(of, e);
  }
  case kind::tuple: {
    std::vector<value> members;
    for (const expression_pointer &part : e.parts) members.push_back(evaluate(*part));
    return tuple(std::move(members));
  }
  case kind::list:
    fail(mistake::unsupported, e, "kernels have no lists" + advice("List"));
  case kind::slice:
    fail(mistake::unsupported, e, "a slice can only be an index");
  case kind::other:
    break;
  }
  fail(mistake::unsupported, e, fmt::format("{} is not part of the kernel language{}", e.text, advice(e.text)));
}

value translator::choose(const value &condition, const expression &at, const std::function<value()> &yes,
                         const std::function<value()> &no) {
  if (condition.known) return *condition.known ? yes() : no();
  const std::string name =
      fmt::format("#choice {}:{}-{}:{}", at.at.line, at.at.column, at.at.end_line, at.at.end_column);
  b.branch(condition.parts[0], [&] { assign(name, yes(), at); }, [&] { assign(name, no(), at); });
  return read(name, at);
}

value translator::constant(const entity &e, const expression &at) {
  switch (e.what) {
  case entity::kind::number: {
    value v;
    switch (e.number.what) {
    case array::scalar::kind::boolean:
      v = truth_value(e.number.integer != 0);
      break;
    case array::scalar::kind::integer:
      v = e.number.beyond_int64 ? scalar(dtype::uint64, b.size(e.number.integer)) : integer(e.number.integer);
      break;
    case array::scalar::kind::real:
      v = real(e.number.number.real());
      break;
    case array::scalar::kind::complex:
      v = {.of = weak_complex(),
           .parts = {b.real(machine::f64, e.number.number.real()), b.real(machine::f64, e.number.number.imag())}};
      break;
    }
    return e.weak ? v : convert(v, e.element, at);
  }
  case entity::kind::text: {
    value v{.of = simple_type(type_facts::kind::text)};
    v.text = e.text;
    return v;
  }
  case entity::kind::none:
    return none();
  case entity::kind::tuple: {
    std::vector<value> members;
    for (const entity &m : e.members) members.push_back(constant(m, at));
    return tuple(std::move(members), e.names, e.text);
  }
  case entity::kind::table: {
    const type plain = array_type(e.element, static_cast<int>(e.shape.size()), 'C', memory::global, false);
    value v{.of = array_with_extents(plain, e.shape), .parts = {b.string(e.text)}};
    for (const std::int64_t length : e.shape) v.parts.push_back(b.size(length));
    return v;
  }
  case entity::kind::unknown:
    fail(mistake::name, at, fmt::format("name '{}' is not defined", text_of(at)));
  case entity::kind::refused:
    fail(mistake::typing, at,
         fmt::format("{} is {}, which kernels cannot use: pass arrays and numbers as arguments", text_of(at), e.text));
  default:
    return object(e);
  }
}

value translator::attribute_of(const value &v, const std::string &name, const expression &at) {
  using types = type_facts::kind;
  if (v.object) {
    const entity &e = *v.object;
    if (e.what == entity::kind::data_type && (name == "type" || name == "dtype")) return v;
    if (e.what == entity::kind::data_type && name == "itemsize") return integer(std::int64_t(size_of(e.element)));
    if (e.what == entity::kind::object) {
      const entity found = here->function.names->attribute(e, name);
      if (found.what != entity::kind::unknown) return constant(found, at);
    }
    fail(mistake::name, at, fmt::format("{} has no attribute '{}' that kernels can use", text_of(*at.parts[0]), name));
  }
  switch (v.of->what) {
  case types::array:
    return array_attribute(v, name, at);
  case types::scalar: {
    const bool complex = is_complex(v.of->element);
    if (name == "real") return complex ? scalar(real_of(v.of->element), v.parts[0], v.of->weak) : v;
    if (name == "imag") {
      if (complex) return scalar(real_of(v.of->element), v.parts[1], v.of->weak);
      return convert(integer(0), v.of, at);
    }
    if (name == "dtype") return object({.what = entity::kind::data_type, .weak = false, .element = v.of->element});
    if (name == "value" && (v.known || (!complex && b.known_real(v.parts[0])))) return v;  // of an enum's member
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
    if (name == "dimensions" || name == "ndim") return integer(v.of->what == types::sub_group ? 1 : v.of->dimensions);
    if (name == "leader") {
      arguments nothing{at, name, {}, {}};
      return item_method(v, name, nothing);
    }
    break;
  default:
    break;
  }
  fail(mistake::name, at, fmt::format("{} has no attribute '{}' in kernels", described(v.of), name));
}

}  // namespace dpep::pykernel
