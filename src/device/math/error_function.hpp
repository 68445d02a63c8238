// erf and erfc, branch-free.
//
// Below 1/2, erf(x) is x times a polynomial in x^2. From 1/2 on, erfc(x) = exp(-x^2) q(x), where (1 + 2 x) q(x) is
// between 1 and 1.3 and nearly a polynomial in t = (x - 4) / (x + 4) (Shepherd and Laframboise, Mathematics of
// Computation 36, 1981). Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/gpu_error_function.hpp"

namespace dpep::device {

template <class T> struct error_constants;
template <> struct error_constants<float> {
  static constexpr float erf_is_1 = 4.0f, erfc_is_0 = 10.1f;  // from here on
  static constexpr float tiny = 0x1p-100f;
};
template <> struct error_constants<double> {
  static constexpr double erf_is_1 = 6.0, erfc_is_0 = 27.3;
  static constexpr double tiny = 0x1p-960;
};

/// erf(x) / x - 1 for z = x^2 <= 1/4.
DPEP_INLINE float erf_rest(float z) {
  return horner(z, 0x1.06eba8p-3f, -0x1.812734p-2f, 0x1.ce255p-4f, -0x1.b66a96p-6f, 0x1.35611p-8f);
}
DPEP_INLINE double erf_rest(double z) {
  return horner(z, 0x1.06eba8214db69p-3, -0x1.812746b037a7p-2, 0x1.ce2f21a050d5cp-4, -0x1.b82ce31b81a7fp-6,
                0x1.565bcfeca221p-8, -0x1.c02ebbe1641e3p-11, 0x1.f9dadbc819e7ap-14, -0x1.fbaaf38aa135cp-17,
                0x1.16ceea70d7363p-19, -0x1.203d442df1378p-21);
}

/// (1 + 2 x) exp(x^2) erfc(x) - 1 for t = (x - 4) / (x + 4).
DPEP_INLINE float erfcx_rest(float t) {
  const float z = t * t;  // even and odd powers: two dependency chains, each half as long
  return horner(z, 0x1.dd2c8cp-3f, 0x1.f7f50ap-7f, -0x1.9ddc72p-4f, -0x1.0f8328p-4f, -0x1.0eaa4ep-6f) +
         t * horner(z, -0x1.1df1acp-3f, 0x1.16eb5ap-4f, 0x1.800c4ep-4f, 0x1.2f120cp-5f, 0x1.5bf1b8p-8f);
}
DPEP_INLINE double erfcx_rest(double t) {
  const double z = t * t;
  return horner(z, 0x1.dd2c8b74febf6p-3, 0x1.f7f5df66fdd99p-7, -0x1.9ddb23c3eb3a5p-4, -0x1.0fb06dfe2294ep-4,
                -0x1.0962388a0aa19p-6, -0x1.8d4a97abecb63p-11, 0x1.3be03ed71d064p-13, -0x1.788cf0db87de1p-17,
                0x1.3d7bfbe120753p-22, 0x1.2d68183fdedd7p-24, -0x1.c991140a00bdcp-27) +
         t * horner(z, -0x1.1df1ad154a28ep-3, 0x1.16ecefcfa5362p-4, 0x1.7fee004e12a23p-4, 0x1.3079edf67c084p-5,
                    0x1.49c6728810441p-8, -0x1.a1df27ff9c3c9p-13, -0x1.99589afc8e5cap-16, 0x1.7f1b87d489bfbp-18,
                    -0x1.b9db9b22753f7p-21, 0x1.c8864044dcad5p-24, -0x1.71e43a1ba2b5fp-27);
}

/// exp(x^2) erfc(x) in two parts, for 1/2 <= x <= erfc_is_0.
template <class T> DPEP_INLINE pair<T> scaled_complement(T x) {
  const auto denominator = exact_sum(T(1), 2 * x);
  const T reciprocal = ordinary_reciprocal(denominator.high);
  const auto numerator = exact_sum_ordered(T(1), erfcx_rest(ordinary_quotient(x - 4, x + 4)));
  const T quotient = numerator.high * reciprocal;
  const T error = residual(numerator.high, quotient, denominator.high) + (numerator.low - quotient * denominator.low);
  return {quotient, error * reciprocal};
}

/// exp(-x^2) = 2^exponent (1 + fraction) (1 + rest), rest within a rounding error, for 1/2 <= x <= erfc_is_0.
template <class T> struct split_gaussian {
  integer_of<T> exponent;
  T fraction, rest;
};
template <class T> DPEP_INLINE split_gaussian<T> gaussian(T x) {
  using c = exp_constants<T>;
  const auto square = exact_product(x, x);
  const T shifted = format<T>::round_magic - square.high * c::log2_e;
  const T n = shifted - format<T>::round_magic;
  const T start = -square.high - n * c::ln2_high;  // exact
  const T tail = n * c::ln2_low + square.low;
  const T r = start - tail;
  return {rounded(shifted), expm1_of_small(r), (start - r) - tail};
}

template <class T> DPEP_INLINE T erfc(T x) {
  if (has_fast_reciprocals()) return gpu::erfc(x);
  constexpr T largest = error_constants<T>::erfc_is_0;
  const T positive = magnitude(x);
  const bool is_small = positive < T(0.5);
  const T small = flush_below(is_small ? x : T(0), T(0x1p-60));
  const T below_half = 1 - (small + small * erf_rest(small * small));

  const T y = is_small ? T(0.5) : positive < largest ? positive : largest;
  const auto [exponent, fraction, rest] = gaussian(y);
  const auto [q, q_low] = scaled_complement(y);
  const T low = q_low + q * rest;
  const T complement = scale(q + (q * fraction + (low + low * fraction)), exponent);
  const T above_half = bits(x) < 0 ? 2 - flush_below(complement, T(0x1p-60)) : complement;
  const T result = is_small ? below_half : above_half;
  return x == x ? result : x;
}

template <class T> DPEP_INLINE T erf(T x) {
  if (has_fast_reciprocals()) return gpu::erf(x);
  using c = error_constants<T>;
  const T positive = magnitude(x);
  // below 1/2; results may be denormal, and must then be rounded once
  const bool tiny = positive < c::tiny;
  const T small = tiny ? lift(positive) : positive < T(0.5) ? positive : T(0.5);
  const T base = either(tiny, small < T(0x1p-60)) ? T(0) : small;
  const T of_small = small + small * erf_rest(base * base);
  const T below_half = tiny ? scale(of_small, integer_of<T>(1 - format<T>::exponent_bias)) : of_small;

  const T large = positive < T(0.5) ? T(0.5) : positive < c::erf_is_1 ? positive : c::erf_is_1;
  const auto [exponent, fraction, rest] = gaussian(large);
  const auto [q, q_low] = scaled_complement(large);
  const T above_half = 1 - (q + (q * fraction + q_low)) * power_of_two<T>(exponent);
  const T result = flip_sign(positive < T(0.5) ? below_half : above_half, x);
  return x == x ? result : x;
}

}  // namespace dpep::device
