// Docstrings of Python's element functions, composed of a summary and an example for each operation.
#include <dpep/array_operations.hpp>

#include <array>
#include <mutex>
#include <string>

namespace dpep::array {
namespace {

struct text {
  opcode code;
  std::string_view summary;  // one sentence; details follow after an empty line
  std::string_view example;  // with dpctl.tensor as dpt; empty for operations that only dpnp has
};

constexpr text texts[] = {
    // arithmetic
    {opcode::add, "Add two operands.", R"(>>> dpt.add(dpt.asarray([1, 2]), 10)
usm_ndarray([11, 12]))"},
    {opcode::subtract, R"(Subtract the second operand from the first.

Not defined for two bools: use `bitwise_xor`.)",
     R"(>>> dpt.subtract(dpt.asarray([5, 3]), dpt.asarray([1, 2]))
usm_ndarray([4, 1]))"},
    {opcode::multiply, "Multiply two operands.", R"(>>> dpt.multiply(dpt.asarray([1, 2]), dpt.asarray([3, 4]))
usm_ndarray([3, 8]))"},
    {opcode::divide, R"(Divide the first operand by the second.

The quotient of integers is a floating-point number. Division by 0 gives an infinity or NaN.)",
     R"(>>> dpt.divide(dpt.asarray([1, 3]), 2)
usm_ndarray([0.5, 1.5]))"},
    {opcode::floor_divide, R"(Divide the first operand by the second, and round down.

Division of an integer by 0 gives 0.)",
     R"(>>> dpt.floor_divide(dpt.asarray([7, -7]), 2)
usm_ndarray([ 3, -4]))"},
    {opcode::numpy_floor_divide, "Divide, and round down, with NumPy's results for infinities.", ""},
    {opcode::remainder, R"(Return the remainder of floor division of the first operand by the second.

The result has the sign of the second operand, as in Python's `%`. For integers, the remainder of division by 0 is 0.)",
     R"(>>> dpt.remainder(dpt.asarray([7, -7]), 3)
usm_ndarray([1, 2]))"},
    {opcode::pow, R"(Raise the first operand to the power of the second.

An integer to a negative power is rounded towards 0: the result is 0, except for bases 1 and -1.)",
     R"(>>> dpt.pow(dpt.asarray([2, 3]), 2)
usm_ndarray([4, 9]))"},
    {opcode::fmod, R"(Return the remainder of division of the first operand by the second, rounded towards 0.

The result has the sign of the first operand, as in C's fmod.)",
     R"(>>> dpt.fmod(dpt.asarray([7, -7]), 4)
usm_ndarray([ 3, -3]))"},
    {opcode::maximum, R"(Return the larger of two operands, or NaN if either is NaN.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.maximum(dpt.asarray([1, 5]), 3)
usm_ndarray([3, 5]))"},
    {opcode::minimum, R"(Return the smaller of two operands, or NaN if either is NaN.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.minimum(dpt.asarray([1, 5]), 3)
usm_ndarray([1, 3]))"},
    {opcode::fmax, "Return the larger of two operands, or NaN only if both are NaN.",
     R"(>>> dpt.fmax(dpt.asarray([1.0, float("nan")]), 3)
usm_ndarray([3., 3.]))"},
    {opcode::fmin, "Return the smaller of two operands, or NaN only if both are NaN.",
     R"(>>> dpt.fmin(dpt.asarray([1.0, float("nan")]), 3)
usm_ndarray([1., 3.]))"},
    {opcode::negative, R"(Change the sign.

Not defined for bool: use `logical_not`.)",
     R"(>>> dpt.negative(dpt.asarray([1, -2]))
