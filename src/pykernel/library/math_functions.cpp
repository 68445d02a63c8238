// Scalar functions of math, cmath, numpy and dpnp: one table row for each.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/calls.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

enum class form : std::uint8_t {
  real1,     // libm's function of a real number
  real2,     // of two
  to_int,    // math's: libm's function, then an integer
  complex1,  // real1, and C's complex function
  op2,       // an operator of two operands
  op1,       //
  compare2,  //
  own,       // written out below
};

struct row {
  std::string_view name;  // in numpy and dpnp, and, unless there is another row, in math and cmath
  form what;
  std::string_view does;  // libm's name, or the operator
};

constexpr std::array rows{
    row{"sqrt", form::complex1, "sqrt"},
    row{"exp", form::complex1, "exp"},
    row{"exp2", form::real1, "exp2"},
    row{"expm1", form::real1, "expm1"},
    row{"log", form::complex1, "log"},
    row{"log2", form::real1, "log2"},
    row{"log10", form::complex1, "log10"},
    row{"log1p", form::real1, "log1p"},
    row{"sin", form::complex1, "sin"},
    row{"cos", form::complex1, "cos"},
    row{"tan", form::complex1, "tan"},
    row{"asin", form::complex1, "asin"},
    row{"acos", form::complex1, "acos"},
    row{"atan", form::complex1, "atan"},
    row{"arcsin", form::complex1, "asin"},
    row{"arccos", form::complex1, "acos"},
    row{"arctan", form::complex1, "atan"},
    row{"sinh", form::complex1, "sinh"},
    row{"cosh", form::complex1, "cosh"},
    row{"tanh", form::complex1, "tanh"},
    row{"asinh", form::complex1, "asinh"},
    row{"acosh", form::complex1, "acosh"},
    row{"atanh", form::complex1, "atanh"},
    row{"arcsinh", form::complex1, "asinh"},
    row{"arccosh", form::complex1, "acosh"},
    row{"arctanh", form::complex1, "atanh"},
    row{"erf", form::real1, "erf"},
    row{"erfc", form::real1, "erfc"},
    row{"gamma", form::real1, "tgamma"},
    row{"lgamma", form::real1, "lgamma"},
    row{"cbrt", form::real1, "cbrt"},
    row{"rsqrt", form::real1, "rsqrt"},
    row{"fabs", form::real1, "fabs"},
    row{"floor", form::real1, "floor"},
    row{"ceil", form::real1, "ceil"},
    row{"trunc", form::real1, "trunc"},
    row{"fix", form::real1, "trunc"},
    row{"rint", form::real1, "rint"},
    row{"math.floor", form::to_int, "floor"},
    row{"math.ceil", form::to_int, "ceil"},
    row{"math.trunc", form::to_int, "trunc"},
    row{"atan2", form::real2, "atan2"},
    row{"arctan2", form::real2, "atan2"},
    row{"hypot", form::real2, "hypot"},
    row{"copysign", form::real2, "copysign"},
    row{"nextafter", form::real2, "nextafter"},
    row{"fmod", form::real2, "fmod"},
    row{"fmax", form::real2, "fmax"},
    row{"fmin", form::real2, "fmin"},
    row{"math.remainder", form::real2, "remainder"},
    row{"math.pow", form::real2, "pow"},
    row{"add", form::op2, "+"},
    row{"subtract", form::op2, "-"},
    row{"multiply", form::op2, "*"},
    row{"divide", form::op2, "/"},
    row{"true_divide", form::op2, "/"},
    row{"floor_divide", form::op2, "//"},
    row{"mod", form::op2, "%"},
    row{"remainder", form::op2, "%"},
    row{"power", form::op2, "**"},
    row{"pow", form::op2, "**"},
    row{"bitwise_and", form::op2, "&"},
    row{"bitwise_or", form::op2, "|"},
    row{"bitwise_xor", form::op2, "^"},
    row{"left_shift", form::op2, "<<"},
    row{"right_shift", form::op2, ">>"},
    row{"bitwise_left_shift", form::op2, "<<"},
    row{"bitwise_right_shift", form::op2, ">>"},
    row{"negative", form::op1, "-"},
    row{"positive", form::op1, "+"},
    row{"invert", form::op1, "~"},
    row{"bitwise_not", form::op1, "~"},
    row{"bitwise_invert", form::op1, "~"},
    row{"logical_not", form::op1, "not"},
    row{"equal", form::compare2, "=="},
    row{"not_equal", form::compare2, "!="},
    row{"less", form::compare2, "<"},
    row{"less_equal", form::compare2, "<="},
    row{"greater", form::compare2, ">"},
    row{"greater_equal", form::compare2, ">="},
    row{"absolute", form::own, ""},
    row{"abs", form::own, "absolute"},
    row{"square", form::own, ""},
    row{"sign", form::own, ""},
    row{"signbit", form::own, ""},
    row{"reciprocal", form::own, ""},
    row{"isnan", form::own, ""},
    row{"isinf", form::own, ""},
    row{"isfinite", form::own, ""},
    row{"maximum", form::own, ""},
    row{"minimum", form::own, ""},
    row{"logical_and", form::own, ""},
    row{"logical_or", form::own, ""},
    row{"logical_xor", form::own, ""},
    row{"degrees", form::own, "rad2deg"},
    row{"rad2deg", form::own, ""},
    row{"radians", form::own, "deg2rad"},
    row{"deg2rad", form::own, ""},
    row{"ldexp", form::own, ""},
    row{"frexp", form::own, ""},
    row{"modf", form::own, ""},
    row{"logaddexp", form::own, ""},
    row{"where", form::own, ""},
    row{"clip", form::own, ""},
    row{"real", form::own, ""},
    row{"imag", form::own, ""},
    row{"conj", form::own, "conjugate"},
    row{"conjugate", form::own, ""},
    row{"angle", form::own, ""},
    row{"phase", form::own, "angle"},
    row{"fma", form::own, ""},
    row{"gcd", form::own, ""},
    row{"lcm", form::own, ""},
    row{"polar", form::own, ""},
    row{"proj", form::own, ""},
    row{"sinc", form::own, ""},
    row{"spacing", form::own, ""},
    row{"heaviside", form::own, ""},
    row{"logaddexp2", form::own, ""},
    row{"float_power", form::own, ""},
    row{"bitwise_count", form::own, ""},
    row{"rect", form::own, ""},
    row{"operator.sub", form::op2, "-"},
    row{"operator.mul", form::op2, "*"},
    row{"operator.truediv", form::op2, "/"},
    row{"operator.floordiv", form::op2, "//"},
    row{"operator.and_", form::op2, "&"},
    row{"operator.or_", form::op2, "|"},
    row{"operator.xor", form::op2, "^"},
    row{"operator.lshift", form::op2, "<<"},
    row{"operator.rshift", form::op2, ">>"},
    row{"operator.neg", form::op1, "-"},
    row{"operator.pos", form::op1, "+"},
    row{"operator.inv", form::op1, "~"},
    row{"operator.not_", form::op1, "not"},
    row{"operator.eq", form::compare2, "=="},
    row{"operator.ne", form::compare2, "!="},
    row{"operator.lt", form::compare2, "<"},
    row{"operator.le", form::compare2, "<="},
    row{"operator.gt", form::compare2, ">"},
    row{"operator.ge", form::compare2, ">="},
    row{"round", form::own, ""},
};

