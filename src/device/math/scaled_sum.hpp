// Sums of exponentials of numbers of any size.
//
// e^x = 2^n e^r with an integer n and |r| <= log(2)/2. A sum of such numbers is s 2^n for the largest n of all, so two
// sums are added with a multiplication by a power of two: only elements take an exponential, and only results a
// logarithm. log(s) + n log(2) has an error of a few rounding errors of the result, or of 1 if that is larger.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/log.hpp"

namespace dpep::device {

/// sum * 2^(4 quarter). A quarter of the exponent, since that of e^x may be larger than all numbers.
template <class T> struct scaled_sum {
  T sum, quarter;
};

template <class T> struct scaled_sum_constants;
template <> struct scaled_sum_constants<float> {
  static constexpr float ln16_high = 0x1.62e43p1f, ln16_low = -0x1.05c61p-27f;
  static constexpr float round_magic = 0x1.8p21f;  // adding it leaves 4 times the number in the low bits, rounded
  static constexpr float least_quarter = -31.5f;   // of powers of two that are normal numbers
};
template <> struct scaled_sum_constants<double> {
  static constexpr double ln16_high = 0x1.62e42fefa39efp1, ln16_low = 0x1.abc9e3b39803fp-54;
  static constexpr double round_magic = 0x1.8p50;
  static constexpr double least_quarter = -255.5;
};

/// 0; also e^-inf.
template <class T> DPEP_INLINE scaled_sum<T> no_exponentials() { return {0, -std::numeric_limits<T>::max()}; }

/// e^x.
template <class T> DPEP_INLINE scaled_sum<T> scaled_exp(T x) {
  using c = scaled_sum_constants<T>;
  const T shifted = x * (exp_constants<T>::log2_e / 4) + c::round_magic;
  const T quarter = shifted - c::round_magic;
  const T near = fused(-quarter, c::ln16_low, fused(-quarter, c::ln16_high, x));
  // of huge numbers, the remainder is less than their rounding errors
  const T r = magnitude(near) <= T(0.5) ? near : T(0);
  const T power = has_fast_exp2<T>() ? T(fast_exp2(float(r * exp_constants<T>::log2_e))) : exp_of_small(r);
  const bool is_finite = magnitude(x) < infinity<T>;
  const T largest = std::numeric_limits<T>::max();
  return {is_finite ? power : x < 0 ? T(0) : x, is_finite ? quarter : x > 0 ? largest : -largest};
}

template <class T> DPEP_INLINE scaled_sum<T> operator+(const scaled_sum<T> &a, const scaled_sum<T> &b) {
  using c = scaled_sum_constants<T>;
  using U = unsigned_of<T>;
  const bool is_larger = b.quarter > a.quarter;
  const scaled_sum<T> high = {is_larger ? b.sum : a.sum, is_larger ? b.quarter : a.quarter};
  const scaled_sum<T> low = {is_larger ? a.sum : b.sum, is_larger ? a.quarter : b.quarter};
  const T distance = low.quarter - high.quarter;
  const T shifted = (distance < c::least_quarter ? c::least_quarter : distance) + c::round_magic;
  // the exponent of the magic number is shifted out
  const U one = U(format<T>::exponent_bias) << format<T>::mantissa_bits;
  const T power = number(integer_of<T>((U(bits(shifted)) << format<T>::mantissa_bits) + one));
  return {fused(low.sum, power, high.sum), high.quarter};
}

template <class T> DPEP_INLINE T log(const scaled_sum<T> &s) {
  using c = scaled_sum_constants<T>;
  const T result = fused(s.quarter, c::ln16_high, fused(s.quarter, c::ln16_low, log(s.sum)));
  const T largest = std::numeric_limits<T>::max();
  return both(result > largest, s.sum < infinity<T>) ? largest : result;
}

}  // namespace dpep::device
