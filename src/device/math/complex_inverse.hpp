// asin, acos, atan, asinh, acosh and atanh of complex numbers, branch-free; special values as in C99's Annex G.
//
// Kahan's formulas ("Branch cuts for complex elementary functions", 1987): with sqrt(1 - z) = a - i b and sqrt(1 + z) =
// c + i d for z in the upper half plane, none of a, b, c, d is negative, and no sum of their products cancels.
// Everything is computed in double precision.
#pragma once

#include "device/math/complex_log.hpp"
#include "device/math/complex_parts.hpp"
#include "device/math/inverse_hyperbolic.hpp"

namespace dpep::device {

/// The roots a, b, c, d of Kahan's formulas, and values that several functions derive from them.
template <class T> struct inverse_parts {
  double a, b, c, d;
  double x;      // the real part of z, scaled as products of two roots are
  double asinh;  // the imaginary part of asin(x + i |y|)
  bool is_infinite;
};
template <class T> DPEP_INLINE inverse_parts<T> parts_of_inverse(complex<T> z) {
  const double abs_x = magnitude(z.real), abs_y = magnitude(z.imaginary);
  // so large that 1 is negligible and products of roots could overflow
  const bool large = (abs_x > 0x1p500) | (abs_y > 0x1p500);
  const double factor = large ? 0x1p-10 : 1.0;
  const double x = z.real * factor, y = abs_y * factor;
  const auto minus = root_of_magnitudes<double>(1 - x, y), plus = root_of_magnitudes<double>(1 + x, y);
  const double a = x > 1 ? minus.small : minus.large, b = x > 1 ? minus.large : minus.small;
  const double c = x < -1 ? plus.small : plus.large, d = x < -1 ? plus.large : plus.small;
  const bool infinite = either(is_infinite(abs_x), is_infinite(abs_y));
  const double imaginary = asinh_of_positive(a * d + b * c, large ? 10.0 : 0.0);
  return {a, b, c, d, x, infinite ? infinity<double> : imaginary, infinite};
}

template <class T> DPEP_INLINE complex<T> asin(complex<T> z) {
  const auto parts = parts_of_inverse(z);
  const double denominator = parts.is_infinite ? double(magnitude(z.imaginary)) : parts.a * parts.c + parts.b * parts.d;
  const double real = arctangent_of_quotient<T>(parts.is_infinite ? double(z.real) : parts.x, denominator);
  return {z.real == 0 ? z.real : T(real), flip_sign(T(parts.asinh), z.imaginary)};
}

template <class T> DPEP_INLINE complex<T> acos(complex<T> z) {
  constexpr double half_pi = 0x1.921fb54442d18p0;
  const auto parts = parts_of_inverse(z);
  const double numerator = parts.is_infinite ? double(magnitude(z.imaginary)) : parts.a;
  const double angle = arctangent_of_quotient<T>(numerator, parts.is_infinite ? double(z.real) : parts.c);
  const double real = parts.is_infinite ? angle : 2 * angle;
  return {T(z.real == 0 ? half_pi : real), -flip_sign(T(parts.asinh), z.imaginary)};
}

/// asinh(z) = -i asin(i z), which exchanges the parts of the argument and of the result.
template <class T> DPEP_INLINE complex<T> asinh(complex<T> z) {
  const auto w = asin(complex<T>{z.imaginary, z.real});
  return {w.imaginary, w.real};
}
/// i acos(z) or -i acos(z), whichever has a real part >= 0.
template <class T> DPEP_INLINE complex<T> acosh(complex<T> z) {
  const auto w = acos(z);
  return {magnitude(w.imaginary), flip_sign(w.real, z.imaginary)};
}

/// For x >= 0, the real part is log(1 + 4 x / ((1 - x)^2 + y^2)) / 4, the imaginary part half the angle of
/// (1 - x)(1 + x) - y^2 + 2 i y.
template <class T> DPEP_INLINE complex<T> atanh(complex<T> z) {
  constexpr double half_pi = 0x1.921fb54442d18p0;
  const double x = magnitude(z.real), y = magnitude(z.imaginary);
  const bool large = (x > 0x1p100) | (y > 0x1p100);
  // at the pole, where y^2 would underflow: log(2 / y) / 2
  const bool pole = (x == 1) & (y < 0x1p-100);
  const double u = large ? 1.0 : x, v = either(large, pole) ? 1.0 : flush_below(y, 0x1p-500);
  const double one_minus_u = 1 - u;
  const double quotient = 4 * u / (one_minus_u * one_minus_u + v * v);
  const double pole_argument = 0x1p-100 / (pole ? y : 1.0);
  const auto sum = exact_sum(1.0, pole ? pole_argument : quotient);
  double real = log_of_sum(pole ? pole_argument : sum.high, pole ? 0.0 : sum.low, pole ? 101.0 : 0.0);
  real *= pole ? 0.5 : 0.25;
  real = x < 0x1p-55 ? x / (1 + v * v) : real;  // the quotient may be denormal
  // 1 / z
  const double larger = x > y ? x : y, smaller = x > y ? y : x;
  const double ratio = smaller / (large ? larger : 1.0);
  double inverse = (x > y ? 1.0 : ratio) / ((large ? larger : 1.0) * (1 + ratio * ratio));
  inverse = either(is_infinite(larger), is_infinite(smaller)) ? 0.0 : inverse;
  real = large ? inverse : real;
  real = both(is_nan(x), !is_infinite(y)) ? x : real;
  real = both(is_nan(y), both(!is_infinite(x), x != 0)) ? y : real;
  real = (x == 0) ? 0.0 : real;

  const double w = large ? 1.0 : y;
  double imaginary = 0.5 * arctangent_of_quotient<T>(2 * w, (1 - u) * (1 + u) - w * w);
  imaginary = large ? half_pi : imaginary;
  imaginary = either(is_nan(y), both(is_nan(x), !is_infinite(y))) ? nan<double> : imaginary;
  return {flip_sign(T(real), z.real), flip_sign(T(imaginary), z.imaginary)};
}

/// atan(z) = -i atanh(i z), as asinh.
template <class T> DPEP_INLINE complex<T> atan(complex<T> z) {
  const auto w = atanh(complex<T>{z.imaginary, z.real});
  return {w.imaginary, w.real};
}

}  // namespace dpep::device
