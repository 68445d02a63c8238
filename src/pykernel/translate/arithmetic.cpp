// Operators on numbers, with NumPy's results.
#include "pykernel/translate/arithmetic.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

using operation::add, operation::sub, operation::mul, operation::sdiv, operation::udiv, operation::srem,
    operation::urem, operation::bit_and, operation::bit_or, operation::bit_xor, operation::shl, operation::lshr,
    operation::ashr, operation::fadd, operation::fsub, operation::fmul, operation::fdiv, operation::frem,
    operation::fneg, operation::eq, operation::ne, operation::slt, operation::sle, operation::ult, operation::ule,
    operation::feq, operation::fne, operation::flt, operation::fle;

bool both_weak(const value &x, const value &y) { return x.of->weak && y.of->weak; }

/// The result type of true division: float64 for integers.
type divided(type t) {
  return is_real(t->element) || is_complex(t->element) ? t : scalar_type(dtype::float64, t->weak);
}

/// The result type of an operator that converts bools to integers.
type counted(type t, const value &x, const value &y) {
  if (t->element != dtype::boolean) return t;
  return both_weak(x, y) ? weak_integer() : scalar_type(dtype::int8);
}

std::string operands_of(const value &x, const value &y) {
  return fmt::format("{} and {}", display_name(x.of), display_name(y.of));
}

/// The result type of a shift or bitwise operator. NumPy promotes uint64 and a signed type to float64; here the left
/// operand's type is used, as in Numba's shifts.
type of_bits(type t, const value &x) {
  if (!is_real(t->element) || !is_integer(x.of->element)) return t;
  return scalar_type(is_unsigned(x.of->element) ? dtype::uint64 : dtype::int64);
}

/// Whether the value is a small constant. Sums with it are assumed not to overflow the 64 bits of Python's integers.
bool is_small(const value &v) { return v.known && *v.known > -(1LL << 31) && *v.known < (1LL << 31); }

/// Whether sums and products of nonnegative numbers of the type count as nonnegative. Python's integers are assumed not
/// to overflow their 64 bits; those of NumPy's signed types wrap.
bool stays_nonnegative(type t) { return t->weak || is_unsigned(t->element); }

