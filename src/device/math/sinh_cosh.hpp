// sinh and cosh, branch-free.
//
// |x| = n log(2) + r as for exp; e^x = 2^n e^r and e^-x = 2^-n e^-r, so that with the even and the odd part of e^r
//   sinh(x) = (2^n - 2^-n)/2 cosh(r) + (2^n + 2^-n)/2 sinh(r),  cosh(x) with the two factors exchanged.
// Nothing cancels, and the leading terms are exact. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/gpu_hyperbolic.hpp"

namespace dpep::device {

template <class T> struct hyperbolic_constants;
template <> struct hyperbolic_constants<float> {
  static constexpr float infinite_above = 89.5f;  // results are infinite from 89.416 on
  static constexpr std::int32_t one_sided = 30;   // from this n on, 2^-n is negligible beside 2^n
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
  return {horner(z, 0x1.555556p-3f, 0x1.110fcp-7f, 0x1.a2de92p-13f),
          horner(z, 0x1p-1f, 0x1.5554e6p-5f, 0x1.6d4f08p-10f)};
}
DPEP_INLINE hyperbolic_rest<double> hyperbolic_rest_of_small(double z) {
  return {horner(z, 0x1.5555555555559p-3, 0x1.111111110f64ep-7, 0x1.a01a01b00735dp-13, 0x1.71ddf805738dep-19,
                 0x1.af5f3d11cbdcep-26),
          horner(z, 0x1p-1, 0x1.5555555555558p-5, 0x1.6c16c16c15009p-10, 0x1.a01a01ad77eddp-16, 0x1.27e4cc251ce82p-22,
                 0x1.1f8bb75de30a8p-29)};
}

/// sinh and cosh, divided by 2^exponent.
template <class T> struct hyperbolic_parts {
  T sine, cosine;
  integer_of<T> exponent;
};

/// For x >= 0 that is 0 or not tiny, with n in the range of exponents.
template <class T> DPEP_INLINE hyperbolic_parts<T> hyperbolic_in_parts(T x) {
  using c = exp_constants<T>;
  using I = integer_of<T>;
  const T shifted = x * c::log2_e + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T r_start = x - n * c::ln2_high;
  const T r_rest = n * c::ln2_low;
  const T r = r_start - r_rest;
  const T r_low = (r_start - r) - r_rest;

  // up = 2^n / 2 and down = 2^-n / 2, divided by 2^exponent
  const I whole = rounded(shifted);
  const I here = whole < hyperbolic_constants<T>::one_sided ? whole : hyperbolic_constants<T>::one_sided;
  const T up = power_of_two<T>(here - 1), down = power_of_two<T>(-here - 1);
  const T z = r * r;
  const auto [sine_rest, cosine_rest] = hyperbolic_rest_of_small(z);
  const T sine_low = r * z * sine_rest + r_low, cosine_low = z * cosine_rest;  // beside r and 1
  const T sum = up + down;
  const auto difference = exact_sum_ordered(up, -down);

  const auto start = exact_sum(difference.high, up * r);  // up * r is exact; the sum cancels in part for n = 1
  const T sine =
      start.high + (start.low + (down * r + (difference.high * cosine_low + sum * sine_low) + difference.low));
  const T cosine = up + (difference.high * r + (sum * cosine_low + difference.high * sine_low) + down);
  return {sine, cosine, whole - here};
}

/// value * 2^exponent for exponent >= 0, as twice a half: 2^exponent itself may overflow.
template <class T> DPEP_INLINE T times_large_power(T value, integer_of<T> exponent) {
  const T half = value * power_of_two<T>(exponent - 1);
  return half + half;
}

template <class T> DPEP_INLINE T sinh(T x) {
  if (has_fast_reciprocals()) return gpu::sinh(x);
  constexpr T limit = hyperbolic_constants<T>::infinite_above;
  const auto split = split_tiny(x, std::numeric_limits<T>::epsilon() / 4);
  const T positive = magnitude(split.rest);
  const auto parts = hyperbolic_in_parts(positive < limit ? positive : limit);
  const T result = times_large_power(parts.sine, parts.exponent);
  return split.result(flip_sign(or_infinite(positive, limit, result), split.rest));
}

template <class T> DPEP_INLINE T cosh(T x) {
  if (DPEP_DEVICE_FUSED) return gpu::cosh(x);
  constexpr T limit = hyperbolic_constants<T>::infinite_above;
  const T positive = flush_below(magnitude(x), std::numeric_limits<T>::epsilon() / 4);
  const auto parts = hyperbolic_in_parts(positive < limit ? positive : limit);
  return or_infinite(positive, limit, times_large_power(parts.cosine, parts.exponent));
}

}  // namespace dpep::device
