// Functions of one or a few instructions: rounding, signs, minimum and maximum, square roots.
//
// With -fno-math-errno, the builtins become LLVM intrinsics and these instructions, not calls of the functions defined
// here.
#include "device/math/reciprocal.hpp"

#define DPEP_SIMPLE [[gnu::always_inline]]

extern "C" {

#define DPEP_UNARY(name)                                                                                               \
  DPEP_SIMPLE double name(double x) { return __builtin_##name(x); }                                                    \
  DPEP_SIMPLE float name##f(float x) { return __builtin_##name##f(x); }
#define DPEP_BINARY(name)                                                                                              \
  DPEP_SIMPLE double name(double x, double y) { return __builtin_##name(x, y); }                                       \
  DPEP_SIMPLE float name##f(float x, float y) { return __builtin_##name##f(x, y); }

DPEP_UNARY(fabs)
DPEP_UNARY(floor)
DPEP_UNARY(ceil)
DPEP_UNARY(trunc)
DPEP_UNARY(rint)
DPEP_UNARY(nearbyint)
DPEP_UNARY(roundeven)
DPEP_UNARY(round)
DPEP_UNARY(sqrt)
DPEP_BINARY(copysign)
DPEP_BINARY(fmin)
DPEP_BINARY(fmax)

DPEP_SIMPLE double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }  // NaN: the difference, NaN too
DPEP_SIMPLE float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }

/// Replaced by an instruction on GPUs: 1 / sqrt(x) to about 2^-22.9, with denormal numbers.
[[gnu::const]] float __dpep_reciprocal_rootf(float) noexcept;

// Errors of up to 2 ulp on GPUs, where exact quotients and square roots take several times as long.
DPEP_SIMPLE float rsqrtf(float x) {
  return dpep::device::has_fast_reciprocals() ? __dpep_reciprocal_rootf(x) : 1 / __builtin_sqrtf(x);
}
DPEP_SIMPLE double rsqrt(double x) {
  if (!dpep::device::has_fast_reciprocals()) return 1 / __builtin_sqrt(x);
  if (!(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max()))
    return 1 / __builtin_sqrt(x * 0x1p200) * 0x1p100;  // denormal, 0, negative, infinite or NaN
  const double root = dpep::device::fast_reciprocal_root(x);
  const double error = dpep::device::fused(-x * root, root, 1.0);  // 1 - x root^2, at most about 2^-18
  return dpep::device::fused(root * error, dpep::device::fused(0.375, error, 0.5), root);
}
}
