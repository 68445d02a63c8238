// expm1, log1p, sinh, cosh, tanh, the inverse hyperbolic functions and erf for GPUs, for floats and doubles.
//
// Formulas in which nothing cancels, of numbers in one part; one quotient, if any; what is rare goes to a function.
// At most 2 ulp in tests.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/log.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::device::gpu {

template <class T> struct limits_of;
template <> struct limits_of<float> {
  static constexpr std::int32_t upper_of_sqrt_half = 0x3f3504f3;
  static constexpr float expm1_least = -18, expm1_largest = 89, sinh_largest = 89.6f, tanh_largest = 10;
  static constexpr float most_for_log = 0x1p100f, square_is_all = 0x1p13f, tiny = 0x1p-30f;
};
template <> struct limits_of<double> {
  static constexpr std::int32_t upper_of_sqrt_half = 0x3fe6a09e;
  static constexpr double expm1_least = -40, expm1_largest = 710, sinh_largest = 710.6, tanh_largest = 20;
  static constexpr double most_for_log = 0x1p1000, square_is_all = 0x1p28, tiny = 0x1p-60;
};

/// An exponent as a number; without a conversion, where that is slow.
template <class T> DPEP_INLINE T of_exponent(std::int32_t n) {
  if constexpr (sizeof(T) == 4)
    return float(n);
  else
    return number(std::int64_t(std::uint64_t{0x43300000} << 32 | std::uint32_t(n + 2048))) - (0x1p52 + 2048);
}

/// `x` with the sign of `sign`, also where both are 0.
template <class T> DPEP_INLINE T with_sign_of(T x, T sign) { return number(bits(magnitude(x)) | bits(sign_of(sign))); }

/// x = n log(2) + r + low, n in the low bits of `shifted`, low what r was rounded by.
template <class T> struct split_exponential {
  T shifted, r, low;
};
template <class T> DPEP_INLINE split_exponential<T> split_for_exp(T x) {
  using c = exp_constants<T>;
  const T shifted = fused(x, c::log2_e, format<T>::round_magic);
  const T n = shifted - format<T>::round_magic;
  const T start = fused(-n, c::ln2_high, x), r = fused(-n, c::ln2_low, start);
  return {shifted, r, fused(-n, c::ln2_low, start - r)};
}

/// (e^x - 1) 2^-down, where 2^n 2^-down is a normal number.
template <int down, bool in_two_parts = false, class T> DPEP_INLINE T scaled_expm1(T x) {
  const auto [shifted, r, low] = split_for_exp(x);
  const T power = short_power<T>(std::int32_t(bits(shifted)) - down);
  return fused(expm1_of_small(r, in_two_parts ? low : T(0)), power, power - T(1.0 / (1 << down)));
}
template <class T> DPEP_INLINE T expm1(T x) {
  using limits = limits_of<T>;
  const T half = scaled_expm1<1, sizeof(T) == 8>(clamp(x, limits::expm1_least, limits::expm1_largest));
  return magnitude(x) < limits::tiny ? x : half + half;
}

/// log(1 + x) for -1 < x < most_for_log. 1 + x = 2^e (1 + f), and f is rounded once, since 2^-e - 1 is exact where it
/// matters.
template <class T> DPEP_INLINE T ordinary_log1p(T x) {
  const auto above = std::uint32_t(upper_bits(1 + x)) - std::uint32_t(limits_of<T>::upper_of_sqrt_half);
  const std::int32_t e = std::int32_t(above) >> format<T>::upper_shift;  // for other x, something
  const T power = short_power<T>(-e);
  return log_of_parts(of_exponent<T>(e), fused(x, power, power - 1));
}

/// The compiler leaves these functions, since few come here.
template <class T> [[gnu::noinline, gnu::const]] static inline T log1p_of_rest(T x) noexcept {
  return x < -1 ? nan<T> : log_of_sum(x > -1 ? x : 1 + x, T(0));
}
template <class T> [[gnu::noinline, gnu::const]] static inline T log_of_twice(T x) noexcept {
  return log_of_sum(x, T(0), T(1));
}

template <class T> DPEP_INLINE T log1p(T x) {
  if (!both(x > -1, x < limits_of<T>::most_for_log)) [[unlikely]]
    return log1p_of_rest(x);
  return with_sign_of(ordinary_log1p(x), x);
}

/// asinh(x) = log(1 + (x + (sqrt(1 + x^2) - 1))).
template <class T> DPEP_INLINE T asinh_of_positive(T x) {
  if (!(x < limits_of<T>::square_is_all)) [[unlikely]]
    return log_of_twice(x);
  const T square = x * x, root = by_reciprocal::square_root(1 + square);
  return ordinary_log1p(x + by_reciprocal::quotient(square, 1 + root));
}
template <class T> DPEP_INLINE T asinh(T x) { return flip_sign(asinh_of_positive(magnitude(x)), x); }