const row *find(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view module = name.substr(0, dot == name.npos ? 0 : dot);
  constexpr std::string_view modules[] = {"math", "cmath", "numpy", "dpnp", "dpctl.tensor", "operator"};
  if (std::ranges::find(modules, module) == std::end(modules)) return nullptr;
  auto found = std::ranges::find(rows, name, &row::name);
  if (found == rows.end()) found = std::ranges::find(rows, name.substr(dot + 1), &row::name);
  return found == rows.end() ? nullptr : &*found;
}

/// Functions whose result is the same wherever it is computed.
std::optional<double> fold(std::string_view function, double x) {
  if (function == "floor") return std::floor(x);
  if (function == "ceil") return std::ceil(x);
  if (function == "trunc") return std::trunc(x);
  if (function == "rint") return std::nearbyint(x);
  if (function == "fabs") return std::abs(x);
  if (function == "sqrt") return std::sqrt(x);
  int exponent = 0;
  if (function == "log2" && std::frexp(x, &exponent) == 0.5) return exponent - 1;  // of powers of two
  return std::nullopt;
}

/// What a real function computes numbers of this type in: integers as doubles, half precision as floats.
type computed_in(type t) {
  if (is_real(t->element)) return t;
  return scalar_type(dtype::float64, t->weak);
}

