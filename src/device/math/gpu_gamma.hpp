// lgamma, and tgamma of floats, for GPUs.
//
// lgamma(x) = (x - 1) (x - 2) R(x) from 1 to 3, where R is nearly a polynomial in t = (x - 3/2) / (x + 3/2), which is
// accurate near its zeros; for smaller x, lgamma(1 + x) - log(x); for larger x, Stirling's series. Gamma(x) = 2^((x -
// 1/2) log2(x / e)) A(1 / x), the logarithm in two parts, since x multiplies its error. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/gpu_pow.hpp"

namespace dpep::device::gpu {

/// lgamma(x) / ((x - 1) (x - 2)) for t = (x - 3/2) / (x + 3/2), 1 <= x <= 3.
DPEP_INLINE float lgamma_ratio(float t) {
  return horner(t, 0x1.eeb95cp-2f, -0x1.c0638ap-2f, 0x1.06cc34p-3f, -0x1.34cfc2p-3f, 0x1.5e0472p-4f, -0x1.829ebap-4f,
                0x1.06d662p-4f, -0x1.9cb77p-5f);
}
DPEP_INLINE double lgamma_ratio(double t) {
  return horner(t, 0x1.eeb95b094c191p-2, -0x1.c0638869c10cfp-2, 0x1.06ce2b0811cdap-3, -0x1.34d888b7a1ec9p-3,
                0x1.5d697320b27e5p-4, -0x1.7dca5129c3be3p-4, 0x1.0570a2a77b282p-4, -0x1.154740abb41d7p-4,
                0x1.a11a0be5d4c08p-5, -0x1.b3c541d00e6eap-5, 0x1.5abee6df80bcep-5, -0x1.670c472aa20f9p-5, 0x1.288b4p-5,
                -0x1.30b39p-5, 0x1.03803p-5, -0x1.12c04p-5, 0x1.e95dbp-6, -0x1.894dp-6, 0x1.98ac7p-8);
}
/// x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) for z = 1 / x^2, x >= 3.
DPEP_INLINE float stirling_rest(float z) { return horner(z, 0x1.555528p-4f, -0x1.6b0faap-9f, 0x1.641f94p-11f); }
DPEP_INLINE double stirling_rest(double z) {
  return horner(z, 0x1.5555555553e91p-4, -0x1.6c16c135dac79p-9, 0x1.a019a2851de0fp-11, -0x1.37fe02f29a27dp-11,
                0x1.b66f3567702abp-11, -0x1.d6d6ap-10, 0x1.2d2d7p-8, -0x1.495ffp-7, 0x1.883f3p-7);
}

using device::log_beyond_first_order;  // of floats
/// log(1 + f) - f.
DPEP_INLINE double log_beyond_first_order(double f) {
  const double s = f * by_reciprocal::reciprocal(2 + f), half_square = 0.5 * f * f;
  return fused(s, half_square + log_rest(s * s), -half_square);
}

/// (x - 1/2) (log(x) - 1) + log(2 pi) / 2 - 1/2 + rest / x for x >= 3 and log(x) = e log(2) + f + rest_of_log.
template <class T> DPEP_INLINE T stirling(T x, T e, T f, T rest_of_log) {
  using c = exp_constants<T>;
  constexpr T half_log_2_pi_less_half = T(0x1.acfe390c97d69p-2);
  const T v = x - T(0.5);
  const T inverse = sizeof(T) == 4 ? fast_reciprocal(x) : by_reciprocal::reciprocal(x);
  const T series = inverse * stirling_rest(inverse * inverse);
  const T start = fused(e, c::ln2_high, T(-1));  // exact
  const T high = start + f, low = fused(e, c::ln2_low, (start - high) + f + rest_of_log);
  if constexpr (sizeof(T) == 4) return fused(v, high + low, half_log_2_pi_less_half + series);
  const T product = v * high, product_low = fused(v, low, fused(v, high, -product));
  return product + ((product_low + series) + half_log_2_pi_less_half);
}

/// log(x) = e log(2) + f + rest for normal x > 0.
template <class T> struct logarithm {
  T e, f, rest;
  [[gnu::always_inline]] explicit logarithm(T x) : logarithm(split_ordinary(x)) {}
  [[gnu::always_inline]] explicit logarithm(split_number<T> x)
      : e(x.exponent), f(x.fraction), rest(log_beyond_first_order(x.fraction)) {}
  [[gnu::always_inline]] T sum() const {
    using c = exp_constants<T>;
    return fused(e, c::ln2_high, f + fused(e, c::ln2_low, rest));
  }
};

/// lgamma(x), or for x < 1 lgamma(1 + x).
template <class T> DPEP_INLINE T lgamma_from_1(T x, const logarithm<T> &log_x) {
  if (!(x < 3)) return stirling(x, log_x.e, log_x.f, log_x.rest);
  const T w = x < 1 ? x : x - 1;
  const T inverse = sizeof(T) == 4 ? fast_reciprocal(w + T(2.5)) : by_reciprocal::reciprocal(w + T(2.5));
  return w * (w - 1) * lgamma_ratio((w - T(0.5)) * inverse);
}
/// lgamma(x) for normal positive x < limits_of<T>::largest_for_log.
template <class T> DPEP_INLINE T lgamma_of_positive(T x) {
  const logarithm<T> log_x(x);
  return lgamma_from_1(x, log_x) + (x < 1 ? -log_x.sum() : T(0));  // + 0 turns -0 into 0
}

/// sin(pi y) without its sign: 0 for integers.
DPEP_INLINE double sine_of_pi_times(double y) {
  const double r = y - round_to_even(y), z = r * r;
  return magnitude(r * horner(z, 0x1.921fb54442d18p1, -0x1.4abbce625be3bp2, 0x1.466bc6775a52bp1, -0x1.32d2cce619cfcp-1,
                              0x1.507834835ee39p-4, -0x1.e3074dbc02e55p-8, 0x1.e8f36p-12, -0x1.6f797p-16,
                              0x1.9d1a2p-21));
}
/// lgamma(-y) = -log(y sin(pi y) / pi) - lgamma(y), in double precision for floats, too, so that they are correct also
/// near the zeros between negative integers. For normal y > 0 such that sin(pi y) / pi is normal, too.
DPEP_INLINE double lgamma_of_negative(double y) {
  constexpr double inverse_pi = 0x1.45f306dc9c883p-2;
  const double sine = sine_of_pi_times(y), value = lgamma_from_1(y, logarithm<double>(y));
  const logarithm<double> log_factor(sine * inverse_pi * (y < 1 ? 1.0 : y));
  return sine == 0 ? infinity<double> : -value - log_factor.sum();
}

/// 2 Gamma(x) / (x / e)^(x - 1/2), for u = 1 / x and for s = 1/3 - 1 / (x + 1/2).
DPEP_INLINE float gamma_by_power(float u) {
  return horner(u, 0x1.853574p1f, 0x1.037968p-2f, 0x1.594f92p-7f, -0x1.07588ep-7f, -0x1.295272p-10f, 0x1.d48e68p-9f,
                -0x1.08ec3p-9f, 0x1.c85654p-12f);
}
DPEP_INLINE double gamma_by_power(double s) {
  return horner(s, 0x1.92551e7502227p1, -0x1.7c77b2336cb0cp-2, 0x1.ce8dde399b4f9p-3, -0x1.e4e2e91ad331ep-4,
                0x1.dfbe846ff2f96p-5, -0x1.0cfe3b86025bdp-5, 0x1.3c47525a53f78p-6, -0x1.3fc83589bfc6dp-7,
                0x1.791017f9ae0c7p-8, -0x1.f17b8e675c349p-9, 0x1.6f1a47566fab7p-10, -0x1.4ec577d3c876cp-10,
                0x1.d6841p-11, 0x1.447dp-12, 0x1.13b65p-10, 0x1.e6083p-14, -0x1.33841p-10, -0x1.9053ap-10);
}

/// sin(pi y) without its sign: 0 for integers.
DPEP_INLINE float sine_of_pi_times(float y) {
  const float r = y - ((y + format<float>::round_magic) - format<float>::round_magic), z = r * r;
  const float rest =
      horner(z, -0x1.777a5cp-24f, -0x1.4abbcep2f, 0x1.466ba8p1f, -0x1.32ccaap-1f, 0x1.4f6aacp-4f, -0x1.bb759ap-8f);
  return magnitude(fused(r, 0x1.921fb6p1f, r * rest));
}

/// tgamma(x) for normal x, -42.5 < x < 35.125. Gamma(y) = Gamma(1 + y) / y below 1, Gamma(-y) = -pi / (y sin(pi y)
/// Gamma(y)).
DPEP_INLINE float ordinary_tgamma(float x) {
  const float y = magnitude(x);
  const bool below = y < 1;
  const float z = below ? y + 1 : y, v = z - 0.5f, inverse = fast_reciprocal(z);
  const auto [high, low] = log2_minus(z, 0x1.7158p0f, -0x1.c4d6a4p-15f);  // log2(e)
  const float product = v * high, product_low = fused(v, low, fused(v, high, -product));
  const float shifted = product + format<float>::round_magic;
  const float r = (product - (shifted - format<float>::round_magic)) + product_low;
  const auto n = std::int32_t(bits(shifted)) - 1;  // of half the power, which is normal; A is doubled instead
  const float factor = gamma_by_power(inverse);
  const float gamma = fused(factor, expm1_of_small(r * exp_constants<float>::ln2), factor);
  if (bits(x) >= 0) return (below ? by_reciprocal::quotient(gamma, y) : gamma) * short_power<float>(n);
  const float sine = sine_of_pi_times(y);
  constexpr float pi = 0x1.921fb6p1f, pi_excess = 0x1.de6p-26f;  // pi's relative error
  const auto divisor = exact_product(below ? 1.0f : y, sine), whole = exact_product(divisor.high, gamma);
  const float quotient =
      by_reciprocal::quotient(pi, whole.high, fused(divisor.low, gamma, whole.low) + whole.high * pi_excess);
  const std::int32_t half = n >> 1;
  const float result = quotient * short_power<float>(-half) * short_power<float>(half - n);
  const bool is_odd = std::int32_t(y) & 1;
  return sine == 0 ? nan<float> : is_odd ? result : -result;
}

}  // namespace dpep::device::gpu