/// acosh(x) = log(1 + (w + sqrt(w (w + 2)))) for w = x - 1.
template <class T> DPEP_INLINE T acosh(T x) {
  if (!(x < limits_of<T>::square_is_all)) [[unlikely]]
    return log_of_twice(x);
  const T above = x - 1;
  const T result = ordinary_log1p(above + by_reciprocal::square_root(fused(above, above, 2 * above)));
  return x < 1 ? nan<T> : result;
}

/// atanh(x) = log(1 + 2 x / (1 - x)) / 2.
template <class T> DPEP_INLINE T atanh(T x) {
  const T positive = magnitude(x);
  const auto [below, low] = exact_sum_ordered(T(1), -positive);
  const T inner = ordinary_log1p(by_reciprocal::quotient(2 * positive, below, low));
  const T outer = positive == 1 ? infinity<T> : nan<T>;
  return flip_sign(positive < 1 ? T(0.5) * inner : outer, x);
}

/// sinh(x) = (E + E / (E + 1)) / 2 for E = e^x - 1.
template <class T> DPEP_INLINE T sinh(T x) {
  using limits = limits_of<T>;
  const T positive = magnitude(x);
  const T quarter = scaled_expm1<2, sizeof(T) == 8>(positive > limits::sinh_largest ? limits::sinh_largest : positive);
  const T ordinary = quarter < limits::most_for_log ? quarter : limits::most_for_log;
  const T power = fused(T(4), ordinary, T(1)), power_low = fused(T(4), ordinary, 1 - power);
  const T half = quarter + by_reciprocal::quotient(ordinary, power, power_low);
  return flip_sign(positive < limits::tiny ? positive : half + half, x);
}
/// cosh(x) = (e^x + e^-x) / 2.
template <class T> DPEP_INLINE T cosh(T x) {
  using limits = limits_of<T>;
  const T positive = magnitude(x);
  const auto [shifted, r, low] = split_for_exp(positive > limits::sinh_largest ? limits::sinh_largest : positive);
  const T quarter = exp_of_small(r) * short_power<T>(std::int32_t(bits(shifted)) - 2);
  const T half = fused(by_reciprocal::reciprocal(quarter), T(0.0625), quarter);
  return half + half;
}
/// tanh(x) = E / (E + 2) for E = e^(2 x) - 1.
template <class T> DPEP_INLINE T tanh(T x) {
  using limits = limits_of<T>;
  const T positive = magnitude(x);
  const T e = scaled_expm1<0>(2 * (positive > limits::tanh_largest ? limits::tanh_largest : positive));
  const auto [sum, low] = exact_sum_ordered(T(2), e);  // or low is 0
  return flip_sign(by_reciprocal::quotient(e, sum, low), x);
}

/// -log(erfc(x)) for 0 <= x <= 4, as exact as erf needs it.
DPEP_INLINE float erf_decay(float x) {
  return fused(x, 0x1.20dd76p0f,
               x * horner(x, -0x1.f7ac92p-25f, 0x1.45f2fep-1f, 0x1.a4f958p-4f, -0x1.39c028p-6f, -0x1.5bf00ap-13f,
                          0x1.b6584cp-10f, -0x1.4d2ac6p-11f, 0x1.f05812p-14f, -0x1.391304p-17f));
}
/// The same for 0 <= x <= 6.
DPEP_INLINE double erf_decay(double x) {
  return fused(x, 0x1.20dd750429b6dp0,
               x * horner(x, 0x1.1ae3a914fed8p-56, 0x1.45f306dc9c89p-1, 0x1.a4f4e2a1b2943p-4, -0x1.39668594003bdp-6,
                          -0x1.b6b68b1ab8443p-13, 0x1.bca67b20770d9p-10, -0x1.3565494d25aa2p-11, 0x1.b2292b7cf5a45p-16,
                          0x1.0e813196595d8p-14, -0x1.f2bbad61e52d7p-16, 0x1.c9db3973d0c97p-19, 0x1.7be730a74513dp-19,
                          -0x1.d2591a2e1101cp-20, 0x1.65c99b2d2f3ebp-22, 0x1.2a9f5452746cp-23, -0x1.325dca74a0475p-23,
                          0x1.1bd25730ba463p-24, -0x1.69fee75f6710fp-26, 0x1.5945d3e74804p-28, -0x1.f6205f58af62dp-31,
                          0x1.143147f27f252p-33, -0x1.be996fec38eefp-37, 0x1.f570e0d57593bp-41, -0x1.5d6ae4fedd767p-45,
                          0x1.c735b106ec2b7p-51));
}
template <class T> DPEP_INLINE T erf(T x) {
  constexpr T erf_is_1 = sizeof(T) == 4 ? 4 : 6;  // from here on
  const T positive = magnitude(x);
  return with_sign_of(scaled_expm1<0>(-erf_decay(positive > erf_is_1 ? erf_is_1 : positive)), x);
}

}  // namespace dpep::device::gpu