value greatest_common_divisor(translation &ctx, const value &x, const value &y, const expression &at) {
  const type t = promote(x.of, y.of);
  if (!is_integer(t->element))
    fail(ctx, error_kind::typing, at, fmt::format("gcd is of integers, got {}", display_name(t)));
  const auto size = [&](const value &v) {
    arguments one{at, "gcd", {convert(ctx, v, scalar_type(dtype::int64, true), at)}, {}};
    return math_function(ctx, "numpy.absolute", one)->parts[0];
  };
  const std::uint32_t larger = ctx.ir.variable(machine_type::i64, "#gcd"),
                      smaller = ctx.ir.variable(machine_type::i64, "#gcd");
  ctx.ir.set(larger, size(x));
  ctx.ir.set(smaller, size(y));
  ctx.ir.loop([&] { return ctx.ir.compare(operation::ne, ctx.ir.get(smaller), ctx.ir.size(0)); },
              [&] {
                const node divisor = ctx.ir.get(smaller),
                           rest = ctx.ir.binary(operation::urem, ctx.ir.get(larger), divisor);
                ctx.ir.set(larger, divisor);
                ctx.ir.set(smaller, rest);
              });
  return convert(ctx, scalar(ctx, dtype::int64, ctx.ir.get(larger), true, true), t, at);
}

value is_close(translation &ctx, const arguments &a, bool as_numpy) {
  const expression &at = a.call;
  for (const auto &[key, v] : a.keywords)
    if (key != (as_numpy ? "rtol" : "rel_tol") && key != (as_numpy ? "atol" : "abs_tol"))
      fail(ctx, error_kind::typing, at, fmt::format("isclose() has no argument '{}' in kernels", key));
  const value x = require_argument(ctx, a, 0, "a"), y = require_argument(ctx, a, 1, "b");
  const value *const relative = find_argument(a, 2, as_numpy ? "rtol" : "rel_tol"), *const absolute = find_argument(
                                                                                        a, 3,
                                                                                        as_numpy ? "atol" : "abs_tol");
  const auto size = [&](const value &v) { return *math_function(ctx, "numpy.absolute", with_argument(a, v)); };
  const value of = as_numpy ? size(y) : minimum(ctx, size(x), size(y), true, false, at);
  const value part = binary(ctx, "*", relative ? *relative : real(ctx, as_numpy ? 1e-5 : 1e-9), of, at);
  const value least = absolute ? *absolute : real(ctx, as_numpy ? 1e-8 : 0);
  const value most = as_numpy ? binary(ctx, "+", part, least, at) : minimum(ctx, part, least, true, false, at);
  const node near = compare(ctx, "<=", size(binary(ctx, "-", x, y, at)), most, at).parts[0];
  const node finite = (*math_function(ctx, "numpy.isfinite", with_argument(a, of))).parts[0];
  return scalar(ctx, dtype::boolean,
                ctx.ir.binary(operation::bit_or, compare(ctx, "==", x, y, at).parts[0],
                              ctx.ir.binary(operation::bit_and, near, finite)),
                true);
}

}  // namespace

