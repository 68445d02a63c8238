// Scalar functions of math, cmath, numpy and dpnp: their definitions in the intermediate form.
#include "pykernel/library/math_definitions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel::math {
namespace {

/// Evaluates functions whose result does not depend on the device.
std::optional<double> fold(std::string_view function, double x) {
  if (function == "floor") return std::floor(x);
  if (function == "ceil") return std::ceil(x);
  if (function == "trunc") return std::trunc(x);
  if (function == "rint") return std::nearbyint(x);
  if (function == "fabs") return std::abs(x);
  if (function == "sqrt") return std::sqrt(x);
  int exponent = 0;
  if (function == "log2" && std::frexp(x, &exponent) == 0.5) return exponent - 1;  // only powers of two are exact
  return std::nullopt;
}

/// The floating-point type that a real function converts its argument to: float64 for integers, and less for NumPy's
/// functions of short ones.
type computed_in(const math_call &c, type t) {
  if (is_real(t->element)) return t;
  const bool of_python = c.name.starts_with("math.") || c.name.starts_with("cmath.");
  constexpr std::string_view special[] = {"erf", "erfc", "tgamma", "lgamma"};
  const bool is_short =
      !of_python && !t->weak && size_of(t->element) <= 2 && std::ranges::find(special, c.function) == std::end(special);
  return scalar_type(!is_short ? dtype::float64 : size_of(t->element) == 1 ? dtype::float16 : dtype::float32, t->weak);
}

/// The type of the C function that computes a floating-point type: half precision is computed in float32.
dtype c_type(type t) { return t->element == dtype::float64 ? dtype::float64 : dtype::float32; }

void refuse_complex(const math_call &c, type t) {
  if (is_complex(t->element))
    fail(c.ctx, error_kind::typing, c.at,
         fmt::format("{}() is not defined for complex numbers, got {}", c.name, display_name(t)));
}

/// Calls a function of the C library, computed in the type `t`.
value call_libm(const math_call &c, std::string_view function, type t, const std::vector<value> &operands) {
  ir_builder &ir = c.ctx.ir;
  const dtype computed = c_type(t);
  const bool single = computed == dtype::float32;
  std::vector<node> nodes;
  for (const value &v : operands) nodes.push_back(convert(c.ctx, v, computed, c.at).parts[0]);
  const machine_type m = machine_type_of(computed);
  // Constants are folded because shapes are computed from them.
  if (const auto known = nodes.size() == 1 && !single ? ir.known_real(nodes[0]) : std::nullopt; known)
    if (const auto folded = fold(function, *known))
      return convert(c.ctx, scalar(c.ctx, computed, ir.real(m, *folded), t->weak), t, c.at);
  const auto intrinsic = [&](std::string_view name) {
    return ir.call(m, fmt::format("llvm.{}.{}", name, single ? "f32" : "f64"), nodes);
  };
  // A function that is a single instruction becomes an intrinsic: a library call would lose the fast-math flags.
  const node n = function == "sqrt"    ? intrinsic("sqrt")
                 : function == "fabs"  ? intrinsic("fabs")
                 : function == "rsqrt" ? ir.binary(operation::fdiv, ir.real(m, 1), intrinsic("sqrt"))
                                       : ir.call(m, std::string(function) + (single ? "f" : ""), nodes);
  return convert(c.ctx, scalar(c.ctx, computed, n, t->weak), t, c.at);
}

/// The argument as a complex number: complex64 for float32, else complex128.
value as_complex(const math_call &c, const value &x) {
  if (is_complex(x.of->element)) return x;
  const dtype t = x.of->element == dtype::float32 ? dtype::complex64 : dtype::complex128;
  return convert(c.ctx, x, scalar_type(t, x.of->weak), c.at);
}

value python_int(const math_call &c, const value &x) { return convert(c.ctx, x, weak_integer(), c.at); }

value call_function(const math_call &c, const char *name, const value &x) {
  return *math_function(c.ctx, name, with_argument(c.args, x));
}

value call_method(const math_call &c, const char *name) {
  return number_method(c.ctx, c[0], name, arguments{c.at, name, {}, {}});
}

value boolean(const math_call &c, node n) { return scalar(c.ctx, dtype::boolean, n, c[0].of->weak); }

/// Whether `test` is true for the number, or for one of the parts of a complex number.
template <class Test> node any_part(const math_call &c, const Test &test) {
  const value &x = c[0];
  node n = test(x.parts[0]);
  if (is_complex(x.of->element)) n = c.ctx.ir.binary(operation::bit_or, n, test(x.parts[1]));
  return n;
}

bool is_floating(const value &x) { return is_real(x.of->element) || is_complex(x.of->element); }

node magnitude(const math_call &c, node n) {
  const machine_type m = c.ctx.ir.type_of(n);
  return c.ctx.ir.call(m,
                       m == machine_type::f64   ? "llvm.fabs.f64"
                       : m == machine_type::f32 ? "llvm.fabs.f32"
                                                : "llvm.fabs.f16",
                       {n});
}

}  // namespace

