// exp, exp2 and exp10, branch-free for every input.
//
// x = n log(2) + r with |r| <= log(2)/2. A polynomial gives e^r, and exponent bits give 2^n, in two steps so that
// denormal results are rounded once. Inputs are clamped to where the result is 0 or infinite; NaN passes through every
// comparison. Polynomials: coefficients/polynomials.py.
//
// Where the processor has an instruction for 2^x, as GPUs have in single precision, it replaces the polynomial.
#pragma once

#include "device/math/reciprocal.hpp"

#ifdef DPEP_DEVICE_QUERIES
extern "C" {
// The JIT replaces these calls: the first by a constant, the others by instructions. __dpep_fast_exp2 gives 2^x with a
// relative error of at most 2^-22.5, and 0 for results below 2^-126. __dpep_fast_log2 gives log2(x) with an error of at
// most 2^-22, relative where the result is larger than 1; denormal numbers count as 0. __dpep_saturated_fma gives
// x y + z, limited to [0, 1], and 0 instead of NaN.
[[gnu::const]] bool __dpep_has_fast_exp2() noexcept;
[[gnu::const]] float __dpep_fast_exp2(float) noexcept;
[[gnu::const]] float __dpep_fast_log2(float) noexcept;
[[gnu::const]] float __dpep_saturated_fma(float x, float y, float z) noexcept;
}
#endif

namespace dpep::device {

/// (e^r - 1 - r) / r^2 for |r| <= 0.35.
DPEP_INLINE float expm1_rest(float r) {
  return horner(r, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558acp-5f, 0x1.12397ap-7f, 0x1.6a554ep-10f);
}
DPEP_INLINE double expm1_rest(double r) {
  constexpr double c[] = {0x1.000000000000ap-1, 0x1.5555555555505p-3,  0x1.5555555550769p-5,  0x1.11111111260c5p-7,
                          0x1.6c16c184476cp-10, 0x1.a01a012f9078ep-13, 0x1.a01999e642cfbp-16, 0x1.71df2p-19,
                          0x1.28ad8p-22,        0x1.ad804p-26};
  if (has_fast_reciprocals())  // a GPU: fewer operations
    return horner(r, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]);
  // Estrin's scheme in part: shorter dependency chains than Horner's, for loops with few independent vectors.
  const double low = horner(r, c[0], c[1], c[2], c[3]);
  const double middle = horner(r, c[4], c[5], c[6]), high = horner(r, c[7], c[8], c[9]);
  const double square = r * r;
  return low + square * square * (middle + square * r * high);
}
/// e^r - 1 for |r| <= 0.35.
template <class T> DPEP_INLINE T expm1_of_small(T r) { return r + r * r * expm1_rest(r); }
/// e^(r + low) - 1, where low is within a rounding error of r, on GPUs.
template <class T> DPEP_INLINE T expm1_of_small(T r, T low) { return r + fused(r * r, expm1_rest(r), low); }

template <class T> DPEP_INLINE T exp_of_small(T r) { return 1 + expm1_of_small(r); }

template <class T> struct exp_constants;
template <> struct exp_constants<float> {
  static constexpr float largest = 0x1.62e42ep6f, least = -104.5f;  // beyond: infinite, zero
  static constexpr float log2_e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;  // n * ln2_high is exact
  static constexpr float largest2 = 0x1.fffffep6f, least2 = -151.0f;
  static constexpr float ln2 = 0x1.62e43p-1f;
  static constexpr float largest10 = 0x1.344134p5f, least10 = -46.0f;
  static constexpr float log2_10 = 0x1.a934fp1f, ln10 = 0x1.26bb1cp1f;
  static constexpr float log10_2_high = 0x1.344p-2f, log10_2_low = 0x1.3509f8p-18f;
};
template <> struct exp_constants<double> {
  static constexpr double largest = 0x1.62e42fefa39efp9, least = -746.0;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double largest2 = 0x1.fffffffffffffp9, least2 = -1080.0;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  static constexpr double largest10 = 0x1.34413509f79fep8, least10 = -325.0;
  static constexpr double log2_10 = 0x1.a934f0979a371p1, ln10 = 0x1.26bb1bbb55516p1;
  static constexpr double log10_2_high = 0x1.34413509f78p-2, log10_2_low = 0x1.fef311f12b358p-46;
};