value divide_floor(translation &ctx, const value &x, const value &y, type t, bool remainder) {
  const node l = x.parts[0], r = y.parts[0];
  const dtype e = t->element;
  const machine_type m = machine_type_of(e);
  const auto result = [&](node n, bool nonnegative) { return scalar(ctx, e, n, t->weak, nonnegative); };
  if (!is_real(e)) {
    const node zero = ctx.ir.integer(m, 0);
    const bool plain = is_unsigned(e) || (x.nonnegative && y.nonnegative);
    // Division by zero gives zero, also as a remainder: that of a division by 1. Division by -1 is a negation, since
    // the quotient of the smallest integer overflows.
    const node no_divisor = ctx.ir.compare(eq, r, zero);
    const node safe = ctx.ir.select(no_divisor, ctx.ir.integer(m, 1), r);
    const auto quotient = [&](node q) { return remainder ? q : ctx.ir.select(no_divisor, zero, q); };
    if (plain && x.is_short && y.is_short && m == machine_type::i64) {
      // Division of 32-bit numbers is faster, and multiplication, by which constants divide, has vectors.
      const auto word = [&](node n) { return ctx.ir.cast(operation::trunc, machine_type::i32, n); };
      const node q = ctx.ir.cast(operation::zext, m, ctx.ir.binary(remainder ? urem : udiv, word(l), word(safe)));
      value v = result(quotient(q), true);
      v.is_short = true;
      return v;
    }
    if (plain && y.known.value_or(0) > 0 && std::has_single_bit(std::uint64_t(*y.known))) {
      // LLVM does not always find out that a dividend is not negative, such as the sum of bounds in a binary search.
      const node q = remainder ? ctx.ir.binary(bit_and, l, ctx.ir.integer(m, *y.known - 1))
                               : ctx.ir.binary(lshr, l, ctx.ir.integer(m, std::countr_zero(std::uint64_t(*y.known))));
      return result(q, true);
    }
    if (plain) {
      const bool is_signed = !is_unsigned(e);
      const node q = ctx.ir.binary(remainder ? (is_signed ? srem : urem) : (is_signed ? sdiv : udiv), l, safe);
      return result(quotient(q), true);
    }
    const node minus = ctx.ir.compare(eq, r, ctx.ir.integer(m, -1));
    const node divisor = ctx.ir.select(minus, ctx.ir.integer(m, 1), safe);
    const node q = ctx.ir.binary(sdiv, l, divisor), rest = ctx.ir.binary(srem, l, divisor);
    // The remainder has the sign of the divisor.
    const node wrong = ctx.ir.binary(bit_and, ctx.ir.compare(ne, rest, zero),
                                     ctx.ir.compare(slt, ctx.ir.binary(bit_xor, rest, divisor), zero));
    if (remainder) return result(ctx.ir.select(wrong, ctx.ir.add(rest, divisor), rest), y.nonnegative);
    const node floor = ctx.ir.select(wrong, ctx.ir.binary(sub, q, ctx.ir.integer(m, 1)), q);
    return result(quotient(ctx.ir.select(minus, ctx.ir.binary(sub, zero, l), floor)), false);
  }
  // NumPy's npy_divmod: computes the exact remainder, then an integral quotient.
  const node zero = ctx.ir.real(m, 0), one = ctx.ir.real(m, 1);
  const node rest = ctx.ir.binary(frem, l, r);
  const node has_rest = ctx.ir.compare(fne, rest, zero);
  const node wrong = ctx.ir.binary(
      bit_and, has_rest, ctx.ir.binary(bit_xor, ctx.ir.compare(flt, rest, zero), ctx.ir.compare(flt, r, zero)));
  const std::string suffix = m == machine_type::f64 ? ".f64" : m == machine_type::f32 ? ".f32" : ".f16";
  if (remainder) {
    const node adjusted = ctx.ir.select(wrong, ctx.ir.binary(fadd, rest, r), rest);
    const node signed_zero = ctx.ir.call(m, "llvm.copysign" + suffix, {zero, r});
    return result(ctx.ir.select(has_rest, adjusted, signed_zero), false);
  }
  const node quotient = ctx.ir.binary(fdiv, l, r);
  const node less_rest = ctx.ir.binary(fdiv, ctx.ir.binary(fsub, l, rest), r);
  const node lowered = ctx.ir.select(wrong, ctx.ir.binary(fsub, less_rest, one), less_rest);
  const node floor = ctx.ir.call(m, "llvm.floor" + suffix, {lowered});
  const node rounded = ctx.ir.select(ctx.ir.compare(flt, ctx.ir.real(m, 0.5), ctx.ir.binary(fsub, lowered, floor)),
                                     ctx.ir.binary(fadd, floor, one), floor);
  const node signed_zero = ctx.ir.call(m, "llvm.copysign" + suffix, {zero, quotient});
  const node whole = ctx.ir.select(ctx.ir.compare(fne, lowered, zero), rounded, signed_zero);
  return result(ctx.ir.select(ctx.ir.compare(feq, r, zero), quotient, whole), false);
}

}  // namespace