usm_ndarray([-1,  2]))"},
    {opcode::positive, "Return a copy.", R"(>>> dpt.positive(dpt.asarray([1, -2]))
usm_ndarray([ 1, -2]))"},
    {opcode::abs, "Return the absolute value; for complex numbers, the distance from 0.",
     R"(>>> dpt.abs(dpt.asarray([-3, 4]))
usm_ndarray([3, 4]))"},
    {opcode::fabs, "Return the absolute value as a floating-point number.",
     R"(>>> dpt.fabs(dpt.asarray([-3, 2]))
usm_ndarray([3., 2.]))"},
    {opcode::sign, R"(Return -1, 0 or 1 if the number is negative, zero or positive.

For complex numbers: the number divided by its absolute value, or 0.)",
     R"(>>> dpt.sign(dpt.asarray([-5, 0, 2]))
usm_ndarray([-1,  0,  1]))"},
    {opcode::square, "Multiply numbers by themselves.", R"(>>> dpt.square(dpt.asarray([-3, 4]))
usm_ndarray([ 9, 16]))"},
    {opcode::reciprocal, "Divide 1 by the number.", R"(>>> dpt.reciprocal(dpt.asarray([2.0, 4.0]))
usm_ndarray([0.5 , 0.25]))"},
    // rounding
    {opcode::numpy_reciprocal, "Return the reciprocal of integers, rounded towards 0.", ""},
    {opcode::floor, "Round down to whole numbers.", R"(>>> dpt.floor(dpt.asarray([1.5, -1.5]))
usm_ndarray([ 1., -2.]))"},
    {opcode::ceil, "Round up to whole numbers.", R"(>>> dpt.ceil(dpt.asarray([1.5, -1.5]))
usm_ndarray([ 2., -1.]))"},
    {opcode::trunc, "Round towards 0 to whole numbers.", R"(>>> dpt.trunc(dpt.asarray([1.5, -1.5]))
usm_ndarray([ 1., -1.]))"},
    {opcode::round,
     "Round to the nearest whole number, and halves to the even one; complex numbers by real and imaginary part.",
     R"(>>> dpt.round(dpt.asarray([0.5, 1.5, 2.6]))
usm_ndarray([0., 2., 3.]))"},
    // comparison and logic
    {opcode::equal, "Return whether two operands are equal.", R"(>>> dpt.equal(dpt.asarray([1, 2]), 2)
usm_ndarray([False,  True]))"},
    {opcode::not_equal, "Return whether two operands differ.", R"(>>> dpt.not_equal(dpt.asarray([1, 2]), 2)
usm_ndarray([ True, False]))"},
    {opcode::less, R"(Return whether the first operand is less than the second.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.less(dpt.asarray([1, 2]), 2)
usm_ndarray([ True, False]))"},
    {opcode::less_equal, R"(Return whether the first operand is less than the second or equal to it.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.less_equal(dpt.asarray([1, 3]), 2)
usm_ndarray([ True, False]))"},
    {opcode::greater, R"(Return whether the first operand is greater than the second.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.greater(dpt.asarray([1, 3]), 2)
usm_ndarray([False,  True]))"},
    {opcode::greater_equal, R"(Return whether the first operand is greater than the second or equal to it.

Complex numbers compare by real, then by imaginary part.)",
     R"(>>> dpt.greater_equal(dpt.asarray([1, 2]), 2)
