// atan2, atan, asin and acos, branch-free.
//
// With fused multiply-adds, the functions are those of circular.hpp, and for floats of single.hpp. Without: |y| and |x|
// are exchanged, and the point (x, y) is rotated by pi/4, where that brings the quotient into [-tan(pi/8), tan(pi/8)].
// The angle is then k pi/4 plus or minus an arctangent, which a polynomial gives. Floats are computed in double
// precision, which costs less than pairs of floats. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/circular.hpp"
#include "device/math/single.hpp"

namespace dpep::device {

/// (atan(t) - t) / t^3 for z = t^2, |t| <= tan(pi/8), with the accuracy of T.
template <class T> DPEP_INLINE double arctangent_rest(double z) {
  if constexpr (sizeof(T) == 4)
    return horner(z, -0x1.555554p-2, 0x1.99989p-3, -0x1.246fc2p-3, 0x1.c2f304p-4, -0x1.534046p-4, 0x1.644c54p-5);
  else
    return horner(z, -0x1.555555555553dp-2, 0x1.99999999958adp-3, -0x1.24924922afc62p-3, 0x1.c71c70e726143p-4,
                  -0x1.745cf8fe02077p-4, 0x1.3b111b867fc76p-4, -0x1.10ebd41d56976p-4, 0x1.df10e1016fd75p-5,
                  -0x1.9cd9d585c1d75p-5, 0x1.37e7743a96d40p-5, -0x1.2590bbf55c5cdp-6);
}

/// atan2(y, x) with the accuracy of T.
template <class T> DPEP_INLINE double arctangent_of_quotient(double y, double x) {
  constexpr double quarter_pi_high = 0x1.921fb54442dp-1, quarter_pi_low = 0x1.8469898cc517p-49;  // k * high is exact
  const double abs_x = magnitude(x), abs_y = magnitude(y);
  const bool exchange = abs_y > abs_x, equal = abs_y == abs_x;
  double large = exchange ? abs_y : abs_x, small = exchange ? abs_x : abs_y;
  const double factor = large > 0x1p1000 ? 0x1p-4 : 1.0;  // so that their sum is finite
  large *= factor, small *= factor;
  const bool rotate = (small > 0.41421356237309503 * large) | (small == infinity<double>);
  const auto difference = exact_sum_ordered(-large, small), sum = exact_sum_ordered(large, small);
  const double numerator = rotate ? difference.high : small, denominator = rotate ? sum.high : large;
  const double quotient = numerator / denominator;
  // 0 / 0 and infinity / infinity lie on an axis or a diagonal
  const double t = equal ? 0.0 : quotient;
  // The rotation rounds numerator and denominator, the division rounds the quotient; t_low corrects all three. It is
  // left out where it is too small to change the result, since it would be denormal.
  const bool significant = magnitude(t) > 0x1p-100;
  const double t_or_0 = significant ? t : 0.0;
  const double error = residual(significant ? numerator : 0.0, t_or_0, significant ? denominator : 1.0);
  const double t_low = (error + (rotate ? difference.low - t_or_0 * sum.low : 0.0)) / denominator;
  const double z = t_or_0 * t_or_0;

  // the number of octants (pi/4) to which the angle of t is added, or from which it is subtracted after an odd number
  // of reflections
  const bool negative_x = bits(x) < 0;
  double octant = rotate ? 1.0 : 0.0;
  octant = exchange ? 2 - octant : octant;
  octant = negative_x ? 4 - octant : octant;
  const double angle_low = t_or_0 * z * arctangent_rest<T>(z) + (significant ? t_low : 0.0);
  const bool subtract = exchange != negative_x;
  const auto angle = exact_sum_ordered(octant * quarter_pi_high, subtract ? -t : t);
  const double result = angle.high + (angle.low + ((subtract ? -angle_low : angle_low) + octant * quarter_pi_low));
  const bool not_a_number = (x != x) | (y != y);
  return not_a_number ? x + y : flip_sign(result, y);
}

template <class T> DPEP_INLINE T atan2(T y, T x) {
  if (DPEP_DEVICE_FUSED) return circular::atan2(y, x);
  return T(arctangent_of_quotient<T>(y, x));
}
template <class T> DPEP_INLINE T atan(T x) {
  if constexpr (sizeof(T) == 4) {
    if (DPEP_DEVICE_FUSED) return single::atan(x);
  } else {
    if (DPEP_DEVICE_FUSED) return circular::atan(x);
  }
  return atan2(x, T(1));
}

/// sqrt(1 - x^2), the other leg of a right triangle with hypotenuse 1 and leg x. 1 - x^2 is rounded once, so
/// cancellation costs no accuracy.
DPEP_INLINE double other_leg(double x) { return square_root(residual(1.0, x, x)); }
template <class T> DPEP_INLINE T asin(T x) {
  if constexpr (sizeof(T) == 4) {
    if (DPEP_DEVICE_FUSED) return single::asin(x);
  } else {
    if (DPEP_DEVICE_FUSED) return circular::asin(x);
  }
  return T(arctangent_of_quotient<T>(x, other_leg(x)));
}
template <class T> DPEP_INLINE T acos(T x) {
  if constexpr (sizeof(T) == 4) {
    if (DPEP_DEVICE_FUSED) return single::acos(x);
  } else {
    if (DPEP_DEVICE_FUSED) return circular::acos(x);
  }
  return T(arctangent_of_quotient<T>(other_leg(x), x));
}

}  // namespace dpep::device