value binary(translation &ctx, std::string_view op, const value &x, const value &y, const expression &at) {
  if (is_tuple(x.of) && is_tuple(y.of) && op == "+") {
    std::vector<value> members = x.members;
    members.insert(members.end(), y.members.begin(), y.members.end());
    return tuple(std::move(members));
  }
  if (are_elementwise(ctx, {x, y}) && op != "@")
    return elementwise(
        ctx, {x, y},
        [op = std::string(op), at = &at](translation &inner, const std::vector<value> &n) {
          return binary(inner, op, n[0], n[1], *at);
        },
        at);
  if (!is_scalar(x.of) || !is_scalar(y.of)) {
    using enum type_properties::kind;
    const char *suggestion = "";
    if (is_array(x.of) || is_array(y.of))
      suggestion = ": kernels compute with elements; write a loop, or index the array";
    else if (x.of->what == atomic || y.of->what == atomic)
      suggestion = ": an AtomicRef has methods, load(), store(), fetch_add() and others";
    fail(ctx, operand_error({x.of, y.of}), at,
         fmt::format("operator {} is not defined for {}{}", op, operands_of(x, y), suggestion));
  }
  if (op == "@") fail(ctx, error_kind::unsupported, at, "kernels have no matrix multiplication: write the loops");
  type t = promote(x.of, y.of);
  const bool truths = x.of->element == dtype::boolean && y.of->element == dtype::boolean;
  if (op == "/")
    t = divided(t);
  else if (op == "//" || op == "%" || op == "**" || op == "<<" || op == ">>")
    t = counted(t, x, y);
  else if ((op == "+" || op == "-" || op == "*") && truths && both_weak(x, y))
    t = weak_integer();

  if ((op == "<<" || op == ">>" || op == "&" || op == "|" || op == "^") && !is_real(y.of->element)) t = of_bits(t, x);

  if (is_complex(t->element)) return complex_binary(ctx, op, convert(ctx, x, t, at), convert(ctx, y, t, at), t);
  if (op == "**") return power(ctx, x, y, at);
  const value a = convert(ctx, x, t, at), c = convert(ctx, y, t, at);
  const node l = a.parts[0], r = c.parts[0];
  const dtype e = t->element;
  const bool floating = is_real(e), nonnegative = a.nonnegative && c.nonnegative;
  const auto result = [&](node n, bool never_negative) { return scalar(ctx, e, n, t->weak, never_negative); };

  if (op == "+" || op == "-" || op == "*") {
    if (e == dtype::boolean) {
      if (op == "-") fail(ctx, error_kind::typing, at, "operator - is not defined for bools: use ^ or !=");
      return result(ctx.ir.binary(op == "+" ? bit_or : bit_and, l, r), true);
    }
    if (floating) return result(ctx.ir.binary(op == "+" ? fadd : op == "-" ? fsub : fmul, l, r), false);
    const bool no_wrap = t->weak && op != "*" && (is_small(a) || is_small(c) || nonnegative);
    return result(ctx.ir.binary(op == "+"   ? add
                                : op == "-" ? sub
                                            : mul,
                                l, r, no_wrap),
                  nonnegative && op != "-" && stays_nonnegative(t));
  }
  if (op == "/") return result(ctx.ir.binary(fdiv, l, r), false);
  if (op == "//") return divide_floor(ctx, a, c, t, false);
  if (op == "%") return divide_floor(ctx, a, c, t, true);
  if (floating)
    fail(ctx, error_kind::typing, at,
         fmt::format("operator {} is not defined for {}: it takes integers", op, operands_of(x, y)));
  if (op == "&") return result(ctx.ir.binary(bit_and, l, r), a.nonnegative || c.nonnegative);
  if (op == "|") return result(ctx.ir.binary(bit_or, l, r), nonnegative);
  if (op == "^") return result(ctx.ir.binary(bit_xor, l, r), nonnegative);
  // A shift by the width or more gives zero, or the sign.
  const machine_type m = machine_type_of(e);
  const node width = ctx.ir.integer(m, bits_of(m)), within = ctx.ir.compare(ult, r, width);
  const node distance = ctx.ir.select(within, r, ctx.ir.integer(m, bits_of(m) - 1));
  if (op == "<<")
    return result(ctx.ir.select(within, ctx.ir.binary(shl, l, distance), ctx.ir.integer(m, 0)),
                  a.nonnegative && t->weak);
  if (is_unsigned(e))
    return result(ctx.ir.select(within, ctx.ir.binary(lshr, l, distance), ctx.ir.integer(m, 0)), true);
  return result(ctx.ir.binary(ashr, l, distance), a.nonnegative);
}