std::optional<value> math_function(translation &ctx, std::string_view name, const arguments &a) {
  if (name == "math.isclose" || name == "cmath.isclose") return is_close(ctx, a, false);
  if (name == "numpy.isclose" || name == "dpnp.isclose" || name == "dpctl.tensor.isclose")
    return is_close(ctx, a, true);
  const row *const r = find(name);
  if (!r) return std::nullopt;
  const expression &at = a.call;
  const auto &p = a.positional;
  if (!a.keywords.empty()) fail(ctx, error_kind::typing, at, fmt::format("{}() takes no keywords in kernels", name));
  for (const value &v : p)
    if (!is_scalar(v.of))
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() takes numbers in kernels, got {}{}", name, display_name(v.of),
                       is_array(v.of) ? ": call it for each element" : ""));
  const auto libm = [&](std::string_view function, type t, std::vector<value> list) {
    const bool single = t->element != dtype::float64;
    const dtype computed = single ? dtype::float32 : dtype::float64;
    std::vector<node> nodes;
    for (const value &v : list) nodes.push_back(convert(ctx, v, computed, at).parts[0]);
    const machine_type m = machine_type_of(computed);
    // Shapes are made of these, and of captured numbers.
    if (const auto known = nodes.size() == 1 && !single ? ctx.ir.known_real(nodes[0]) : std::nullopt; known)
      if (const auto folded = fold(function, *known))
        return convert(ctx, scalar(ctx, computed, ctx.ir.real(m, *folded), t->weak), t, at);
    const auto instruction = [&](std::string_view name) {
      return ctx.ir.call(m, fmt::format("llvm.{}.{}", name, single ? "f32" : "f64"), nodes);
    };
    // What is one instruction is not looked for in the library, where `fastmath` would be lost.
    const node n = function == "sqrt"    ? instruction("sqrt")
                   : function == "fabs"  ? instruction("fabs")
                   : function == "rsqrt" ? ctx.ir.binary(operation::fdiv, ctx.ir.real(m, 1), instruction("sqrt"))
                                         : ctx.ir.call(m, std::string(function) + (single ? "f" : ""), nodes);
    return convert(ctx, scalar(ctx, computed, n, t->weak), t, at);
  };
  const bool cmath = name.starts_with("cmath.");
  const auto refuse_complex = [&](type t) {
    if (is_complex(t->element))
      fail(ctx, error_kind::typing, at, fmt::format("{}() is not defined for complex numbers", name));
  };
  switch (r->what) {
  case form::real1:
  case form::to_int:
  case form::complex1: {
    if (r->does == "log" && p.size() == 2)
      return binary(ctx, "/", *math_function(ctx, name, with_argument(a, p[0])),
                    *math_function(ctx, name, with_argument(a, p[1])), at);
    check_count(ctx, a, 1, 1);
    value x = p[0];
    if (cmath && !is_complex(x.of->element))
      x = convert(ctx, x,
                  scalar_type(x.of->element == dtype::float32 ? dtype::complex64 : dtype::complex128, x.of->weak), at);
    if (r->what == form::complex1 && is_complex(x.of->element) && !name.starts_with("math."))
      return complex_call(ctx, std::string(r->does), x, nullptr);
    refuse_complex(x.of);
    const bool whole = !is_real(x.of->element);
    if (whole && (r->does == "floor" || r->does == "ceil" || r->does == "trunc"))
      return r->what == form::to_int ? convert(ctx, x, weak_integer(), at) : x;
    const value y = libm(r->does, computed_in(x.of), {x});
    return r->what == form::to_int ? convert(ctx, y, weak_integer(), at) : y;
  }
  case form::real2: {
    check_count(ctx, a, 2, 2);
    const type t = promote(p[0].of, p[1].of);
    refuse_complex(t);
    if (!is_real(t->element) && name.starts_with("numpy.") && r->does == "fmod") {
      const value l = convert(ctx, p[0], t, at), m = convert(ctx, p[1], t, at);
      const node zero = ctx.ir.integer(machine_type_of(t->element), 0),
                 none_of_it = ctx.ir.compare(operation::eq, m.parts[0], zero);
      const node divisor = ctx.ir.select(none_of_it, ctx.ir.integer(machine_type_of(t->element), 1), m.parts[0]);
      return scalar(ctx, t->element,
                    ctx.ir.select(none_of_it, zero,
                                  ctx.ir.binary(is_unsigned(t->element) ? operation::urem : operation::srem, l.parts[0],
                                                divisor)),
                    t->weak);
    }
    if (!is_real(t->element) && (r->does == "fmax" || r->does == "fmin"))
      return minimum(ctx, p[0], p[1], r->does == "fmax", false, at);
    return libm(r->does, computed_in(t), {p[0], p[1]});
  }
  case form::op2:
    check_count(ctx, a, 2, 2);
    return binary(ctx, r->does, p[0], p[1], at);
  case form::op1:
    check_count(ctx, a, 1, 1);
    return unary(ctx, r->does, p[0], at);
  case form::compare2:
    check_count(ctx, a, 2, 2);
    return compare(ctx, r->does, p[0], p[1], at);
  case form::own:
    break;
  }

  const std::string_view does = r->does.empty() ? r->name : r->does;
  const bool takes_two = does == "maximum" || does == "minimum" || does.starts_with("logical_") || does == "ldexp" ||
                         does == "logaddexp" || does == "logaddexp2" || does == "heaviside" || does == "float_power" ||
                         does == "gcd" || does == "lcm" || does == "rect";
  if (does == "where" || does == "clip" || does == "fma")
    check_count(ctx, a, 3, 3);
  else if (does == "round")
    check_count(ctx, a, 1, 2);
  else
    check_count(ctx, a, takes_two ? 2 : 1, takes_two ? 2 : 1);
  const value &x = p[0];
  const dtype e = x.of->element;
  const bool complex = is_complex(e);
  const auto boolean = [&](node n) { return scalar(ctx, dtype::boolean, n, x.of->weak); };
  const auto reals = [&](auto test) {
    node n = test(x.parts[0]);
    if (complex) n = ctx.ir.binary(operation::bit_or, n, test(x.parts[1]));
    return n;
  };
  if (does == "absolute") {
    if (complex) {
      const bool single = e == dtype::complex64;
      return scalar(ctx, real_of(e),
                    ctx.ir.call(ctx.ir.type_of(x.parts[0]), single ? "hypotf" : "hypot", {x.parts[0], x.parts[1]}),
                    x.of->weak);
    }
    if (is_real(e)) return libm("fabs", x.of, {x});
    if (e == dtype::boolean) return x.of->weak ? convert(ctx, x, weak_integer(), at) : x;
    if (is_unsigned(e) || x.nonnegative) return x;
    const node zero = ctx.ir.integer(machine_type_of(e), 0);
    return scalar(ctx, e,
                  ctx.ir.select(ctx.ir.compare(operation::slt, x.parts[0], zero),
                                ctx.ir.binary(operation::sub, zero, x.parts[0]), x.parts[0]),
                  x.of->weak, x.of->weak);  // the least integer of a NumPy type stays what it is
  }
  if (does == "square") return binary(ctx, "*", x, x, at);
  if (does == "sign") {
    refuse_complex(x.of);
    const value zero = convert(ctx, integer(ctx, 0), x.of, at), one = convert(ctx, integer(ctx, 1), x.of, at);
    const node above = compare(ctx, ">", x, zero, at).parts[0], below = compare(ctx, "<", x, zero, at).parts[0];
    if (is_unsigned(e)) return scalar(ctx, e, ctx.ir.select(above, one.parts[0], zero.parts[0]), x.of->weak);
    const node minus = unary(ctx, "-", one, at).parts[0];
    // NaN gives NaN, zero itself
    return scalar(ctx, e, ctx.ir.select(above, one.parts[0], ctx.ir.select(below, minus, x.parts[0])), x.of->weak);
  }
  if (does == "signbit") {
    refuse_complex(x.of);
    const value y = convert(ctx, x, computed_in(x.of), at);
    const machine_type m = ctx.ir.type_of(y.parts[0]), bits = m == machine_type::f64   ? machine_type::i64
                                                              : m == machine_type::f32 ? machine_type::i32
                                                                                       : machine_type::i16;
    return boolean(
        ctx.ir.compare(operation::slt, ctx.ir.cast(operation::bits, bits, y.parts[0]), ctx.ir.integer(bits, 0)));
  }
  if (does == "reciprocal") return binary(ctx, "/", real(ctx, 1), x, at);
  if (does == "isnan" || does == "isinf" || does == "isfinite") {
    if (!is_real(e) && !complex) return boolean(ctx.ir.boolean(does == "isfinite"));
    const machine_type m = ctx.ir.type_of(x.parts[0]);
    const auto magnitude = [&](node n) {
      return ctx.ir.call(m,
                         m == machine_type::f64   ? "llvm.fabs.f64"
                         : m == machine_type::f32 ? "llvm.fabs.f32"
                                                  : "llvm.fabs.f16",
                         {n});
    };
    const node infinity = ctx.ir.real(m, HUGE_VAL);
    if (does == "isnan") return boolean(reals([&](node n) { return ctx.ir.compare(operation::fne, n, n); }));
    if (does == "isinf")
      return boolean(reals([&](node n) { return ctx.ir.compare(operation::feq, magnitude(n), infinity); }));
    return boolean(ctx.ir.negate(
        reals([&](node n) { return ctx.ir.negate(ctx.ir.compare(operation::flt, magnitude(n), infinity)); })));
  }
  if (does == "maximum" || does == "minimum") return minimum(ctx, x, p[1], does == "maximum", true, at);
  if (does.starts_with("logical_")) {
    const node l = truth(ctx, x, at), m = truth(ctx, p[1], at);
    return scalar(ctx, dtype::boolean,
                  ctx.ir.binary(does == "logical_and"  ? operation::bit_and
                                : does == "logical_or" ? operation::bit_or
                                                       : operation::bit_xor,
                                l, m));
  }
  if (does == "rad2deg") return binary(ctx, "*", convert(ctx, x, computed_in(x.of), at), real(ctx, 180 / M_PI), at);
  if (does == "deg2rad") return binary(ctx, "*", convert(ctx, x, computed_in(x.of), at), real(ctx, M_PI / 180), at);
  if (does == "ldexp") {
    const type t = computed_in(x.of);
    const bool single = t->element != dtype::float64;
    const value y = convert(ctx, x, single ? dtype::float32 : dtype::float64, at);
    const node n = ctx.ir.call(ctx.ir.type_of(y.parts[0]), single ? "ldexpf" : "ldexp",
                               {y.parts[0], ctx.ir.cast(operation::trunc, machine_type::i32,
                                                        integer_node(ctx, p[1], at, "ldexp's exponent"))});
    return convert(ctx, scalar(ctx, y.of->element, n, t->weak), t, at);
  }
  if (does == "frexp" || does == "modf") {
    const type t = computed_in(x.of);
    const bool single = t->element != dtype::float64;
    const value y = convert(ctx, x, single ? dtype::float32 : dtype::float64, at);
    const machine_type m = ctx.ir.type_of(y.parts[0]);
    const node second = ctx.ir.private_memory(does == "frexp" ? machine_type::i32 : m, 1, false);
    const node first = ctx.ir.call(m, std::string(does) + (single ? "f" : ""), {y.parts[0], second});
    const value f = convert(ctx, scalar(ctx, y.of->element, first, t->weak), t, at);
    if (does == "frexp")
      return tuple(
          {f, convert(ctx, scalar(ctx, dtype::int32, ctx.ir.load(machine_type::i32, second)), weak_integer(), at)});
    return tuple({f, convert(ctx, scalar(ctx, y.of->element, ctx.ir.load(m, second), t->weak), t, at)});
  }
  if (does == "logaddexp" || does == "logaddexp2") {
    const bool binary_logarithm = does == "logaddexp2";
    const type t = computed_in(promote(x.of, p[1].of));
    const value l = convert(ctx, x, t, at), m = convert(ctx, p[1], t, at), most = minimum(ctx, l, m, true, true, at),
                least = minimum(ctx, l, m, false, true, at);
    const value power = libm(binary_logarithm ? "exp2" : "exp", t, {binary(ctx, "-", least, most, at)});
    value far = libm("log1p", t, {power}), of_two = libm("log", t, {convert(ctx, integer(ctx, 2), t, at)});
    if (binary_logarithm) far = binary(ctx, "/", far, of_two, at), of_two = convert(ctx, integer(ctx, 1), t, at);
    const value same = binary(ctx, "+", l, of_two, at);
    return scalar(
        ctx, t->element,
        ctx.ir.select(compare(ctx, "==", l, m, at).parts[0], same.parts[0], binary(ctx, "+", most, far, at).parts[0]),
        t->weak);
  }
  if (does == "where") {
    const type t = promote(p[1].of, p[2].of);
    const value l = convert(ctx, p[1], t, at), m = convert(ctx, p[2], t, at);
    const node c = truth(ctx, x, at);
    value v{.of = t};
    for (std::size_t i = 0; i < l.parts.size(); ++i) v.parts.push_back(ctx.ir.select(c, l.parts[i], m.parts[i]));
    v.nonnegative = l.nonnegative && m.nonnegative;
    return v;
  }
  if (does == "clip") return minimum(ctx, minimum(ctx, x, p[1], true, true, at), p[2], false, true, at);
  if (does == "fma") {
    const type t = computed_in(promote(promote(x.of, p[1].of), p[2].of));
    return libm("fma", t, {x, p[1], p[2]});
  }
  if (does == "real" || does == "imag") {
    if (complex) return scalar(ctx, real_of(e), x.parts[does == "real" ? 0 : 1], x.of->weak);
    return does == "real" ? x : convert(ctx, integer(ctx, 0), x.of, at);
  }
  if (does == "conjugate") {
    arguments nothing{at, "conjugate", {}, {}};
    return number_method(ctx, x, "conjugate", nothing);
  }
  if (does == "angle") {
    const value y =
        complex
            ? x
            : convert(ctx, x, scalar_type(e == dtype::float32 ? dtype::complex64 : dtype::complex128, x.of->weak), at);
    const bool single = y.of->element == dtype::complex64;
    return scalar(ctx, real_of(y.of->element),
                  ctx.ir.call(ctx.ir.type_of(y.parts[0]), single ? "atan2f" : "atan2", {y.parts[1], y.parts[0]}),
                  x.of->weak);
  }
  if (does == "gcd" || does == "lcm") {
    const value divisor = greatest_common_divisor(ctx, x, p[1], at);
    if (does == "gcd") return divisor;
    arguments product{at, "lcm", {binary(ctx, "*", binary(ctx, "//", x, divisor, at), p[1], at)}, {}};
    return *math_function(ctx, "numpy.absolute", product);
  }
  if (does == "polar") return tuple({*math_function(ctx, "numpy.absolute", a), *math_function(ctx, "cmath.phase", a)});
  if (does == "rect") {
    const type t = computed_in(promote(x.of, p[1].of));
    const auto part = [&](const char *function) {
      return binary(ctx, "*", convert(ctx, x, t, at), libm(function, t, {p[1]}), at).parts[0];
    };
    return value{.of = scalar_type(t->element == dtype::float64 ? dtype::complex128 : dtype::complex64, t->weak),
                 .parts = {part("cos"), part("sin")}};
  }
  if (does == "sinc") {
    const type t = computed_in(x.of);
    const value y = binary(ctx, "*", convert(ctx, x, t, at), real(ctx, M_PI), at),
                one = convert(ctx, integer(ctx, 1), t, at);
    const node none_of_it = compare(ctx, "==", x, integer(ctx, 0), at).parts[0];
    const value ratio = binary(ctx, "/", libm("sin", t, {y}), y, at);
    return scalar(ctx, t->element, ctx.ir.select(none_of_it, one.parts[0], ratio.parts[0]), t->weak);
  }
  if (does == "spacing") {
    refuse_complex(x.of);
    const type t = computed_in(x.of);
    if (t->element == dtype::float16)
      fail(ctx, error_kind::unsupported, at, "spacing() is not there for float16 in kernels");
    const value y = convert(ctx, x, t, at), infinity = convert(ctx, real(ctx, HUGE_VAL), t, at);
    const value away = libm("nextafter", t, {y, libm("copysign", t, {infinity, y})});
    return binary(ctx, "-", away, y, at);
  }
  if (does == "heaviside") {
    const type t = computed_in(promote(x.of, p[1].of));
    refuse_complex(t);
    const value y = convert(ctx, x, t, at), at_zero = convert(ctx, p[1], t, at),
                zero = convert(ctx, integer(ctx, 0), t, at), one = convert(ctx, integer(ctx, 1), t, at);
    const node above = compare(ctx, ">", y, zero, at).parts[0], below = compare(ctx, "<", y, zero, at).parts[0],
               level = compare(ctx, "==", y, zero, at).parts[0];
    // NaN stays what it is
    const node rest = ctx.ir.select(level, at_zero.parts[0], y.parts[0]);
    return scalar(ctx, t->element, ctx.ir.select(above, one.parts[0], ctx.ir.select(below, zero.parts[0], rest)),
                  t->weak);
  }
  if (does == "float_power") {
    const dtype wide = is_complex(promote(x.of, p[1].of)->element) ? dtype::complex128 : dtype::float64;
    return binary(ctx, "**", convert(ctx, x, wide, at), convert(ctx, p[1], wide, at), at);
  }
  if (does == "bitwise_count") {
    if (!is_integer(e))
      fail(ctx, error_kind::typing, at, fmt::format("{}() takes an integer, got {}", name, display_name(x.of)));
    arguments nothing{at, "bit_count", {}, {}};
    return convert(ctx, number_method(ctx, x, "bit_count", nothing), dtype::uint8, at);
  }
  if (does == "proj") {
    const value z =
        complex
            ? x
            : convert(ctx, x, scalar_type(e == dtype::float32 ? dtype::complex64 : dtype::complex128, x.of->weak), at);
    const dtype part = real_of(z.of->element);
    const value re = scalar(ctx, part, z.parts[0], x.of->weak), im = scalar(ctx, part, z.parts[1], x.of->weak);
    const node far = (*math_function(ctx, "numpy.isinf", with_argument(a, z))).parts[0];
    const value infinity = convert(ctx, real(ctx, HUGE_VAL), re.of, at),
                zero = convert(ctx, integer(ctx, 0), re.of, at);
    return value{.of = z.of,
                 .parts = {ctx.ir.select(far, infinity.parts[0], re.parts[0]),
                           ctx.ir.select(far, libm("copysign", im.of, {zero, im}).parts[0], im.parts[0])}};
  }
  if (does == "round") {
    value v = *python_function(ctx, "builtins.round", a);
    return convert(ctx, v, x.of, at);
  }
  return std::nullopt;
}

arguments with_argument(const arguments &a, const value &v) { return {a.call, a.function, {v}, {}}; }

}  // namespace dpep::pykernel