usm_ndarray([False,  True]))"},
    {opcode::logical_and, "Return whether both operands are true (not zero).",
     R"(>>> dpt.logical_and(dpt.asarray([1, 0]), dpt.asarray([3, 3]))
usm_ndarray([ True, False]))"},
    {opcode::logical_or, "Return whether at least one operand is true (not zero).",
     R"(>>> dpt.logical_or(dpt.asarray([1, 0]), dpt.asarray([0, 0]))
usm_ndarray([ True, False]))"},
    {opcode::logical_xor, "Return whether exactly one operand is true (not zero).",
     R"(>>> dpt.logical_xor(dpt.asarray([1, 0]), dpt.asarray([2, 2]))
usm_ndarray([False,  True]))"},
    {opcode::logical_not, "Return whether the number is zero.", R"(>>> dpt.logical_not(dpt.asarray([1, 0]))
usm_ndarray([False,  True]))"},
    {opcode::isnan, "Return whether the number, or a part of it, is NaN.",
     R"(>>> dpt.isnan(dpt.asarray([1.0, dpt.nan]))
usm_ndarray([False,  True]))"},
    {opcode::isinf, "Return whether the number, or a part of it, is infinite.",
     R"(>>> dpt.isinf(dpt.asarray([1.0, -dpt.inf]))
usm_ndarray([False,  True]))"},
    {opcode::isfinite, "Return whether the number is neither infinite nor NaN.",
     R"(>>> dpt.isfinite(dpt.asarray([1.0, dpt.nan]))
usm_ndarray([ True, False]))"},
    {opcode::signbit, "Return whether the sign is negative, also of zeros and NaNs.",
     R"(>>> dpt.signbit(dpt.asarray([1.0, -0.0]))
usm_ndarray([False,  True]))"},
    // bits
    {opcode::bitwise_and, "Return the bits that both operands have.", R"(>>> dpt.bitwise_and(dpt.asarray([6, 3]), 5)
usm_ndarray([4, 1]))"},
    {opcode::bitwise_or, "Return the bits that are set in either operand.",
     R"(>>> dpt.bitwise_or(dpt.asarray([6, 3]), 5)
usm_ndarray([7, 7]))"},
    {opcode::bitwise_xor, "Return the bits that are set in exactly one operand.",
     R"(>>> dpt.bitwise_xor(dpt.asarray([6, 3]), 5)
usm_ndarray([3, 6]))"},
    {opcode::bitwise_invert, "Invert all bits.", R"(>>> dpt.bitwise_invert(dpt.asarray([0, 5]))
usm_ndarray([-1, -6]))"},
    {opcode::bitwise_left_shift, R"(Shift the first operand's bits to the left by the second.

Shifts by a negative number, and by the number of bits or more, give 0.)",
     R"(>>> dpt.bitwise_left_shift(dpt.asarray([1, 3]), 2)
usm_ndarray([ 4, 12]))"},
    {opcode::bitwise_right_shift, R"(Shift the first operand's bits to the right by the second; the sign is kept.

Shifts by a negative number, and by the number of bits or more, give 0, or -1 for negative numbers.)",
     R"(>>> dpt.bitwise_right_shift(dpt.asarray([4, -4]), 1)