value power(translation &ctx, const value &x, const value &y, const expression &at) {
  type t = counted(promote(x.of, y.of), x, y);
  // Constant integral exponents become products.
  std::optional<std::int64_t> exponent = y.known;
  if (!exponent && is_real(y.of->element))
    if (const auto constant = ctx.ir.known_real(y.parts[0]);
        constant && *constant == std::trunc(*constant) && std::abs(*constant) <= 64)
      exponent = std::int64_t(*constant);
  if (is_integer(t->element) && exponent && *exponent < 0) {
    if (!both_weak(x, y))
      fail(ctx, error_kind::value, at,
           "operator ** is not defined for integers with a negative integer exponent: use a float");
    t = weak_real();
  }
  const value base = convert(ctx, x, t, at);
  const bool floating = is_real(t->element);
  if (exponent && std::abs(*exponent) <= 64) {
    const machine_type m = machine_type_of(t->element);
    node result = 0, square = base.parts[0];
    for (std::uint64_t rest = std::uint64_t(std::abs(*exponent)); rest; rest >>= 1) {
      if (rest & 1) result = result ? ctx.ir.binary(floating ? fmul : mul, result, square) : square;
      if (rest > 1) square = ctx.ir.binary(floating ? fmul : mul, square, square);
    }
    if (!result) result = floating ? ctx.ir.real(m, 1) : ctx.ir.integer(m, 1);
    if (*exponent < 0) result = ctx.ir.binary(fdiv, ctx.ir.real(m, 1), result);
    return scalar(ctx, t->element, result, t->weak, base.nonnegative && stays_nonnegative(t));
  }
  if (floating) {
    const bool single = t->element != dtype::float64;
    const dtype computed = single ? dtype::float32 : dtype::float64;
    const value l = convert(ctx, x, computed, at), r = convert(ctx, y, computed, at);
    const node n = ctx.ir.call(machine_type_of(computed), single ? "powf" : "pow", {l.parts[0], r.parts[0]});
    return convert(ctx, scalar(ctx, computed, n, t->weak), t, at);
  }
  // Integers by repeated squaring. A negative power, which is an error in NumPy, is 0.
  const machine_type m = machine_type_of(t->element);
  const std::uint32_t result = ctx.ir.variable(m, "#power"), square = ctx.ir.variable(m, "#square"),
                      rest = ctx.ir.variable(m, "#rest");
  ctx.ir.set(result, ctx.ir.integer(m, 1));
  ctx.ir.set(square, base.parts[0]);
  ctx.ir.set(rest, convert(ctx, y, t, at).parts[0]);
  ctx.ir.loop(
      [&] { return ctx.ir.compare(is_unsigned(t->element) ? ult : slt, ctx.ir.integer(m, 0), ctx.ir.get(rest)); },
      [&] {
        const node odd =
            ctx.ir.compare(ne, ctx.ir.binary(bit_and, ctx.ir.get(rest), ctx.ir.integer(m, 1)), ctx.ir.integer(m, 0));
        ctx.ir.set(result, ctx.ir.select(odd, ctx.ir.mul(ctx.ir.get(result), ctx.ir.get(square)), ctx.ir.get(result)));
        ctx.ir.set(square, ctx.ir.mul(ctx.ir.get(square), ctx.ir.get(square)));
        ctx.ir.set(rest, ctx.ir.binary(lshr, ctx.ir.get(rest), ctx.ir.integer(m, 1)));
      });
  const node exponent_node = convert(ctx, y, t, at).parts[0];
  const node value_node = is_unsigned(t->element)
                              ? ctx.ir.get(result)
                              : ctx.ir.select(ctx.ir.compare(slt, exponent_node, ctx.ir.integer(m, 0)),
                                              ctx.ir.integer(m, 0), ctx.ir.get(result));
  return scalar(ctx, t->element, value_node, t->weak, base.nonnegative && stays_nonnegative(t));
}

value unary(translation &ctx, std::string_view op, const value &x, const expression &at) {
  if (op == "not") return scalar(ctx, dtype::boolean, ctx.ir.negate(truth(ctx, x, at)), true);
  if (are_elementwise(ctx, {x}))
    return elementwise(
        ctx, {x},
        [op = std::string(op), at = &at](translation &inner, const std::vector<value> &n) {
          return unary(inner, op, n[0], *at);
        },
        at);
  if (!is_scalar(x.of))
    fail(ctx, operand_error({x.of}), at, fmt::format("operator {} is not defined for {}", op, display_name(x.of)));
  dtype e = x.of->element;
  value v = x;
  if (e == dtype::boolean) {
    if (!x.of->weak) {
      if (op == "~") return scalar(ctx, e, ctx.ir.negate(x.parts[0]));
      fail(ctx, error_kind::typing, at, fmt::format("operator {} is not defined for bools: use ~ or not", op));
    }
    v = convert(ctx, x, weak_integer(), at);
    e = dtype::int64;
  }
  if (op == "+") return v;
  if (is_integer(e)) {
    const machine_type m = machine_type_of(e);
    const node n = op == "-" ? ctx.ir.binary(sub, ctx.ir.integer(m, 0), v.parts[0])
                             : ctx.ir.binary(bit_xor, v.parts[0], ctx.ir.integer(m, -1));
    return scalar(ctx, e, n, v.of->weak, ctx.ir.known(n) && *ctx.ir.known(n) >= 0);
  }
  if (op == "~") fail(ctx, error_kind::typing, at, fmt::format("operator ~ is not defined for {}", display_name(x.of)));
  if (is_complex(e)) {
    v.parts = {ctx.ir.unary(fneg, v.parts[0]), ctx.ir.unary(fneg, v.parts[1])};
    return v;
  }
  if (const auto constant = ctx.ir.known_real(v.parts[0]); constant && e == dtype::float64) {
    value r = real(ctx, -*constant);
    r.of = v.of;
    return r;
  }
  return scalar(ctx, e, ctx.ir.unary(fneg, v.parts[0]), v.of->weak);
}

