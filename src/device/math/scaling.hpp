// ldexp and hypot, branch-free.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

/// x * 2^n with one rounding, for every n: the exponents are added as integers.
template <class T> DPEP_INLINE T ldexp(T x, int n) {
  using I = integer_of<T>;
  constexpr int shift = format<T>::mantissa_bits, bias = format<T>::exponent_bias;
  const T positive = magnitude(x);
  const bool denormal = bits(positive) < I{1} << shift;
  const T normal = lift_denormal(positive);
  const T mantissa = number((bits(normal) & ((I{1} << shift) - 1)) | bits(T(1)));
  constexpr I farthest = 4 * bias;  // scales the least number beyond the largest, and vice versa
  I exponent = n;
  exponent = exponent > farthest ? farthest : exponent;
  exponent = exponent < -farthest ? -farthest : exponent;
  exponent += (bits(normal) >> shift) - (denormal ? 2 * bias - 1 : bias);
  exponent = exponent < -bias - shift - 3 ? I{-bias - shift - 3} : exponent;  // zero
  const T result = exponent > bias ? infinity<T> : scale(mantissa, exponent);
  const bool unchanged = (x == 0) | !(positive < infinity<T>);
  return unchanged ? x : flip_sign(result, x);
}

DPEP_INLINE float hypot(float x, float y) {
  const double a = magnitude(x), b = magnitude(y);  // squares are exact and neither overflow nor underflow
  const float result = float(square_root(a * a + b * b));
  const bool infinite = (a == infinity<double>) | (b == infinity<double>);
  return infinite ? infinity<float> : result;  // also where the other is NaN
}
/// Both are scaled by a power of two first, so that squares neither overflow nor underflow.
DPEP_INLINE double hypot(double x, double y) {
  const double a = magnitude(x), b = magnitude(y);
  const double large = a > b ? a : b, small = a > b ? b : a;  // where one is NaN, so is the sum
  const bool huge = large > 0x1p500, tiny = large < 0x1p-400;
  const double factor = huge ? 0x1p-600 : tiny ? 0x1p700 : 1.0;
  const double unscale = huge ? 0x1p600 : tiny ? 0x1p-700 : 1.0;
  // A part below 2^-60 of the other has no effect on the result, but its square may be denormal.
  const double u = large * factor, v = (small < large * 0x1p-60 ? 0.0 : small) * factor;
  const auto uu = exact_product(u, u);
  const double root = square_root(uu.high + (v * v + uu.low));
  const bool infinite = (a == infinity<double>) | (b == infinity<double>);
  return infinite ? infinity<double> : root * unscale;
}

}  // namespace dpep::device
