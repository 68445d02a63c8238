// Scalar functions of math, cmath, numpy and dpnp: a table of their definitions.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pykernel/library/math_definitions.hpp"
#include "pykernel/translate/array_expressions.hpp"

namespace dpep::pykernel {
namespace {

using namespace math;

struct row {
  std::string_view name;  // in all modules, unless another row has the qualified name
  value (*define)(const math_call &);
  std::string_view function;            // name in the C library, or operator symbol
  std::size_t least = 1, most = least;  // number of arguments
};

constexpr std::array rows{
    row{"sqrt", real_or_complex_function, "sqrt"},
    row{"exp", real_or_complex_function, "exp"},
    row{"exp2", real_function, "exp2"},
    row{"expm1", real_function, "expm1"},
    row{"log", logarithm, "log", 1, 2},
    row{"log2", real_function, "log2"},
    row{"log10", real_or_complex_function, "log10"},
    row{"log1p", real_function, "log1p"},
    row{"sin", real_or_complex_function, "sin"},
    row{"cos", real_or_complex_function, "cos"},
    row{"tan", real_or_complex_function, "tan"},
    row{"asin", real_or_complex_function, "asin"},
    row{"acos", real_or_complex_function, "acos"},
    row{"atan", real_or_complex_function, "atan"},
    row{"arcsin", real_or_complex_function, "asin"},
    row{"arccos", real_or_complex_function, "acos"},
    row{"arctan", real_or_complex_function, "atan"},
    row{"sinh", real_or_complex_function, "sinh"},
    row{"cosh", real_or_complex_function, "cosh"},
    row{"tanh", real_or_complex_function, "tanh"},
    row{"asinh", real_or_complex_function, "asinh"},
    row{"acosh", real_or_complex_function, "acosh"},
    row{"atanh", real_or_complex_function, "atanh"},
    row{"arcsinh", real_or_complex_function, "asinh"},
    row{"arccosh", real_or_complex_function, "acosh"},
    row{"arctanh", real_or_complex_function, "atanh"},
    row{"erf", real_function, "erf"},
    row{"erfc", real_function, "erfc"},
    row{"gamma", real_function, "tgamma"},
    row{"lgamma", real_function, "lgamma"},
    row{"cbrt", real_function, "cbrt"},
    row{"rsqrt", real_function, "rsqrt"},
    row{"fabs", real_function, "fabs"},
    row{"floor", rounding_function, "floor"},
    row{"ceil", rounding_function, "ceil"},
    row{"trunc", rounding_function, "trunc"},
    row{"fix", rounding_function, "trunc"},
    row{"rint", real_function, "rint"},
    row{"math.floor", rounding_to_integer, "floor"},
    row{"math.ceil", rounding_to_integer, "ceil"},
    row{"math.trunc", rounding_to_integer, "trunc"},
    row{"atan2", real_function, "atan2", 2},
    row{"arctan2", real_function, "atan2", 2},
    row{"hypot", real_function, "hypot", 2},
    row{"copysign", real_function, "copysign", 2},
    row{"nextafter", real_function, "nextafter", 2},
    row{"fmod", floating_remainder, "fmod", 2},
    row{"fmax", minimum_ignoring_nan, "fmax", 2},
    row{"fmin", minimum_ignoring_nan, "fmin", 2},
    row{"math.remainder", real_function, "remainder", 2},
    row{"math.pow", real_function, "pow", 2},
    row{"add", binary_operator, "+", 2},
    row{"subtract", binary_operator, "-", 2},
    row{"multiply", binary_operator, "*", 2},
    row{"divide", binary_operator, "/", 2},
    row{"true_divide", binary_operator, "/", 2},
    row{"floor_divide", binary_operator, "//", 2},
    row{"mod", binary_operator, "%", 2},
    row{"remainder", binary_operator, "%", 2},
    row{"power", binary_operator, "**", 2},
    row{"pow", binary_operator, "**", 2},
    row{"bitwise_and", binary_operator, "&", 2},
    row{"bitwise_or", binary_operator, "|", 2},
    row{"bitwise_xor", binary_operator, "^", 2},
    row{"left_shift", binary_operator, "<<", 2},
    row{"right_shift", binary_operator, ">>", 2},
    row{"bitwise_left_shift", binary_operator, "<<", 2},
    row{"bitwise_right_shift", binary_operator, ">>", 2},
    row{"negative", unary_operator, "-"},
    row{"positive", unary_operator, "+"},
    row{"invert", unary_operator, "~"},
    row{"bitwise_not", unary_operator, "~"},
    row{"bitwise_invert", unary_operator, "~"},
    row{"logical_not", unary_operator, "not"},
    row{"equal", comparison, "==", 2},
    row{"not_equal", comparison, "!=", 2},
    row{"less", comparison, "<", 2},
    row{"less_equal", comparison, "<=", 2},
    row{"greater", comparison, ">", 2},
    row{"greater_equal", comparison, ">=", 2},
    row{"absolute", absolute, ""},
    row{"abs", absolute, ""},
    row{"square", square, ""},
    row{"sign", sign, ""},
    row{"signbit", sign_bit, ""},
    row{"reciprocal", reciprocal, ""},
    row{"isnan", is_nan, ""},
    row{"isinf", is_infinite, ""},
    row{"isfinite", is_finite, ""},
    row{"maximum", maximum_with_nan, "", 2},
    row{"minimum", minimum_with_nan, "", 2},
    row{"logical_and", logical_operator, "and", 2},
    row{"logical_or", logical_operator, "or", 2},
    row{"logical_xor", logical_operator, "xor", 2},
    row{"rad2deg", element_function_named, "degrees"},
    row{"deg2rad", element_function_named, "radians"},
    row{"where", where, "", 3},
    row{"clip", clip, "", 3},
    row{"real", real_part, ""},
    row{"imag", imaginary_part, ""},
    row{"conj", conjugate, ""},
    row{"conjugate", conjugate, ""},
    row{"angle", angle, ""},
    row{"phase", angle, ""},
    row{"fma", real_function, "fma", 3},
    row{"polar", polar, ""},
    row{"rect", rect, "", 2},
    row{"operator.sub", binary_operator, "-", 2},
    row{"operator.mul", binary_operator, "*", 2},
    row{"operator.truediv", binary_operator, "/", 2},
    row{"operator.floordiv", binary_operator, "//", 2},
    row{"operator.and_", binary_operator, "&", 2},
    row{"operator.or_", binary_operator, "|", 2},
    row{"operator.xor", binary_operator, "^", 2},
    row{"operator.lshift", binary_operator, "<<", 2},
    row{"operator.rshift", binary_operator, ">>", 2},
    row{"operator.neg", unary_operator, "-"},
    row{"operator.pos", unary_operator, "+"},
    row{"operator.inv", unary_operator, "~"},
    row{"operator.not_", unary_operator, "not"},
    row{"operator.eq", comparison, "==", 2},
    row{"operator.ne", comparison, "!=", 2},
    row{"operator.lt", comparison, "<", 2},
    row{"operator.le", comparison, "<=", 2},
    row{"operator.gt", comparison, ">", 2},
    row{"operator.ge", comparison, ">=", 2},
    row{"round", round, "", 1, 2},
};

/// Whether the qualified name is one of a module of functions of numbers.
bool is_in_module(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  constexpr std::string_view modules[] = {"math",         "cmath",   "numpy", "dpnp", "dpnp.scipy.special",
                                          "dpctl.tensor", "operator"};
  return std::ranges::find(modules, name.substr(0, dot == name.npos ? 0 : dot)) != std::end(modules);
}

const row *find(std::string_view name) {
  auto found = std::ranges::find(rows, name, &row::name);
  if (found == rows.end()) found = std::ranges::find(rows, name.substr(name.rfind('.') + 1), &row::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::optional<value> math_function(translation &ctx, std::string_view name, const arguments &a) {
  if (name == "math.isclose" || name == "cmath.isclose") return is_close(ctx, a, false);
  if (name == "numpy.isclose" || name == "dpnp.isclose" || name == "dpctl.tensor.isclose")
    return is_close(ctx, a, true);
  if (!is_in_module(name)) return std::nullopt;
  if (are_elementwise(ctx, a.positional) && a.keywords.empty() && !name.starts_with("math.") &&
      !name.starts_with("cmath.") && (find(name) || is_element_function(name, a.positional.size())))
    return elementwise(
        ctx, a.positional,
        [name = std::string(name), call = &a.call, function = a.function](translation &inner,
                                                                          const std::vector<value> &numbers) {
          return *math_function(inner, name, arguments{*call, function, numbers, {}});
        },
        a.call);
  const row *const r = find(name);
  if (!r) return element_function(ctx, name, a);
  check_numbers(ctx, name, a);
  check_count(ctx, a, r->least, r->most);
  return r->define({ctx, name, r->function, a, a.call});
}

void check_numbers(translation &ctx, std::string_view name, const arguments &a) {
  if (!a.keywords.empty())
    fail(ctx, error_kind::typing, a.call,
         fmt::format("{}() takes no keywords in kernels, got '{}': pass the argument by position, or leave it out",
                     name, a.keywords[0].first));
  for (const value &v : a.positional)
    if (!is_scalar(v.of))
      fail(ctx, operand_error({v.of}), a.call,
           fmt::format("{}() takes numbers in kernels, got {}{}", name, display_name(v.of),
                       is_array(v.of) ? ": call it for each element" : ""));
}

arguments with_argument(const arguments &a, const value &v) { return {a.call, a.function, {v}, {}}; }

}  // namespace dpep::pykernel
