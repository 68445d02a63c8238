// Decomposition of numbers, branch-free: mantissa and exponent, integral part and fraction.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

/// A finite number's mantissa in [1/2, 1), with its sign, and its exponent. Zeros, infinities and NaN have no exponent:
/// they are their own mantissa.
template <class T> struct parts {
  T mantissa;
  int exponent;
  bool ordinary;
};
template <class T> DPEP_INLINE parts<T> parts_of(T x) {
  using I = integer_of<T>;
  constexpr int shift = format<T>::mantissa_bits, bias = format<T>::exponent_bias;
  const T positive = magnitude(x);
  const bool denormal = bits(positive) < I{1} << shift;
  const I normal = bits(lift_denormal(positive));
  const int exponent = int(normal >> shift) - (denormal ? 2 * (bias - 1) : bias - 1);
  const T mantissa = number((normal & ((I{1} << shift) - 1)) | bits(T(0.5)));
  const bool ordinary = both(positive != 0, positive < infinity<T>);
  return {ordinary ? flip_sign(mantissa, x) : x, exponent, ordinary};
}

template <class T> DPEP_INLINE T frexp(T x, int *exponent) {
  const parts<T> p = parts_of(x);
  *exponent = p.ordinary ? p.exponent : 0;
  return p.mantissa;
}

template <class T> DPEP_INLINE int ilogb(T x) {
  const parts<T> p = parts_of(x);
  const bool least = either(x == 0, x != x);
  return p.ordinary ? p.exponent - 1 : least ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
}

template <class T> DPEP_INLINE T logb(T x) {
  const parts<T> p = parts_of(x);
  return p.ordinary ? T(p.exponent - 1) : x == 0 ? -infinity<T> : x * x;
}

template <class T> DPEP_INLINE T modf(T x, T *whole) {
  *whole = __builtin_elementwise_trunc(x);
  const T rest = magnitude(x) == infinity<T> ? T(0) : x - *whole;
  return __builtin_elementwise_copysign(rest, x);
}

}  // namespace dpep::device