usm_ndarray([ 2, -2]))"},
    // exponentials and powers
    {opcode::numpy_right_shift, "Shift to the right, with NumPy's results for negative counts.", ""},
    {opcode::exp, "Raise e to the power of the number.", R"(>>> dpt.exp(dpt.asarray([0.0, -dpt.inf]))
usm_ndarray([1., 0.]))"},
    {opcode::exp2, "Raise 2 to the power of the number.", R"(>>> dpt.exp2(dpt.asarray([3.0, -1.0]))
usm_ndarray([8. , 0.5]))"},
    {opcode::expm1, "Raise e to the power of the number, and subtract 1; accurate for small numbers, too.",
     R"(>>> dpt.expm1(dpt.asarray([0.0, 1e-20]))
usm_ndarray([0.e+00, 1.e-20]))"},
    {opcode::log, "Return the natural logarithm.", R"(>>> dpt.log(dpt.asarray([1.0, 0.0]))
usm_ndarray([  0., -inf]))"},
    {opcode::log2, "Return the logarithm to base 2.", R"(>>> dpt.log2(dpt.asarray([8.0, 0.5]))
usm_ndarray([ 3., -1.]))"},
    {opcode::log10, "Return the logarithm to base 10.", R"(>>> dpt.log10(dpt.asarray([1.0, 1000.0]))
usm_ndarray([0., 3.]))"},
    {opcode::log1p, "Return the natural logarithm of 1 plus the number; accurate for small numbers, too.",
     R"(>>> dpt.log1p(dpt.asarray([0.0, 1e-20]))
usm_ndarray([0.e+00, 1.e-20]))"},
    {opcode::sqrt, "Return the square root; NaN for negative real numbers.", R"(>>> dpt.sqrt(dpt.asarray([4.0, 2.25]))
usm_ndarray([2. , 1.5]))"},
    {opcode::rsqrt, "Divide 1 by the square root.", R"(>>> dpt.rsqrt(dpt.asarray([4.0, 0.25]))
usm_ndarray([0.5, 2. ]))"},
    {opcode::cbrt, "Return the cube root; negative numbers have one, too.", R"(>>> dpt.cbrt(dpt.asarray([8.0, -27.0]))
usm_ndarray([ 2., -3.]))"},
    {opcode::hypot, "Return the square root of the sum of the operands' squares, without overflow.",
     R"(>>> dpt.hypot(dpt.asarray([3.0]), dpt.asarray([4.0]))
usm_ndarray([5.]))"},
    {opcode::logaddexp, "Return the natural logarithm of the sum of the operands' exponentials, without overflow.",
     R"(>>> dpt.logaddexp(dpt.asarray([-dpt.inf]), dpt.asarray([2.0]))
usm_ndarray([2.]))"},
    // trigonometry
    {opcode::sin, "Return the sine of angles in radians.", R"(>>> dpt.sin(dpt.asarray([0.0]))
usm_ndarray([0.]))"},
    {opcode::cos, "Return the cosine of angles in radians.", R"(>>> dpt.cos(dpt.asarray([0.0]))
usm_ndarray([1.]))"},
    {opcode::tan, "Return the tangent of angles in radians.", R"(>>> dpt.tan(dpt.asarray([0.0]))
usm_ndarray([0.]))"},
    {opcode::asin, "Return the angle in [-pi/2, pi/2] whose sine is the number; NaN outside [-1, 1].",
     R"(>>> dpt.asin(dpt.asarray([0.0, 2.0]))
usm_ndarray([ 0., nan]))"},
    {opcode::acos, "Return the angle in [0, pi] whose cosine is the number; NaN outside [-1, 1].",
     R"(>>> dpt.acos(dpt.asarray([1.0, 2.0]))
usm_ndarray([ 0., nan]))"},
    {opcode::atan, "Return the angle in [-pi/2, pi/2] whose tangent is the number.",
     R"(>>> dpt.atan(dpt.asarray([0.0]))
usm_ndarray([0.]))"},
    {opcode::atan2, R"(Return the angle in [-pi, pi] from the positive x axis to a point.

The first operand is the point's y coordinate, the second its x coordinate.)",
     R"(>>> dpt.atan2(dpt.asarray([0.0]), dpt.asarray([1.0]))
usm_ndarray([0.]))"},
    {opcode::sinh, "Return the hyperbolic sine.", R"(>>> dpt.sinh(dpt.asarray([0.0]))
usm_ndarray([0.]))"},
    {opcode::cosh, "Return the hyperbolic cosine.", R"(>>> dpt.cosh(dpt.asarray([0.0]))
usm_ndarray([1.]))"},
    {opcode::tanh, "Return the hyperbolic tangent.", R"(>>> dpt.tanh(dpt.asarray([0.0, dpt.inf]))
usm_ndarray([0., 1.]))"},
    {opcode::asinh, "Return the inverse hyperbolic sine.",
     R"(>>> dpt.asinh(dpt.asarray([0.0]))
usm_ndarray([0.]))"},
    {opcode::acosh, "Return the inverse hyperbolic cosine, which is not negative; NaN below 1.",
     R"(>>> dpt.acosh(dpt.asarray([1.0, 0.0]))
usm_ndarray([ 0., nan]))"},
    {opcode::atanh, "Return the inverse hyperbolic tangent; NaN outside [-1, 1].",
     R"(>>> dpt.atanh(dpt.asarray([0.0, 1.0]))
usm_ndarray([ 0., inf]))"},
    // special functions
    {opcode::erf, "Return the error function.", R"(>>> dpt.erf(dpt.asarray([0.0, 30.0]))
usm_ndarray([0., 1.]))"},
    {opcode::erfc, "Return 1 minus the error function; accurate for large numbers, too.", ""},
    {opcode::tgamma, "Return the gamma function.", ""},
    {opcode::lgamma, "Return the natural logarithm of the gamma function's absolute value.", ""},
    // parts of floating-point and complex numbers
    {opcode::copysign, "Give the first operand the sign of the second.",
     R"(>>> dpt.copysign(dpt.asarray([1.0, 2.0]), -0.0)
usm_ndarray([-1., -2.]))"},
    {opcode::nextafter, "Return the next floating-point number after the first operand towards the second.",
     R"(>>> dpt.nextafter(dpt.asarray([1.0]), 2.0) == 1 + dpt.finfo(dpt.float64).eps
usm_ndarray([ True]))"},
    {opcode::conj, "Return the complex conjugate; real numbers are unchanged.",
     R"(>>> dpt.conj(dpt.asarray([1 + 2j]))
usm_ndarray([1.-2.j]))"},
    {opcode::real, "Return the real part.", R"(>>> dpt.real(dpt.asarray([1 + 2j]))
usm_ndarray([1.]))"},
    {opcode::imag, "Return the imaginary part; 0 for real numbers.", R"(>>> dpt.imag(dpt.asarray([1 + 2j]))
usm_ndarray([2.]))"},
    {opcode::proj, "Project to the Riemann sphere: infinite numbers become positive infinity.",
     R"(>>> dpt.proj(dpt.asarray([complex(-dpt.inf, 3), 1 + 2j]))
usm_ndarray([inf+0.j,  1.+2.j]))"},
    {opcode::angle, "Return the angle in [-pi, pi] of complex numbers.", R"(>>> dpt.angle(dpt.asarray([2 + 0j]))
usm_ndarray([0.]))"},
};

