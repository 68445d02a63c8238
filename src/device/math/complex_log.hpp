// log, log2, log10 and log1p of complex numbers, branch-free; special values as in C99's Annex G.
//
// log |z| is half of log(x^2 + y^2) with the sum in two parts, so that it is accurate also where |z| is close to 1.
// Floats are computed in double precision.
#pragma once

#include "device/math/arctangent.hpp"
#include "device/math/complex.hpp"
#include "device/math/log.hpp"

namespace dpep::device {

/// A power of two that scales a number of the size of `large` such that squares neither overflow nor underflow.
struct safe_scale {
  double factor, exponent;  // factor = 2^-exponent
};
DPEP_INLINE safe_scale scale_for_squares(double large) {
  const bool huge = large > 0x1p500, tiny = large < 0x1p-400;
  return {huge ? 0x1p-600 : tiny ? 0x1p700 : 1.0, huge ? 600.0 : tiny ? -700.0 : 0.0};
}

/// x^2 + y^2 + low in two parts, for x >= y >= 0.
DPEP_INLINE pair<double> sum_of_squares(double x, double y, double low) {
  const auto xx = exact_product(x, x), yy = exact_product(y, y);
  const auto sum = exact_sum_ordered(xx.high, yy.high);
  const auto lows = exact_sum(xx.low, yy.low);
  const auto rest = exact_sum(sum.low, lows.high);
  const auto result = exact_sum_ordered(sum.high, rest.high);  // only now is the low part small where high is 1
  return exact_sum_ordered(result.high, result.low + (rest.low + (lows.low + low)));
}

/// log |x + x_low + i y|.
DPEP_INLINE double log_of_modulus(double x, double x_low, double y) {
  const double abs_x = magnitude(x), abs_y = magnitude(y);
  const double large = abs_x > abs_y ? abs_x : abs_y, small = abs_x > abs_y ? abs_y : abs_x;
  const auto [factor, exponent] = scale_for_squares(large);
  const double v = flush_below(small * factor, 0x1p-540);  // no denormal squares
  const auto square = sum_of_squares(large * factor, v, 2 * (x * factor) * (x_low * factor));
  const double result = 0.5 * log_of_sum(square.high, square.low, 2 * exponent);
  const bool infinite = either(is_infinite(x), is_infinite(y));
  return infinite ? infinity<double> : result;
}

template <class T> DPEP_INLINE complex<T> log(complex<T> z) {
  return narrow<T>(log_of_modulus(z.real, 0, z.imaginary), arctangent_of_quotient<T>(z.imaginary, z.real));
}
template <class T> DPEP_INLINE complex<T> log2(complex<T> z) {
  constexpr double log2_e = 0x1.71547652b82fep0;
  return narrow<T>(log_of_modulus(z.real, 0, z.imaginary) * log2_e,
                   arctangent_of_quotient<T>(z.imaginary, z.real) * log2_e);
}
template <class T> DPEP_INLINE complex<T> log10(complex<T> z) {
  constexpr double log10_e = 0x1.bcb7b1526e50ep-2;
  return narrow<T>(log_of_modulus(z.real, 0, z.imaginary) * log10_e,
                   arctangent_of_quotient<T>(z.imaginary, z.real) * log10_e);
}

/// log |1 + z| for small z: half of log(1 + (2 x + x^2 + y^2)).
DPEP_INLINE double log_of_modulus_near_1(double x, double y) {
  const double u = flush_below(x, 0x1p-540), v = flush_below(y, 0x1p-540);
  const auto uu = exact_product(u, u), vv = exact_product(v, v);
  const auto squares = exact_sum(uu.high, vv.high);
  const auto start = exact_sum(2 * x, squares.high);
  const auto lows = exact_sum(uu.low, vv.low);
  const auto rest = exact_sum(start.low, squares.low);
  const auto all = exact_sum(start.high, rest.high + (rest.low + (lows.high + lows.low)));
  const auto sum = exact_sum(1.0, all.high);
  return 0.5 * log_of_sum(sum.high, sum.low + all.low);
}

template <class T> DPEP_INLINE complex<T> log1p(complex<T> z) {
  const double x = z.real, y = z.imaginary;
  const auto shifted = exact_sum(1.0, x);
  const bool near = both(magnitude(x) < 0.5, magnitude(y) < 0.5);
  const double shifted_low = is_finite(x) ? shifted.low : 0.0;
  const double modulus =
      near ? log_of_modulus_near_1(near ? x : 0.0, near ? y : 0.0) : log_of_modulus(shifted.high, shifted_low, y);
  return narrow<T>(modulus, arctangent_of_quotient<T>(y, shifted.high));
}

}  // namespace dpep::device