value compare(translation &ctx, std::string_view op, const value &x, const value &y, const expression &at) {
  const auto answer = [&](node n) {
    return scalar(ctx, dtype::boolean, n, !is_scalar(x.of) || !is_scalar(y.of) || both_weak(x, y));
  };
  if (op == "is" || op == "is not") {
    const bool nothing = x.of->what == type_properties::kind::none,
               other_nothing = y.of->what == type_properties::kind::none;
    if (nothing || other_nothing) return truth_value(ctx, (nothing == other_nothing) == (op == "is"));
    return compare(ctx, op == "is" ? "==" : "!=", x, y, at);
  }
  if (op == "in" || op == "not in") {
    if (!is_tuple(y.of))
      fail(ctx, error_kind::unsupported, at,
           fmt::format("operator '{}' takes a tuple on its right side, got {}: write a loop", op, display_name(y.of)));
    node found = ctx.ir.boolean(false);
    for (const value &m : y.members) found = ctx.ir.binary(bit_or, found, compare(ctx, "==", x, m, at).parts[0]);
    return scalar(ctx, dtype::boolean, op == "in" ? found : ctx.ir.negate(found), true);
  }
  if (x.of->what == type_properties::kind::text && y.of->what == type_properties::kind::text) {
    if (op == "==") return truth_value(ctx, x.text == y.text);
    if (op == "!=") return truth_value(ctx, x.text != y.text);
  }
  if (is_tuple(x.of) && is_tuple(y.of) && (op == "==" || op == "!=")) {
    node same = ctx.ir.boolean(x.members.size() == y.members.size());
    for (std::size_t i = 0; i < std::min(x.members.size(), y.members.size()); ++i)
      same = ctx.ir.binary(bit_and, same, compare(ctx, "==", x.members[i], y.members[i], at).parts[0]);
    return scalar(ctx, dtype::boolean, op == "==" ? same : ctx.ir.negate(same), true);
  }
  if (x.object && y.object && (op == "==" || op == "!=")) {
    const bool same = x.object->what == y.object->what && x.object->element == y.object->element &&
                      x.object->text == y.object->text && x.object->function == y.object->function;
    return truth_value(ctx, same == (op == "=="));
  }
  if (are_elementwise(ctx, {x, y}))
    return elementwise(
        ctx, {x, y},
        [op = std::string(op), at = &at](translation &inner, const std::vector<value> &n) {
          return compare(inner, op, n[0], n[1], *at);
        },
        at);
  if (!is_scalar(x.of) || !is_scalar(y.of))
    fail(ctx, operand_error({x.of, y.of}), at,
         fmt::format("{} cannot be compared with {}{}", operands_of(x, y), op,
                     is_array(x.of) || is_array(y.of) ? ": compare elements" : ""));
  const bool swapped = op == ">" || op == ">=";
  const value &p = swapped ? y : x, &q = swapped ? x : y;
  const std::string_view what = op == ">" ? "<" : op == ">=" ? "<=" : op;
  type t = promote(x.of, y.of);
  const bool integers =
      !is_real(x.of->element) && !is_complex(x.of->element) && !is_real(y.of->element) && !is_complex(y.of->element);
  if (integers) {
    // Integers of any width and sign are compared exactly.
    const dtype common = array::promote(x.of->element, y.of->element);
    if (common == dtype::float64) {
      const bool first_unsigned = p.of->element == dtype::uint64;
      const value &negative = first_unsigned ? q : p;
      const node l = convert(ctx, p, dtype::uint64, at).parts[0], r = convert(ctx, q, dtype::uint64, at).parts[0];
      const node below = ctx.ir.compare(slt, integer_node(ctx, negative, at, "it"), ctx.ir.size(0));
      const node plain = ctx.ir.compare(what == "<" ? ult : what == "<=" ? ule : what == "==" ? eq : ne, l, r);
      if (negative.nonnegative) return answer(plain);
      const bool if_negative = what == "!=" || ((what == "<" || what == "<=") && !first_unsigned);
      return answer(ctx.ir.select(below, ctx.ir.boolean(if_negative), plain));
    }
    const dtype e = common == dtype::boolean ? dtype::uint8 : common;
    const node l = convert(ctx, p, e, at).parts[0], r = convert(ctx, q, e, at).parts[0];
    const bool is_signed = !is_unsigned(e);
    return answer(ctx.ir.compare(what == "<"    ? (is_signed ? slt : ult)
                                 : what == "<=" ? (is_signed ? sle : ule)
                                 : what == "==" ? eq
                                                : ne,
                                 l, r));
  }
  const value l = convert(ctx, p, t, at), r = convert(ctx, q, t, at);
  if (is_complex(t->element)) {
    if (what != "==" && what != "!=")
      fail(ctx, error_kind::typing, at, "complex numbers cannot be ordered: compare abs(z) or z.real");
    const node same = ctx.ir.binary(bit_and, ctx.ir.compare(feq, l.parts[0], r.parts[0]),
                                    ctx.ir.compare(feq, l.parts[1], r.parts[1]));
    return answer(what == "==" ? same : ctx.ir.negate(same));
  }
  return answer(ctx.ir.compare(what == "<"    ? flt
                               : what == "<=" ? fle
                               : what == "==" ? feq
                                              : fne,
                               l.parts[0], r.parts[0]));
}

