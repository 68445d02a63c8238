// Quotients and square roots from instructions that approximate reciprocals, as GPUs have them.
//
// There an exact division takes more than twenty instructions, with a function for rare cases. These take four to
// seven, without a branch, are as exact but for 2^-50 or so of a rounding error, and know no rare cases: denominators
// and radicands are neither denormal nor next to infinity.
#pragma once

#include <limits>

#include "device/math/number.hpp"

#ifdef DPEP_DEVICE_QUERIES
extern "C" {
/// What the JIT answers: whether there are these instructions, denormal numbers cost nothing, and there are no vectors
/// to be filled.
[[gnu::const]] bool __dpep_has_fast_reciprocals() noexcept;
// 1 / x and 1 / sqrt(x), for doubles to about 2^-19, for floats to about 2^-22.5; denormal numbers are 0, in and out.
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

/// What only processors with has_fast_reciprocals() should call.
namespace by_reciprocal {

/// 1 / x, rounded once or twice.
DPEP_INLINE double reciprocal(double x) {
  const double start = fast_reciprocal(x), lack = fused(-x, start, 1.0);
  return fused(start, fused(lack, lack, lack), start);
}
DPEP_INLINE float reciprocal(float x) {
  const float start = fast_reciprocal(x);
  return fused(start, fused(-x, start, 1.0f), start);
}

/// a / b.
DPEP_INLINE double quotient(double a, double b) {
  const double start = fast_reciprocal(b), better = fused(start, fused(-b, start, 1.0), start);
  const double result = a * better;
  return fused(better, fused(-b, result, a), result);
}
DPEP_INLINE float quotient(float a, float b) {
  const float inverse = fast_reciprocal(b), result = a * inverse;
  return fused(inverse, fused(-b, result, a), result);
}
/// a / (b + b_low), where b_low is of the size of a rounding error of b.
DPEP_INLINE double quotient(double a, double b, double b_low) {
  const double start = fast_reciprocal(b), better = fused(start, fused(-b, start, 1.0), start);
  const double result = a * better;
  return fused(better, fused(-result, b_low, fused(-b, result, a)), result);
}
DPEP_INLINE float quotient(float a, float b, float b_low) {
  const float inverse = fast_reciprocal(b), result = a * inverse;
  return fused(inverse, fused(-result, b_low, fused(-b, result, a)), result);
}

/// The square root of x, also of 0.
DPEP_INLINE double square_root(double x) {
  const double start = fast_reciprocal_root(x + 0x1p-500), half = 0.5 * start;
  const double root = x * start, lack = fused(-root, half, 0.5);
  const double better = fused(root, lack, root);
  return fused(fused(-better, better, x), fused(half, lack, half), better);
}
DPEP_INLINE float square_root(float x) {
  const float start = fast_reciprocal_root(x + 0x1p-100f), root = x * start;
  return fused(fused(-root, root, x), 0.5f * start, root);
}

/// x / y, rounded once, of any floats. A double holds every quotient so closely that rounding it again changes nothing:
/// none but those that are floats' midpoints themselves (which doubles hold exactly) come closer to one than 2^-49.
DPEP_INLINE float rounded_quotient(float x, float y) {
  const double a = x, b = y, start = fast_reciprocal(b), better = reciprocal(b);
  const double inverse = better == better ? better : start;  // of 0 and of infinity
  const double result = a * inverse, lack = fused(-b, result, a);
  return float(magnitude(lack) > 0 ? fused(lack, inverse, result) : result);  // else it is exact, or beyond correction
}
/// The square root of any float, rounded once, for the same reason.
DPEP_INLINE float rounded_square_root(float x) {
  const bool infinite = x == std::numeric_limits<float>::infinity();
  return infinite ? x : float(square_root(double(x)));
}

}  // namespace by_reciprocal

/// a / b for ordinary b, to within an ulp or so.
template <class T> DPEP_INLINE T ordinary_quotient(T a, T b) {
  return has_fast_reciprocals() ? by_reciprocal::quotient(a, b) : a / b;
}
template <class T> DPEP_INLINE T ordinary_reciprocal(T x) {
  return has_fast_reciprocals() ? by_reciprocal::reciprocal(x) : 1 / x;
}

}  // namespace dpep::device