static_assert(
    [] {
      if (std::size(texts) != static_cast<std::size_t>(opcode::where)) return false;
      for (std::size_t i = 0; i < std::size(texts); ++i)
        if (texts[i].code != static_cast<opcode>(i)) return false;
      return true;
    }(),
    "one text for each row of the operation table, in its order");

/// The docstring in NumPy's format.
std::string docstring_of(const text &t) {
  const operation &op = info(t.code);
  const bool binary = op.inputs == 2;
  std::string doc(t.summary);
  doc += "\n\nParameters\n----------\n";
  doc += binary ? "x1, x2 : usm_ndarray or number\n    The operands, at least one of them an array; they are broadcast "
                  "to one "
                  "shape.\n"
                : "x : usm_ndarray\n    The operand.\n";
  doc += "out : usm_ndarray, optional\n    The array to write the result to, of the result's shape and dtype. It may "
         "overlap the "
         "operands.\n"
         "order : str, optional\n    Memory order of the result: 'C', 'F', 'A', or 'K' for the operands' order.\n\n"
         "Returns\n-------\nusm_ndarray\n    The result of each element. Signatures, in NumPy's type codes:\n "
         "   ";
  std::size_t column = 4;
  for (const std::string &signature : op.types()) {
    if (column + signature.size() > 110) doc += "\n    ", column = 4;
    doc += signature + " ";
    column += signature.size() + 1;
  }
  while (doc.back() == ' ') doc.pop_back();
  doc += "\n\nRaises\n------\nTypeError\n    If an operand or `out` is not an array.\nValueError\n    If no signature "
         "fits the dtypes, if shapes do not broadcast, or if `out` is read-only "
         "or has another shape or dtype.\n"
         "ExecutionPlacementError\n    If arrays are on different queues.\n";
  if (!t.example.empty()) {
    doc += "\nExamples\n--------\n>>> import dpctl.tensor as dpt\n";
    doc += t.example;
    doc += "\n";
  }
  return doc;
}

}  // namespace

std::string_view documentation(opcode code) noexcept {
  static std::array<std::string, opcode_count> all;
  static std::once_flag composed;
  std::call_once(composed, [] {
    for (const text &t : texts) all[static_cast<std::size_t>(t.code)] = docstring_of(t);
  });
  return all[static_cast<std::size_t>(code)];
}

}  // namespace dpep::array
