// sinh and cosh, branch-free.
//
// |x| = n log(2) + r as for exp; e^x = 2^n e^r and e^-x = 2^-n e^-r, so that with the even and the odd part of e^r
//   sinh(x) = (2^n - 2^-n)/2 cosh(r) + (2^n + 2^-n)/2 sinh(r),  cosh(x) with the two factors exchanged.
// Nothing cancels, and the leading terms are exact. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/exp.hpp"

namespace dpep::device {

template <class T> struct hyperbolic_constants;
template <> struct hyperbolic_constants<float> {
  static constexpr float infinite_above = 89.5f;  // already from 89.416
  static constexpr std::int32_t one_sided = 30;   // from this n on, 2^-n is nothing beside 2^n
};
template <> struct hyperbolic_constants<double> {
  static constexpr double infinite_above = 710.6;
  static constexpr std::int64_t one_sided = 60;
};

/// sinh(r) = r + r z sine, cosh(r) = 1 + z cosine, for z = r^2, |r| <= 0.35.
template <class T> struct hyperbolic_rest {
  T sine, cosine;
};
DPEP_INLINE hyperbolic_rest<float> hyperbolic_rest_of_small(float z) {
  return {horner(z, SINH_FLOAT), horner(z, COSH_FLOAT)};
}
DPEP_INLINE hyperbolic_rest<double> hyperbolic_rest_of_small(double z) {
  return {horner(z, SINH_DOUBLE), horner(z, COSH_DOUBLE)};
}

/// 2^n for an n that a normal number's exponent can be.
template <class T> DPEP_INLINE T power_of_two(integer_of<T> n) {
  return number(integer_of<T>(unsigned_of<T>(n + format<T>::exponent_bias) << format<T>::mantissa_bits));
}

/// sinh and cosh are these times 2^exponent.
template <class T> struct hyperbolic_parts {
  T sine, cosine;
  integer_of<T> exponent;
};

/// For x >= 0, either 0 or not tiny, and n within an exponent's range.
template <class T> DPEP_INLINE hyperbolic_parts<T> hyperbolic_in_parts(T x) {
  using c = exp_constants<T>;
  using I = integer_of<T>;
  const T shifted = x * c::log2_e + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T r_start = x - n * c::ln2_high;
  const T r_rest = n * c::ln2_low;
  const T r = r_start - r_rest;
  const T r_low = (r_start - r) - r_rest;

  // up = 2^n / 2, down = 2^-n / 2, up to the factor
  const I whole = rounded(shifted);
  const I here = whole < hyperbolic_constants<T>::one_sided ? whole : hyperbolic_constants<T>::one_sided;
  const T up = power_of_two<T>(here - 1), down = power_of_two<T>(-here - 1);
  const T z = r * r;
  const auto [sine_rest, cosine_rest] = hyperbolic_rest_of_small(z);
  const T sine_low = r * z * sine_rest + r_low, cosine_low = z * cosine_rest;  // beside r and 1
  const T sum = up + down, difference = up - down;

  const auto start = exact_sum(difference, up * r);  // up * r is exact; the sum cancels in part for n = 1
  const T sine = start.high + (start.low + (down * r + (difference * cosine_low + sum * sine_low)));
  const T cosine = sum + (difference * r + (sum * cosine_low + difference * sine_low));
  return {sine, cosine, whole - here};
}

/// value * 2^exponent for an exponent from 0 on, by halves: 2^exponent may be just above the largest number.
template <class T> DPEP_INLINE T times_large_power(T value, integer_of<T> exponent) {
  const T half = value * power_of_two<T>(exponent - 1);
  return half + half;
}

template <class T> DPEP_INLINE T sinh(T x) {
  constexpr T limit = hyperbolic_constants<T>::infinite_above;
  const auto split = split_tiny(x, std::numeric_limits<T>::epsilon() / 4);
  const T positive = magnitude(split.rest);
  const auto parts = hyperbolic_in_parts(positive < limit ? positive : limit);
  const T result = times_large_power(parts.sine, parts.exponent);
  return split.result(flip_sign(or_infinite(positive, limit, result), split.rest));
}

template <class T> DPEP_INLINE T cosh(T x) {
  constexpr T limit = hyperbolic_constants<T>::infinite_above;
  const T positive = flush_below(magnitude(x), T(0x1p-60));
  const auto parts = hyperbolic_in_parts(positive < limit ? positive : limit);
  return or_infinite(positive, limit, times_large_power(parts.cosine, parts.exponent));
}

}  // namespace dpep::device