value real_function(const math_call &c) {
  type t = c[0].of;
  for (std::size_t i = 1; i < c.size(); ++i) t = promote(t, c[i].of);
  refuse_complex(c, t);
  return call_libm(c, c.function, computed_in(c, t), c.args.positional);
}

value real_or_complex_function(const math_call &c) {
  const value x = c.name.starts_with("cmath.") ? as_complex(c, c[0]) : c[0];
  if (is_complex(x.of->element) && !c.name.starts_with("math."))
    return complex_call(c.ctx, std::string(c.function), x, nullptr);
  refuse_complex(c, x.of);
  return call_libm(c, c.function, computed_in(c, x.of), {x});
}

value logarithm(const math_call &c) {
  if (c.size() == 1) return real_or_complex_function(c);
  return binary(c.ctx, "/", *math_function(c.ctx, c.name, with_argument(c.args, c[0])),
                *math_function(c.ctx, c.name, with_argument(c.args, c[1])), c.at);
}

value rounding_function(const math_call &c) {
  refuse_complex(c, c[0].of);
  return is_real(c[0].of->element) ? call_libm(c, c.function, c[0].of, {c[0]}) : c[0];
}

value rounding_to_integer(const math_call &c) { return python_int(c, rounding_function(c)); }

value floating_remainder(const math_call &c) {
  ir_builder &ir = c.ctx.ir;
  const type t = promote(c[0].of, c[1].of);
  refuse_complex(c, t);
  if (is_real(t->element) || c.name.starts_with("math.")) return call_libm(c, "fmod", computed_in(c, t), {c[0], c[1]});
  const value x = convert(c.ctx, c[0], t, c.at), y = convert(c.ctx, c[1], t, c.at);
  const machine_type m = machine_type_of(t->element);
  // The remainder of a division by zero is zero. So is that of a division by -1, whose quotient may overflow.
  node is_zero = ir.compare(operation::eq, y.parts[0], ir.integer(m, 0));
  if (!is_unsigned(t->element))
    is_zero = ir.binary(operation::bit_or, is_zero, ir.compare(operation::eq, y.parts[0], ir.integer(m, -1)));
  const node divisor = ir.select(is_zero, ir.integer(m, 1), y.parts[0]);
  const operation remainder = is_unsigned(t->element) ? operation::urem : operation::srem;
  return scalar(c.ctx, t->element, ir.binary(remainder, x.parts[0], divisor), t->weak);
}

value minimum_ignoring_nan(const math_call &c) {
  const type t = promote(c[0].of, c[1].of);
  refuse_complex(c, t);
  if (!is_real(t->element)) return minimum(c.ctx, c[0], c[1], c.function == "fmax", false, c.at);
  return call_libm(c, c.function, t, {c[0], c[1]});
}

value binary_operator(const math_call &c) { return binary(c.ctx, c.function, c[0], c[1], c.at); }
value unary_operator(const math_call &c) { return unary(c.ctx, c.function, c[0], c.at); }
value comparison(const math_call &c) { return compare(c.ctx, c.function, c[0], c[1], c.at); }