type type_of_either(type x, std::optional<std::int64_t> known, type y, std::optional<std::int64_t> known_too) {
  const type both = promote(x, y);
  const bool integers = is_integer(x->element) && is_integer(y->element);
  if (!integers || x->weak == y->weak || size_of(both->element) >= sizeof(std::int64_t)) return both;
  const std::optional<std::int64_t> &constant = x->weak ? known : known_too;
  const unsigned bits = 8 * static_cast<unsigned>(size_of(both->element));
  const std::int64_t least = is_unsigned(both->element) ? 0 : -(std::int64_t{1} << (bits - 1));
  const std::int64_t most = least + (std::int64_t{1} << bits) - 1;
  return constant && *constant >= least && *constant <= most ? both : scalar_type(dtype::int64);
}

namespace {

/// The smaller or larger of two numbers in a type.
value extremum_in(translation &ctx, type t, const value &x, const value &y, bool maximum, bool propagate_nan,
                  const expression &at) {
  const value l = convert(ctx, x, t, at), r = convert(ctx, y, t, at);
  const bool is_exact = t->element == dtype::uint64;  // where the other number may be negative
  // As in Python: the first operand, unless the second is smaller (or larger).
  node other = compare(ctx, maximum ? ">" : "<", is_exact ? y : r, is_exact ? x : l, at).parts[0];
  if (propagate_nan && is_real(t->element))
    other = ctx.ir.binary(bit_or, other, ctx.ir.compare(fne, r.parts[0], r.parts[0]));
  if (propagate_nan && is_real(t->element))
    other = ctx.ir.binary(bit_and, other, ctx.ir.compare(feq, l.parts[0], l.parts[0]));
  return scalar(ctx, t->element, ctx.ir.select(other, r.parts[0], l.parts[0]), t->weak,
                maximum ? l.nonnegative || r.nonnegative : l.nonnegative && r.nonnegative);
}

void check_can_be_ordered(const translation &ctx, const value &x, const value &y, bool maximum, const expression &at) {
  if (!is_scalar(x.of) || !is_scalar(y.of) || is_complex(x.of->element) || is_complex(y.of->element))
    fail(ctx, operand_error({x.of, y.of}), at,
         fmt::format("{}() takes real numbers, got {}", maximum ? "max" : "min", operands_of(x, y)));
}

/// Whether the first number is a negative constant, and the other one cannot be negative.
bool is_below(const value &x, const value &y) {
  return x.known && *x.known < 0 && is_integer(y.of->element) && is_unsigned(y.of->element);
}

}  // namespace

value minimum(translation &ctx, const value &x, const value &y, bool maximum, bool propagate_nan,
              const expression &at) {
  check_can_be_ordered(ctx, x, y, maximum, at);
  return extremum_in(ctx, promote(x.of, y.of), x, y, maximum, propagate_nan, at);
}

value smaller_or_larger(translation &ctx, const value &x, const value &y, bool maximum, const expression &at) {
  check_can_be_ordered(ctx, x, y, maximum, at);
  if (is_below(x, y)) return maximum ? y : x;
  if (is_below(y, x)) return maximum ? x : y;
  return extremum_in(ctx, type_of_either(x.of, x.known, y.of, y.known), x, y, maximum, /*propagate_nan=*/false, at);
}

}  // namespace dpep::pykernel
