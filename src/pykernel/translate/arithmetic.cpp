// Operators on numbers, with NumPy's results.
#include <cmath>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

using enum operation;

bool both_weak(const value &x, const value &y) { return x.of->weak && y.of->weak; }

/// What ints are divided in: floats.
type divided(type t) {
  return is_real(t->element) || is_complex(t->element) ? t : scalar_type(dtype::float64, t->weak);
}

/// Truths count as integers where they are no truths any more.
type counted(type t, const value &x, const value &y) {
  if (t->element != dtype::boolean) return t;
  return both_weak(x, y) ? weak_integer() : scalar_type(dtype::int8);
}

std::string operands_of(const value &x, const value &y) {
  return fmt::format("{} and {}", described(x.of), described(y.of));
}

/// Of a shift or of bits: floats are what NumPy makes of uint64 with a signed type. Bits are kept in the left one's, as
/// Numba has it for shifts.
type of_bits(type t, const value &x) {
  if (!is_real(t->element) || !is_integer(x.of->element)) return t;
  return scalar_type(is_unsigned(x.of->element) ? dtype::uint64 : dtype::int64);
}

// A constant near zero: sums with it do not leave the 64 bits that stand for Python's integers without bound.
bool is_small(const value &v) { return v.known && *v.known > -(1LL << 31) && *v.known < (1LL << 31); }

}  // namespace

value translator::binary(std::string_view op, const value &x, const value &y, const expression &at) {
  if (is_tuple(x.of) && is_tuple(y.of) && op == "+") {
    std::vector<value> members = x.members;
    members.insert(members.end(), y.members.begin(), y.members.end());
    return tuple(std::move(members));
  }
  if (!is_scalar(x.of) || !is_scalar(y.of)) {
    using enum type_facts::kind;
    const char *advice = "";
    if (is_array(x.of) || is_array(y.of))
      advice = ": kernels compute with elements; write a loop, or index the array";
    else if (x.of->what == atomic || y.of->what == atomic)
      advice = ": an AtomicRef has methods, load(), store(), fetch_add() and others";
    fail(mistake::typing, at, fmt::format("operator {} is not defined for {}{}", op, operands_of(x, y), advice));
  }
  if (op == "@") fail(mistake::unsupported, at, "kernels have no matrix multiplication: write the loops");
  type t = promote(x.of, y.of);
  const bool truths = x.of->element == dtype::boolean && y.of->element == dtype::boolean;
  if (op == "/")
    t = divided(t);
  else if (op == "//" || op == "%" || op == "**" || op == "<<" || op == ">>")
    t = counted(t, x, y);
  else if ((op == "+" || op == "-" || op == "*") && truths && both_weak(x, y))
    t = weak_integer();

  if ((op == "<<" || op == ">>" || op == "&" || op == "|" || op == "^") && !is_real(y.of->element)) t = of_bits(t, x);

  if (is_complex(t->element)) return complex_binary(op, convert(x, t, at), convert(y, t, at), t);
  if (op == "**") return power(x, y, at);
  const value a = convert(x, t, at), c = convert(y, t, at);
  const node l = a.parts[0], r = c.parts[0];
  const dtype e = t->element;
  const bool floating = is_real(e), natural = a.natural && c.natural;
  const auto result = [&](node n, bool never_negative) { return scalar(e, n, t->weak, never_negative); };

  if (op == "+" || op == "-" || op == "*") {
    if (e == dtype::boolean) {
      if (op == "-") fail(mistake::typing, at, "operator - is not defined for bools: use ^, or != ");
      return result(b.binary(op == "+" ? bit_or : bit_and, l, r), true);
    }
    if (floating) return result(b.binary(op == "+" ? fadd : op == "-" ? fsub : fmul, l, r), false);
    const bool no_wrap = t->weak && op != "*" && (is_small(a) || is_small(c) || natural);
    return result(b.binary(op == "+" ? add : op == "-" ? sub : mul, l, r, no_wrap), natural && op != "-");
  }
  if (op == "/") return result(b.binary(fdiv, l, r), false);
  if (op == "//") return divide_floor(a, c, t, false);
  if (op == "%") return divide_floor(a, c, t, true);
  if (floating)
    fail(mistake::typing, at,
         fmt::format("operator {} is not defined for {}: it takes integers", op, operands_of(x, y)));
  if (op == "&") return result(b.binary(bit_and, l, r), a.natural || c.natural);
  if (op == "|") return result(b.binary(bit_or, l, r), natural);
  if (op == "^") return result(b.binary(bit_xor, l, r), natural);
  // a shift by the width or more leaves nothing, or the sign
  const machine m = machine_of(e);
  const node width = b.integer(m, bits_of(m)), within = b.compare(ult, r, width);
  const node distance = b.select(within, r, b.integer(m, bits_of(m) - 1));
  if (op == "<<") return result(b.select(within, b.binary(shl, l, distance), b.integer(m, 0)), a.natural && t->weak);
  if (is_unsigned(e)) return result(b.select(within, b.binary(lshr, l, distance), b.integer(m, 0)), true);
  return result(b.binary(ashr, l, distance), a.natural);
}