value logical_operator(const math_call &c) {
  const node x = truth(c.ctx, c[0], c.at), y = truth(c.ctx, c[1], c.at);
  return scalar(c.ctx, dtype::boolean,
                c.ctx.ir.binary(c.function == "and"  ? operation::bit_and
                                : c.function == "or" ? operation::bit_or
                                                     : operation::bit_xor,
                                x, y));
}

value absolute(const math_call &c) {
  ir_builder &ir = c.ctx.ir;
  const value &x = c[0];
  const dtype e = x.of->element;
  if (is_complex(e))
    return scalar(c.ctx, real_of(e),
                  ir.call(ir.type_of(x.parts[0]), e == dtype::complex64 ? "hypotf" : "hypot", {x.parts[0], x.parts[1]}),
                  x.of->weak);
  if (is_real(e)) return call_libm(c, "fabs", x.of, {x});
  if (e == dtype::boolean) return x.of->weak ? python_int(c, x) : x;
  if (is_unsigned(e) || x.nonnegative) return x;
  const node zero = ir.integer(machine_type_of(e), 0);
  // The smallest integer of a NumPy type has no positive counterpart, so only Python's integers become nonnegative.
  return scalar(
      c.ctx, e,
      ir.select(ir.compare(operation::slt, x.parts[0], zero), ir.binary(operation::sub, zero, x.parts[0]), x.parts[0]),
      x.of->weak, x.of->weak);
}

value square(const math_call &c) { return binary(c.ctx, "*", c[0], c[0], c.at); }

value sign(const math_call &c) {
  translation &ctx = c.ctx;
  const value &x = c[0];
  const dtype e = x.of->element;
  refuse_complex(c, x.of);
  const value zero = convert(ctx, integer(ctx, 0), x.of, c.at), one = convert(ctx, integer(ctx, 1), x.of, c.at);
  const node above = compare(ctx, ">", x, zero, c.at).parts[0], below = compare(ctx, "<", x, zero, c.at).parts[0];
  if (is_unsigned(e)) return scalar(ctx, e, ctx.ir.select(above, one.parts[0], zero.parts[0]), x.of->weak);
  const node minus = unary(ctx, "-", one, c.at).parts[0];
  // NaN and zero are returned unchanged.
  return scalar(ctx, e, ctx.ir.select(above, one.parts[0], ctx.ir.select(below, minus, x.parts[0])), x.of->weak);
}

value sign_bit(const math_call &c) {
  ir_builder &ir = c.ctx.ir;
  refuse_complex(c, c[0].of);
  const value y = convert(c.ctx, c[0], computed_in(c, c[0].of), c.at);
  const machine_type m = ir.type_of(y.parts[0]), bits = m == machine_type::f64   ? machine_type::i64
                                                        : m == machine_type::f32 ? machine_type::i32
                                                                                 : machine_type::i16;
  return boolean(c, ir.compare(operation::slt, ir.cast(operation::bits, bits, y.parts[0]), ir.integer(bits, 0)));
}

value reciprocal(const math_call &c) { return binary(c.ctx, "/", real(c.ctx, 1), c[0], c.at); }

value is_nan(const math_call &c) {
  if (!is_floating(c[0])) return boolean(c, c.ctx.ir.boolean(false));
  return boolean(c, any_part(c, [&](node n) { return c.ctx.ir.compare(operation::fne, n, n); }));
}

value is_infinite(const math_call &c) {
  ir_builder &ir = c.ctx.ir;
  if (!is_floating(c[0])) return boolean(c, ir.boolean(false));
  const node infinity = ir.real(ir.type_of(c[0].parts[0]), HUGE_VAL);
  return boolean(c, any_part(c, [&](node n) { return ir.compare(operation::feq, magnitude(c, n), infinity); }));
}

value is_finite(const math_call &c) {
  ir_builder &ir = c.ctx.ir;
  if (!is_floating(c[0])) return boolean(c, ir.boolean(true));
  const node infinity = ir.real(ir.type_of(c[0].parts[0]), HUGE_VAL);
  return boolean(c, ir.negate(any_part(
                        c, [&](node n) { return ir.negate(ir.compare(operation::flt, magnitude(c, n), infinity)); })));
}