/// x limited to [least, largest]; NaN stays NaN.
template <class T> DPEP_INLINE T clamp(T x, T least, T largest) {
  const T above = x < least ? least : x;
  return above > largest ? largest : above;  // or NaN
}
/// x limited to the range outside which the result is 0 or infinite. On CPUs, 0 for tiny x, whose squares may be
/// denormal; there or_infinite() adds the infinite results.
template <class T> DPEP_INLINE T in_range(T x, T least, T largest) {
  if (has_fast_reciprocals()) return clamp(x, least, largest + 1);
  return is_tiny(x) ? T(0) : x < least ? least : x;
}
/// `result`, but infinity for x > largest and NaN for NaN.
template <class T> DPEP_INLINE T or_infinite(T x, T largest, T result) {
  return !(x <= largest) ? x + infinity<T> : result;  // NaN, too
}

/// e^r 2^n, where n is the integer in the low bits of `shifted`.
template <class T> DPEP_INLINE T exp_in_parts(T x, T largest, T shifted, T r) {
  if (!has_fast_reciprocals()) return or_infinite(x, largest, scale(exp_of_small(r), rounded(shifted)));
  // on a GPU, 2^n as two factors: only the second product is rounded, and may be denormal or infinite
  const auto n = std::int32_t(bits(shifted)), half = n >> 1;
  return exp_of_small(r) * short_power<T>(half) * short_power<T>(n - half);
}

#ifdef DPEP_DEVICE_QUERIES
template <class T> DPEP_INLINE bool has_fast_exp2() { return sizeof(T) == 4 && __dpep_has_fast_exp2(); }
DPEP_INLINE float fast_exp2(float x) { return __dpep_fast_exp2(x); }
DPEP_INLINE float fast_log2(float x) { return __dpep_fast_log2(x); }

/// b^x for log2(b) = high + low: 2^n 2^f, where n is an integer nearest to x log2(b), limited to the exponents of
/// normal numbers. Where n is limited, f is so large that the result is infinite, 0 or denormal, and is rounded once. f
/// may exceed 1/2 by 2^-16, as n is computed from a number in [0, 1]: an instruction limits those.
DPEP_INLINE float power_by_exp2(float x, float high, float low) {
  constexpr float most = 126, width = 2 * most;
  const float limited = __dpep_saturated_fma(x, high * (1 / width), 0.5f);
  const float shifted = __builtin_fmaf(limited, width, format<float>::round_magic - most);
  const float n = shifted - format<float>::round_magic;
  float f = __builtin_fmaf(x, high, -n);
  if (low != 0) f = __builtin_fmaf(x, low, f);
  return fast_exp2(f) * power_of_two<float>(rounded(shifted));
}
DPEP_INLINE double power_by_exp2(double x, double, double) { return x; }
#else
template <class T> DPEP_INLINE bool has_fast_exp2() { return false; }
DPEP_INLINE float fast_exp2(float x) { return x; }
DPEP_INLINE float fast_log2(float x) { return x; }
template <class T> DPEP_INLINE T power_by_exp2(T x, T, T) { return x; }
#endif

template <class T> DPEP_INLINE T exp(T x) {
  if (has_fast_exp2<T>()) return power_by_exp2(x, T(0x1.715476p0), T(0x1.4ae0cp-26));
  using c = exp_constants<T>;
  const T y = in_range(x, c::least, c::largest);
  const T shifted = y * c::log2_e + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T r = (y - n * c::ln2_high) - n * c::ln2_low;
  return exp_in_parts(x, c::largest, shifted, r);
}

template <class T> DPEP_INLINE T exp2(T x) {
  if (has_fast_exp2<T>()) return power_by_exp2(x, T(1), T(0));
  using c = exp_constants<T>;
  const T y = in_range(x, c::least2, c::largest2);
  const T shifted = y + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  return exp_in_parts(x, c::largest2, shifted, (y - n) * c::ln2);
}

template <class T> DPEP_INLINE T exp10(T x) {
  if (has_fast_exp2<T>()) return power_by_exp2(x, T(0x1.a934fp1), T(0x1.2f346ep-24));
  using c = exp_constants<T>;
  const T y = in_range(x, c::least10, c::largest10);
  const T shifted = y * c::log2_10 + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T r = (y - n * c::log10_2_high) - n * c::log10_2_low;
  return exp_in_parts(x, c::largest10, shifted, r * c::ln10);
}

}  // namespace dpep::device