value translator::divide_floor(const value &x, const value &y, type t, bool remainder) {
  const node l = x.parts[0], r = y.parts[0];
  const dtype e = t->element;
  const machine m = machine_of(e);
  const auto result = [&](node n, bool natural) { return scalar(e, n, t->weak, natural); };
  if (!is_real(e)) {
    const node zero = b.integer(m, 0);
    const bool plain = is_unsigned(e) || (x.natural && y.natural);
    // division by zero gives zero; -1 is left to the negation, since the least integer has no quotient by it
    const node no_divisor = b.compare(eq, r, zero);
    const node safe = b.select(no_divisor, b.integer(m, 1), r);
    if (plain) {
      const bool is_signed = !is_unsigned(e);
      const node q = b.binary(remainder ? (is_signed ? srem : urem) : (is_signed ? sdiv : udiv), l, safe);
      return result(b.select(no_divisor, zero, q), true);
    }
    const node minus = b.compare(eq, r, b.integer(m, -1));
    const node divisor = b.select(minus, b.integer(m, 1), safe);
    const node q = b.binary(sdiv, l, divisor), rest = b.binary(srem, l, divisor);
    // the remainder has the divisor's sign
    const node wrong =
        b.binary(bit_and, b.compare(ne, rest, zero), b.compare(slt, b.binary(bit_xor, rest, divisor), zero));
    if (remainder) return result(b.select(no_divisor, zero, b.select(wrong, b.add(rest, divisor), rest)), y.natural);
    const node floor = b.select(wrong, b.binary(sub, q, b.integer(m, 1)), q);
    return result(b.select(no_divisor, zero, b.select(minus, b.binary(sub, zero, l), floor)), false);
  }
  // NumPy's npy_divmod: the exact remainder first, then a quotient that is a whole number
  const node zero = b.real(m, 0), one = b.real(m, 1);
  const node rest = b.binary(frem, l, r);
  const node has_rest = b.compare(fne, rest, zero);
  const node wrong =
      b.binary(bit_and, has_rest, b.binary(bit_xor, b.compare(flt, rest, zero), b.compare(flt, r, zero)));
  const std::string suffix = m == machine::f64 ? ".f64" : m == machine::f32 ? ".f32" : ".f16";
  if (remainder) {
    const node adjusted = b.select(wrong, b.binary(fadd, rest, r), rest);
    const node signed_zero = b.call(m, "llvm.copysign" + suffix, {zero, r});
    return result(b.select(has_rest, adjusted, signed_zero), false);
  }
  const node quotient = b.binary(fdiv, l, r);
  const node less_rest = b.binary(fdiv, b.binary(fsub, l, rest), r);
  const node lowered = b.select(wrong, b.binary(fsub, less_rest, one), less_rest);
  const node floor = b.call(m, "llvm.floor" + suffix, {lowered});
  const node rounded =
      b.select(b.compare(flt, b.real(m, 0.5), b.binary(fsub, lowered, floor)), b.binary(fadd, floor, one), floor);
  const node signed_zero = b.call(m, "llvm.copysign" + suffix, {zero, quotient});
  const node whole = b.select(b.compare(fne, lowered, zero), rounded, signed_zero);
  return result(b.select(b.compare(feq, r, zero), quotient, whole), false);
}