value maximum_with_nan(const math_call &c) { return minimum(c.ctx, c[0], c[1], true, true, c.at); }
value minimum_with_nan(const math_call &c) { return minimum(c.ctx, c[0], c[1], false, true, c.at); }

value where(const math_call &c) {
  const type t = promote(c[1].of, c[2].of);
  const value x = convert(c.ctx, c[1], t, c.at), y = convert(c.ctx, c[2], t, c.at);
  const node condition = truth(c.ctx, c[0], c.at);
  value v{.of = t};
  for (std::size_t i = 0; i < x.parts.size(); ++i)
    v.parts.push_back(c.ctx.ir.select(condition, x.parts[i], y.parts[i]));
  v.nonnegative = x.nonnegative && y.nonnegative;
  return v;
}

value clip(const math_call &c) {
  return minimum(c.ctx, minimum(c.ctx, c[0], c[1], true, true, c.at), c[2], false, true, c.at);
}

value real_part(const math_call &c) {
  const value &x = c[0];
  return is_complex(x.of->element) ? scalar(c.ctx, real_of(x.of->element), x.parts[0], x.of->weak) : x;
}
value imaginary_part(const math_call &c) {
  const value &x = c[0];
  if (is_complex(x.of->element)) return scalar(c.ctx, real_of(x.of->element), x.parts[1], x.of->weak);
  return convert(c.ctx, integer(c.ctx, 0), x.of, c.at);
}
value conjugate(const math_call &c) { return call_method(c, "conjugate"); }

value angle(const math_call &c) {
  const value z = as_complex(c, c[0]);
  const bool single = z.of->element == dtype::complex64;
  return scalar(c.ctx, real_of(z.of->element),
                c.ctx.ir.call(c.ctx.ir.type_of(z.parts[0]), single ? "atan2f" : "atan2", {z.parts[1], z.parts[0]}),
                c[0].of->weak);
}

value polar(const math_call &c) {
  const value radius = call_function(c, "numpy.absolute", c[0]);
  return tuple({radius, call_function(c, "cmath.phase", c[0])});
}

value rect(const math_call &c) {
  const type t = computed_in(c, promote(c[0].of, c[1].of));
  const auto part = [&](const char *function) {
    return binary(c.ctx, "*", convert(c.ctx, c[0], t, c.at), call_libm(c, function, t, {c[1]}), c.at).parts[0];
  };
  return {.of = scalar_type(t->element == dtype::float64 ? dtype::complex128 : dtype::complex64, t->weak),
          .parts = {part("cos"), part("sin")}};
}

value element_function_named(const math_call &c) {
  return *element_function(c.ctx, fmt::format("numpy.{}", c.function), c.args);
}

value round(const math_call &c) {
  return convert(c.ctx, *python_function(c.ctx, "builtins.round", c.args), c[0].of, c.at);
}

value is_close(translation &ctx, const arguments &a, bool as_numpy) {
  const expression &at = a.call;
  const char *const relative_name = as_numpy ? "rtol" : "rel_tol", *const absolute_name = as_numpy ? "atol" : "abs_tol";
  for (const auto &[key, v] : a.keywords)
    if (key != relative_name && key != absolute_name)
      fail(ctx, error_kind::typing, at,
           fmt::format("isclose() has no argument '{}' in kernels: it takes two numbers, {} and {}", key, relative_name,
                       absolute_name));
  const auto floating = [&](const value &v) {  // differences of unsigned integers wrap
    return is_scalar(v.of) && !is_floating(v) ? convert(ctx, v, scalar_type(dtype::float64, v.of->weak), at) : v;
  };
  const value x = floating(require_argument(ctx, a, 0, "a")), y = floating(require_argument(ctx, a, 1, "b"));
  const value *const relative = find_argument(a, 2, relative_name), *const absolute =
                                                                        find_argument(a, 3, absolute_name);
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

}  // namespace dpep::pykernel::math
