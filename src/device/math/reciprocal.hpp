// Quotients and square roots from instructions that approximate reciprocals, as GPUs have them.
//
// On GPUs, an exact division takes more than twenty instructions and a function call for rare cases. These functions
// take four to seven instructions, without a branch, and are as accurate but for about 2^-50 of a rounding error. They
// have no path for rare cases: denominators and radicands must be neither denormal nor close to infinity.
#pragma once

#include <limits>

#include "device/math/number.hpp"

#ifdef DPEP_DEVICE_QUERIES
extern "C" {
/// Replaced by a constant by the JIT: whether the target has these instructions, computes with denormal numbers at full
/// speed, and has no vectors, as GPUs.
[[gnu::const]] bool __dpep_has_fast_reciprocals() noexcept;
// 1 / x and 1 / sqrt(x), for doubles to about 2^-19, for floats to about 2^-22.5; denormal arguments and results are 0.
[[gnu::const]] double __dpep_fast_reciprocal(double) noexcept;
[[gnu::const]] float __dpep_fast_reciprocalf(float) noexcept;
[[gnu::const]] double __dpep_fast_reciprocal_root(double) noexcept;
[[gnu::const]] float __dpep_fast_reciprocal_rootf(float) noexcept;
}
#endif

namespace dpep::device {

#ifdef DPEP_DEVICE_QUERIES
DPEP_INLINE bool has_fast_reciprocals() { return __dpep_has_fast_reciprocals(); }
DPEP_INLINE double fast_reciprocal(double x) { return __dpep_fast_reciprocal(x); }
DPEP_INLINE float fast_reciprocal(float x) { return __dpep_fast_reciprocalf(x); }
DPEP_INLINE double fast_reciprocal_root(double x) { return __dpep_fast_reciprocal_root(x); }
DPEP_INLINE float fast_reciprocal_root(float x) { return __dpep_fast_reciprocal_rootf(x); }
#else
DPEP_INLINE bool has_fast_reciprocals() { return false; }
template <class T> DPEP_INLINE T fast_reciprocal(T x) { return 1 / x; }
template <class T> DPEP_INLINE T fast_reciprocal_root(T x) { return 1 / square_root(x); }
#endif

DPEP_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DPEP_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// Functions for targets with has_fast_reciprocals() only.
namespace by_reciprocal {

/// 1 / x, rounded once or twice.
DPEP_INLINE double reciprocal(double x) {
  const double estimate = fast_reciprocal(x), error = fused(-x, estimate, 1.0);
  return fused(estimate, fused(error, error, error), estimate);
}
DPEP_INLINE float reciprocal(float x) {
  const float estimate = fast_reciprocal(x);
  return fused(estimate, fused(-x, estimate, 1.0f), estimate);
}

/// a / b.
DPEP_INLINE double quotient(double a, double b) {
  const double estimate = fast_reciprocal(b), refined = fused(estimate, fused(-b, estimate, 1.0), estimate);
  const double result = a * refined;
  return fused(refined, fused(-b, result, a), result);
}
DPEP_INLINE float quotient(float a, float b) {
  const float inverse = fast_reciprocal(b), result = a * inverse;
  return fused(inverse, fused(-b, result, a), result);
}
/// a / (b + b_low), where b_low is of the size of a rounding error of b.
DPEP_INLINE double quotient(double a, double b, double b_low) {
  const double estimate = fast_reciprocal(b), refined = fused(estimate, fused(-b, estimate, 1.0), estimate);
  const double result = a * refined;
  return fused(refined, fused(-result, b_low, fused(-b, result, a)), result);
}
DPEP_INLINE float quotient(float a, float b, float b_low) {
  const float inverse = fast_reciprocal(b), result = a * inverse;
  return fused(inverse, fused(-result, b_low, fused(-b, result, a)), result);
}

/// The square root of x, also of 0.
DPEP_INLINE double square_root(double x) {
  const double estimate = fast_reciprocal_root(x + 0x1p-500), half = 0.5 * estimate;
  const double root = x * estimate, error = fused(-root, half, 0.5);
  const double refined = fused(root, error, root);
  return fused(fused(-refined, refined, x), fused(half, error, half), refined);
}
DPEP_INLINE float square_root(float x) {
  const float estimate = fast_reciprocal_root(x + 0x1p-100f), root = x * estimate;
  return fused(fused(-root, root, x), 0.5f * estimate, root);
}

/// x / y for any floats, rounded once. Rounding the quotient in double precision to float has the same result:
/// quotients of floats are either midpoints of two floats, which doubles hold exactly, or differ from all midpoints by
/// at least 2^-49, relatively.
DPEP_INLINE float rounded_quotient(float x, float y) {
  const double a = x, b = y, estimate = fast_reciprocal(b), refined = reciprocal(b);
  const double inverse = refined == refined ? refined : estimate;  // for 0 and infinity
  const double result = a * inverse, error = fused(-b, result, a);
  return float(magnitude(error) > 0 ? fused(error, inverse, result) : result);  // else exact, infinite or NaN
}
/// The square root of any float, rounded once, for the same reason.
DPEP_INLINE float rounded_square_root(float x) {
  const bool infinite = x == std::numeric_limits<float>::infinity();
  return infinite ? x : float(square_root(double(x)));
}

}  // namespace by_reciprocal

/// a / b to within about an ulp, for b that is neither denormal nor close to infinity.
template <class T> DPEP_INLINE T ordinary_quotient(T a, T b) {
  return has_fast_reciprocals() ? by_reciprocal::quotient(a, b) : a / b;
}
template <class T> DPEP_INLINE T ordinary_reciprocal(T x) {
  return has_fast_reciprocals() ? by_reciprocal::reciprocal(x) : 1 / x;
}
/// a / (b + b_low), where b_low is of the size of a rounding error of b.
template <class T> DPEP_INLINE T ordinary_quotient(T a, T b, T b_low) {
  if (has_fast_reciprocals()) return by_reciprocal::quotient(a, b, b_low);
  const T inverse = 1 / b, result = a * inverse;
  return fused(fused(-result, b_low, fused(-b, result, a)), inverse, result);
}
/// 1 / (x + x_low), where x_low is of the size of a rounding error of x.
template <class T> DPEP_INLINE T ordinary_reciprocal(T x, T x_low) {
  if (has_fast_reciprocals()) return by_reciprocal::quotient(T(1), x, x_low);
  const T inverse = 1 / x;
  return fused(fused(-inverse, x_low, fused(-x, inverse, T(1))), inverse, inverse);
}
/// The square root of x, NaN for negative numbers.
template <class T> DPEP_INLINE T ordinary_square_root(T x) {
  return has_fast_reciprocals() ? by_reciprocal::square_root(x) : square_root(x);
}

/// A polynomial: on GPUs by the fewest instructions, on CPUs by two chains of operations that run at the same time.
template <class T, class... Rest> DPEP_INLINE T long_polynomial(T x, Rest... coefficients) {
  return has_fast_reciprocals() ? horner(x, coefficients...) : even_and_odd(x, coefficients...);
}

/// The magnitude of an argument of an odd function, and its sign.
///
/// CPUs are slow at arithmetic on denormals. So there, |x| < 2^-511 (floats: 2^-63) has the magnitude 0 and itself as
/// the sign, which is the result for functions with f(x) = x near 0. One instruction tests two bits for that.
template <class T> struct split_sign {
  T magnitude, sign;
  T whole;  // |x|, also where it is tiny
  [[gnu::always_inline]] explicit split_sign(T x) : whole(device::magnitude(x)) {
    const bool tiny = !has_fast_reciprocals() && is_tiny(x);
    magnitude = tiny ? T(0) : whole;
    sign = tiny ? x : sign_of(x);
  }
  [[gnu::always_inline]] T apply(T positive) const { return number(bits(positive) ^ bits(sign)); }
};
/// x^2, plus a number that changes no result but keeps products of x and x^2 from being denormal on CPUs.
template <class T> DPEP_INLINE T square_above_0(T x) {
  return has_fast_reciprocals() ? x * x : fused(x, x, sizeof(T) == 4 ? T(0x1p-60) : T(0x1p-500));
}

}  // namespace dpep::device
