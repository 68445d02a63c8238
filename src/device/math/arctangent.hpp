// atan2, atan, asin and acos, branch-free.
//
// |y| and |x| are exchanged and rotated by pi/4 where that brings the quotient into [-tan(pi/8), tan(pi/8)]; the angle
// is then k pi/4 and an arctangent by a polynomial. Float goes through double precision: that costs less than pairs of
// floats, except where double precision is slow: atan, asin and acos of floats are those of single.hpp there.
// Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/gpu_circular.hpp"
#include "device/math/single.hpp"

namespace dpep::device {

/// (atan(t) - t) / t^3 for z = t^2, |t| <= tan(pi/8); T says how exact.
template <class T> DPEP_INLINE double arctangent_rest(double z) {
  if constexpr (sizeof(T) == 4)
    return horner(z, -0x1.555554p-2, 0x1.99989p-3, -0x1.246fc2p-3, 0x1.c2f304p-4, -0x1.534046p-4, 0x1.644c54p-5);
  else
    return horner(z, -0x1.555555555553dp-2, 0x1.99999999958adp-3, -0x1.24924922afc62p-3, 0x1.c71c70e726143p-4,
                  -0x1.745cf8fe02077p-4, 0x1.3b111b867fc76p-4, -0x1.10ebd41d56976p-4, 0x1.df10e1016fd75p-5,
                  -0x1.9cd9d585c1d75p-5, 0x1.37e7743a96d40p-5, -0x1.2590bbf55c5cdp-6);
}

template <class T> DPEP_INLINE double arctangent_of_quotient(double y, double x) {
  constexpr double quarter_pi_high = 0x1.921fb54442dp-1, quarter_pi_low = 0x1.8469898cc517p-49;  // k * high is exact
  const double across = magnitude(x), up = magnitude(y);
  const bool exchange = up > across, equal = up == across;
  double large = exchange ? up : across, small = exchange ? across : up;
  const double factor = large > 0x1p1000 ? 0x1p-4 : 1.0;  // so that their sum is finite
  large *= factor, small *= factor;
  const bool rotate = (small > 0.41421356237309503 * large) | (small == infinity<double>);
  const auto difference = exact_sum_ordered(-large, small), sum = exact_sum_ordered(large, small);
  const double numerator = rotate ? difference.high : small, denominator = rotate ? sum.high : large;
  const double quotient = numerator / denominator;
  // 0 / 0 and infinity / infinity lie on an axis or a diagonal
  const double t = equal ? 0.0 : quotient;
  // Numerator and denominator were rounded when rotated, and so was the quotient. What is too small to matter is left
  // out, before it becomes denormal.
  const bool matters = magnitude(t) > 0x1p-100;
  const double t_here = matters ? t : 0.0;
  const double error = residual(matters ? numerator : 0.0, t_here, matters ? denominator : 1.0);
  const double t_low = (error + (rotate ? difference.low - t_here * sum.low : 0.0)) / denominator;
  const double z = t_here * t_here;

  // octants of pi/4 before the angle of t, which counts backwards after an odd number of reflections
  const bool left = bits(x) < 0;
  double octant = rotate ? 1.0 : 0.0;
  octant = exchange ? 2 - octant : octant;
  octant = left ? 4 - octant : octant;
  const double angle_low = t_here * z * arctangent_rest<T>(z) + (matters ? t_low : 0.0);
  const bool backwards = exchange != left;
  const auto angle = exact_sum_ordered(octant * quarter_pi_high, backwards ? -t : t);
  const double result = angle.high + (angle.low + ((backwards ? -angle_low : angle_low) + octant * quarter_pi_low));
  const bool not_a_number = (x != x) | (y != y);
  return not_a_number ? x + y : flip_sign(result, y);
}

template <class T> DPEP_INLINE T atan2(T y, T x) {
  if (has_fast_reciprocals()) return gpu::atan2(y, x);
  return T(arctangent_of_quotient<T>(y, x));
}
template <class T> DPEP_INLINE T atan(T x) {
  if constexpr (sizeof(T) == 4) {
    if (prefers_single()) return single::atan(x);
  } else {
    if (has_fast_reciprocals()) return gpu::atan(x);
  }
  return atan2(x, T(1));
}

/// The other leg of the triangle with hypotenuse 1: 1 - x^2 is rounded once, and neither sum cancels.
DPEP_INLINE double other_leg(double x) { return square_root(residual(1.0, x, x)); }
template <class T> DPEP_INLINE T asin(T x) {
  if constexpr (sizeof(T) == 4) {
    if (prefers_single()) return single::asin(x);
  } else {
    if (has_fast_reciprocals()) return gpu::asin(x);
  }
  return T(arctangent_of_quotient<T>(x, other_leg(x)));
}
template <class T> DPEP_INLINE T acos(T x) {
  if constexpr (sizeof(T) == 4) {
    if (prefers_single()) return single::acos(x);
  } else {
    if (has_fast_reciprocals()) return gpu::acos(x);
  }
  return T(arctangent_of_quotient<T>(other_leg(x), x));
}

}  // namespace dpep::device