value translator::power(const value &x, const value &y, const expression &at) {
  type t = counted(promote(x.of, y.of), x, y);
  // whole constants are products
  std::optional<std::int64_t> exponent = y.known;
  if (!exponent && is_real(y.of->element))
    if (const auto constant = b.known_real(y.parts[0]);
        constant && *constant == std::trunc(*constant) && std::abs(*constant) <= 64)
      exponent = std::int64_t(*constant);
  if (is_integer(t->element) && exponent && *exponent < 0) {
    if (!both_weak(x, y)) fail(mistake::value, at, "integers to negative integer powers are not allowed: use a float");
    t = weak_real();
  }
  const value base = convert(x, t, at);
  const bool floating = is_real(t->element);
  if (exponent && std::abs(*exponent) <= 64) {
    const machine m = machine_of(t->element);
    node result = 0, square = base.parts[0];
    for (std::uint64_t rest = std::uint64_t(std::abs(*exponent)); rest; rest >>= 1) {
      if (rest & 1) result = result ? b.binary(floating ? fmul : mul, result, square) : square;
      if (rest > 1) square = b.binary(floating ? fmul : mul, square, square);
    }
    if (!result) result = floating ? b.real(m, 1) : b.integer(m, 1);
    if (*exponent < 0) result = b.binary(fdiv, b.real(m, 1), result);
    return scalar(t->element, result, t->weak, base.natural);
  }
  if (floating) {
    const bool single = t->element != dtype::float64;
    const dtype computed = single ? dtype::float32 : dtype::float64;
    const value l = convert(x, computed, at), r = convert(y, computed, at);
    const node n = b.call(machine_of(computed), single ? "powf" : "pow", {l.parts[0], r.parts[0]});
    return convert(scalar(computed, n, t->weak), t, at);
  }
  // integers by squaring; a negative power of an integer is refused by NumPy, and is 0 here
  const machine m = machine_of(t->element);
  const std::uint32_t result = b.variable(m, "#power"), square = b.variable(m, "#square"),
                      rest = b.variable(m, "#rest");
  b.set(result, b.integer(m, 1));
  b.set(square, base.parts[0]);
  b.set(rest, convert(y, t, at).parts[0]);
  b.loop([&] { return b.compare(is_unsigned(t->element) ? ult : slt, b.integer(m, 0), b.get(rest)); },
         [&] {
           const node odd = b.compare(ne, b.binary(bit_and, b.get(rest), b.integer(m, 1)), b.integer(m, 0));
           b.set(result, b.select(odd, b.mul(b.get(result), b.get(square)), b.get(result)));
           b.set(square, b.mul(b.get(square), b.get(square)));
           b.set(rest, b.binary(lshr, b.get(rest), b.integer(m, 1)));
         });
  const node exponent_node = convert(y, t, at).parts[0];
  const node value_node = is_unsigned(t->element) ? b.get(result)
                                                  : b.select(b.compare(slt, exponent_node, b.integer(m, 0)),
                                                             b.integer(m, 0), b.get(result));
  return scalar(t->element, value_node, t->weak, base.natural);
}

value translator::unary(std::string_view op, const value &x, const expression &at) {
  if (op == "not") return scalar(dtype::boolean, b.negate(truth(x, at)), true);
  if (!is_scalar(x.of))
    fail(mistake::typing, at, fmt::format("operator {} is not defined for {}", op, described(x.of)));
  dtype e = x.of->element;
  value v = x;
  if (e == dtype::boolean) {
    if (!x.of->weak) {
      if (op == "~") return scalar(e, b.negate(x.parts[0]));
      fail(mistake::typing, at, fmt::format("operator {} is not defined for bools: use ~ or not", op));
    }
    v = convert(x, weak_integer(), at);
    e = dtype::int64;
  }
  if (op == "+") return v;
  if (is_integer(e)) {
    const machine m = machine_of(e);
    const node n =
        op == "-" ? b.binary(sub, b.integer(m, 0), v.parts[0]) : b.binary(bit_xor, v.parts[0], b.integer(m, -1));
    return scalar(e, n, v.of->weak, b.known(n) && *b.known(n) >= 0);
  }
  if (op == "~") fail(mistake::typing, at, fmt::format("operator ~ is not defined for {}", described(x.of)));
  if (is_complex(e)) {
    v.parts = {b.unary(fneg, v.parts[0]), b.unary(fneg, v.parts[1])};
    return v;
  }
  if (const auto constant = b.known_real(v.parts[0]); constant && e == dtype::float64) {
    value r = real(-*constant);
    r.of = v.of;
    return r;
  }
  return scalar(e, b.unary(fneg, v.parts[0]), v.of->weak);
}

