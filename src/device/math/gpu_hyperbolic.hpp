// expm1, log1p, sinh, cosh, tanh and the inverse hyperbolic functions for GPUs, for floats and doubles; cosh and tanh
// for CPUs with fused multiply-adds, too.
//
// The formulas avoid cancellation, so that they need no numbers in two parts, and have at most one quotient. Rare
// inputs are left to functions that are not inlined. At most 2 ulp in tests.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/log.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::device::gpu {

/// Limits of arguments. expm1_least, expm1_largest, sinh_largest, tanh_largest: beyond them, the result is constant or
/// infinite. largest_for_log: the upper limit of ordinary_log1p. square_dominates: from here on, x^2 + 1 rounds to x^2.
/// tiny: below it, f(x) rounds to x.
template <class T> struct limits_of;
template <> struct limits_of<float> {
  static constexpr std::int32_t upper_of_sqrt_half = 0x3f3504f3;
  static constexpr float expm1_least = -18, expm1_largest = 89, sinh_largest = 89.6f, tanh_largest = 10;
  static constexpr float largest_for_log = 0x1p100f, square_dominates = 0x1p13f, tiny = 0x1p-30f;
};
template <> struct limits_of<double> {
  static constexpr std::int32_t upper_of_sqrt_half = 0x3fe6a09e;
  static constexpr double expm1_least = -40, expm1_largest = 710, sinh_largest = 710.6, tanh_largest = 20;
  static constexpr double largest_for_log = 0x1p1000, square_dominates = 0x1p28, tiny = 0x1p-60;
};

/// `x` with the sign of `sign`, also where both are 0.
template <class T> DPEP_INLINE T with_sign_of(T x, T sign) { return number(bits(magnitude(x)) | bits(sign_of(sign))); }

/// x = n log(2) + r + low, where n is in the low bits of `shifted` and low is the rounding error of r.
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
  return fused(in_two_parts ? expm1_of_small(r, low) : expm1_of_small(r), power, power - T(1.0 / (1 << down)));
}
template <class T> DPEP_INLINE T expm1(T x) {
  using limits = limits_of<T>;
  const T half = scaled_expm1<1, sizeof(T) == 8>(clamp(x, limits::expm1_least, limits::expm1_largest));
  return magnitude(x) < limits::tiny ? x : half + half;
}

/// log(1 + x) for -1 < x < largest_for_log. 1 + x = 2^e (1 + f), and f is rounded once, since 2^-e - 1 is exact where
/// it matters.
template <class T> DPEP_INLINE T ordinary_log1p(T x) {
  const auto above = std::uint32_t(upper_bits(1 + x)) - std::uint32_t(limits_of<T>::upper_of_sqrt_half);
  const std::int32_t e = std::int32_t(above) >> format<T>::upper_shift;  // unspecified for other x
  const T power = short_power<T>(-e);
  return log_of_parts(of_exponent<T>(e), fused(x, power, power - 1));
}

/// Not inlined, since few inputs take this path.
template <class T> [[gnu::noinline, gnu::const]] static inline T rare_log1p(T x) noexcept {
  return x < -1 ? nan<T> : log_of_sum(x > -1 ? x : 1 + x, T(0));
}
template <class T> [[gnu::noinline, gnu::const]] static inline T log_of_twice(T x) noexcept {
  return log_of_sum(x, T(0), T(1));
}

template <class T> DPEP_INLINE T log1p(T x) {
  if (!both(x > -1, x < limits_of<T>::largest_for_log)) [[unlikely]]
    return rare_log1p(x);
  return with_sign_of(ordinary_log1p(x), x);
}

/// asinh(x) = log(1 + (x + (sqrt(1 + x^2) - 1))).
template <class T> DPEP_INLINE T asinh_of_positive(T x) {
  if (!(x < limits_of<T>::square_dominates)) [[unlikely]]
    return log_of_twice(x);
  const T square = x * x, root = by_reciprocal::square_root(1 + square);
  return ordinary_log1p(x + by_reciprocal::quotient(square, 1 + root));
}
template <class T> DPEP_INLINE T asinh(T x) { return flip_sign(asinh_of_positive(magnitude(x)), x); }

/// acosh(x) = log(1 + (w + sqrt(w (w + 2)))) for w = x - 1.
template <class T> DPEP_INLINE T acosh(T x) {
  if (!(x < limits_of<T>::square_dominates)) [[unlikely]]
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

/// An argument with f(x) = x for |x| < least. CPUs compute f of 0 instead, because they are slow at arithmetic on
/// denormals.
template <class T> DPEP_INLINE without_tiny<T> split_if_slow(T x, T least) {
  return has_fast_reciprocals() ? without_tiny<T>{x, T(0)} : split_tiny(x, least);
}

/// sinh(x) = (E + E / (E + 1)) / 2 for E = e^x - 1.
template <class T> DPEP_INLINE T sinh(T x) {
  using limits = limits_of<T>;
  const T positive = magnitude(x);
  const T quarter = scaled_expm1<2, sizeof(T) == 8>(positive > limits::sinh_largest ? limits::sinh_largest : positive);
  const T ordinary = quarter < limits::largest_for_log ? quarter : limits::largest_for_log;
  const T power = fused(T(4), ordinary, T(1)), power_low = fused(T(4), ordinary, 1 - power);
  const T half = quarter + by_reciprocal::quotient(ordinary, power, power_low);
  return flip_sign(positive < limits::tiny ? positive : half + half, x);
}
/// cosh(x) = (e^x + e^-x) / 2.
template <class T> DPEP_INLINE T cosh(T x) {
  using limits = limits_of<T>;
  const T positive = split_if_slow(magnitude(x), limits::tiny).rest;
  const auto [shifted, r, low] = split_for_exp(positive > limits::sinh_largest ? limits::sinh_largest : positive);
  const T quarter = exp_of_small(r) * short_power<T>(std::int32_t(bits(shifted)) - 2);
  // CPUs are slow at denormal reciprocals of large numbers
  const bool large = !has_fast_reciprocals() && quarter > limits::largest_for_log;
  const T half = fused(ordinary_reciprocal(large ? limits::largest_for_log : quarter), T(0.0625), quarter);
  return half + half;
}
/// tanh(x) = E / (E + 2) for E = e^(2 x) - 1.
template <class T> DPEP_INLINE T tanh(T x) {
  using limits = limits_of<T>;
  const auto split = split_if_slow(x, limits::tiny);
  const T positive = magnitude(split.rest);
  const T e = scaled_expm1<0, sizeof(T) == 8>(2 * (positive > limits::tanh_largest ? limits::tanh_largest : positive));
  const auto [sum, low] = exact_sum_ordered(T(2), e);  // exact, or low is 0 where 2 is negligible
  return split.result(flip_sign(ordinary_quotient(e, sum, low), split.rest));
}

}  // namespace dpep::device::gpu