value translator::compare(std::string_view op, const value &x, const value &y, const expression &at) {
  const auto answer = [&](node n) {
    return scalar(dtype::boolean, n, !is_scalar(x.of) || !is_scalar(y.of) || both_weak(x, y));
  };
  if (op == "is" || op == "is not") {
    const bool nothing = x.of->what == type_facts::kind::none, other_nothing = y.of->what == type_facts::kind::none;
    if (nothing || other_nothing) return truth_value((nothing == other_nothing) == (op == "is"));
    return compare(op == "is" ? "==" : "!=", x, y, at);
  }
  if (op == "in" || op == "not in") {
    if (!is_tuple(y.of))
      fail(mistake::unsupported, at, fmt::format("'{}' looks into tuples, got {}", op, described(y.of)));
    node found = b.boolean(false);
    for (const value &m : y.members) found = b.binary(bit_or, found, compare("==", x, m, at).parts[0]);
    return scalar(dtype::boolean, op == "in" ? found : b.negate(found), true);
  }
  if (x.of->what == type_facts::kind::text && y.of->what == type_facts::kind::text) {
    if (op == "==") return truth_value(x.text == y.text);
    if (op == "!=") return truth_value(x.text != y.text);
  }
  if (is_tuple(x.of) && is_tuple(y.of) && (op == "==" || op == "!=")) {
    node same = b.boolean(x.members.size() == y.members.size());
    for (std::size_t i = 0; i < std::min(x.members.size(), y.members.size()); ++i)
      same = b.binary(bit_and, same, compare("==", x.members[i], y.members[i], at).parts[0]);
    return scalar(dtype::boolean, op == "==" ? same : b.negate(same), true);
  }
  if (x.object && y.object && (op == "==" || op == "!=")) {
    const bool same = x.object->what == y.object->what && x.object->element == y.object->element &&
                      x.object->text == y.object->text && x.object->function == y.object->function;
    return truth_value(same == (op == "=="));
  }
  if (!is_scalar(x.of) || !is_scalar(y.of))
    fail(mistake::typing, at,
         fmt::format("{} cannot be compared by {}{}", operands_of(x, y), op,
                     is_array(x.of) || is_array(y.of) ? ": compare elements" : ""));
  const bool swapped = op == ">" || op == ">=";
  const value &p = swapped ? y : x, &q = swapped ? x : y;
  const std::string_view what = op == ">" ? "<" : op == ">=" ? "<=" : op;
  type t = promote(x.of, y.of);
  const bool integers =
      !is_real(x.of->element) && !is_complex(x.of->element) && !is_real(y.of->element) && !is_complex(y.of->element);
  if (integers) {
    // exactly, whatever their widths and signs
    const dtype common = array::promote(x.of->element, y.of->element);
    if (common == dtype::float64) {
      const bool first_unsigned = p.of->element == dtype::uint64;
      const value &negative = first_unsigned ? q : p;
      const node l = convert(p, dtype::uint64, at).parts[0], r = convert(q, dtype::uint64, at).parts[0];
      const node below = b.compare(slt, integer_node(negative, at, "it"), b.size(0));
      const node plain = b.compare(what == "<" ? ult : what == "<=" ? ule : what == "==" ? eq : ne, l, r);
      if (negative.natural) return answer(plain);
      const bool if_negative = what == "!=" || ((what == "<" || what == "<=") && !first_unsigned);
      return answer(b.select(below, b.boolean(if_negative), plain));
    }
    const dtype e = common == dtype::boolean ? dtype::uint8 : common;
    const node l = convert(p, e, at).parts[0], r = convert(q, e, at).parts[0];
    const bool is_signed = !is_unsigned(e);
    return answer(b.compare(what == "<"    ? (is_signed ? slt : ult)
                            : what == "<=" ? (is_signed ? sle : ule)
                            : what == "==" ? eq
                                           : ne,
                            l, r));
  }
  const value l = convert(p, t, at), r = convert(q, t, at);
  if (is_complex(t->element)) {
    if (what != "==" && what != "!=")
      fail(mistake::typing, at, "complex numbers have no order: compare abs(z), or z.real");
    const node same = b.binary(bit_and, b.compare(feq, l.parts[0], r.parts[0]), b.compare(feq, l.parts[1], r.parts[1]));
    return answer(what == "==" ? same : b.negate(same));
  }
  return answer(b.compare(what == "<" ? flt : what == "<=" ? fle : what == "==" ? feq : fne, l.parts[0], r.parts[0]));
}

value translator::minimum(const value &x, const value &y, bool maximum, bool propagate_nan, const expression &at) {
  if (!is_scalar(x.of) || !is_scalar(y.of) || is_complex(x.of->element) || is_complex(y.of->element))
    fail(mistake::typing, at,
         fmt::format("{} of {}: it takes real numbers", maximum ? "max" : "min", operands_of(x, y)));
  const type t = promote(x.of, y.of);
  const value l = convert(x, t, at), r = convert(y, t, at);
  // as Python: the first, unless the second is beyond it
  node other = compare(maximum ? ">" : "<", r, l, at).parts[0];
  if (propagate_nan && is_real(t->element)) other = b.binary(bit_or, other, b.compare(fne, r.parts[0], r.parts[0]));
  if (propagate_nan && is_real(t->element)) other = b.binary(bit_and, other, b.compare(feq, l.parts[0], l.parts[0]));
  return scalar(t->element, b.select(other, r.parts[0], l.parts[0]), t->weak,
                maximum ? l.natural || r.natural : l.natural && r.natural);
}

}  // namespace dpep::pykernel
