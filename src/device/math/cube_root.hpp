// cbrt, branch-free except on GPUs.
//
// |x| = 2^(3 k) a with a in [1/2, 4). A polynomial gives z near a^(-1/3), and one step of third order improves it. The
// product a z^2, rounded to so few bits that its cube is nearly exact, is then corrected by the residual of its cube.
// For floats with fused multiply-adds, one step of Newton's method on a z^2 is enough. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/log.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::device {

/// m^(-1/3) for m in [1, 2), to about 2^-14.
template <class T> DPEP_INLINE T inverse_cube_root_start(T m) {
  return horner(m, T(0x1.ab82f8p0), T(-0x1.2c3a94p0), T(0x1.640734p-1), T(-0x1.c4fd24p-3), T(0x1.d44b56p-6));
}

/// `root` 2^k with the sign of x; `shifted` is k + round_magic. The root of x where x is 0, infinite or NaN: x.
template <class T> DPEP_INLINE T rescaled(T root, T shifted, T x) {
  using U = unsigned_of<T>;
  const T scaled = number(integer_of<T>(U(bits(root)) + (U(rounded(shifted)) << format<T>::mantissa_bits)));
  const bool unchanged = (x == 0) | !(magnitude(x) < infinity<T>);
  return unchanged ? x : flip_sign(scaled, x);
}

template <class T> DPEP_INLINE T branch_free_cbrt(T x) {
  using U = unsigned_of<T>;
  using I = integer_of<T>;
  constexpr int shift = format<T>::mantissa_bits;
  const T positive = magnitude(x);
  const bool denormal = bits(positive) < I{1} << shift;
  const T normal = denormal ? number(bits(positive) | bits(T(1))) - 1 : positive;  // times 2^(bias - 1) where denormal
  const T mantissa = number(I((U(bits(normal)) & ((U{1} << shift) - 1)) | U(bits(T(1)))));
  const T exponent = unbiased(U(bits(normal)) >> shift) - (denormal ? log_constants<T>::denormal_exponent : T(0));
  const T shifted = exponent * T(0x1.555556p-2) + format<T>::round_magic;
  const T remainder = exponent - 3 * (shifted - format<T>::round_magic);  // -1, 0 or 1

  const bool up = remainder > 0, down = remainder < 0;
  const T factor = up ? T(2) : down ? T(0.5) : T(1);
  const T root_of_factor = up ? T(0x1.965fea53d6e3dp-1) : down ? T(0x1.428a2f98d728bp0) : T(1);  // factor^(-1/3)
  const T a = mantissa * factor;
  const T start = inverse_cube_root_start(mantissa) * root_of_factor;
  if constexpr (sizeof(T) == 4 && DPEP_DEVICE_FUSED) {
    // one step of Newton's method for the root itself, whose square is 1 / start^2
    const T square = start * start, root = a * square;
    const T result = fused(fused(-root * root, root, a), square * (T(1) / 3), root);
    return rescaled(result, shifted, x);
  }
  const T error = 1 - a * start * start * start;
  const T z = start + start * error * (T(1) / 3 + T(2) / 9 * error);

  const T root = upper_half(a * z * z), square = root * root;            // exact
  const T third = residual(a, square, root) * (z * z * z) * (T(1) / 3);  // of the relative error of the cube
  const T result = root + root * third * (1 + 2 * third);
  return rescaled(result, shifted, x);
}

/// For GPUs: 2^(log2(a) / 3) from the instructions that approximate both functions, and one correction step.
namespace gpu {

DPEP_INLINE float cube_root_start(float a) { return fast_exp2(fast_log2(a) * (1.0f / 3)); }

/// cbrt of numbers whose residuals are not denormal.
DPEP_INLINE float ordinary_cbrt(float x) {
  const float a = magnitude(x), root = cube_root_start(a), square = root * root;
  const float third_of_error = fused(-square, root, a) * (1.0f / 3);
  return flip_sign(fused(third_of_error, fast_reciprocal(square), root), x);
}
/// x = 2^(3 k) a with a in [1, 8). The estimate of the root has 21 bits, so its square is exact, and a step of Halley's
/// method triples them.
DPEP_INLINE double ordinary_cbrt(double x) {
  constexpr std::uint32_t biases = (1023 - 127) << 20;  // by which the exponent biases of double and float differ
  const std::uint32_t upper = std::uint32_t(upper_bits(x)) & 0x7fffffff;
  const std::int32_t k = std::int32_t((upper >> 20) / 3) - 341;
  const std::uint32_t upper_of_a = upper - std::uint32_t(k) * (3u << 20);
  const double a = number(std::int64_t(std::uint64_t(upper_of_a) << 32 | std::uint32_t(bits(x))));
  const float start = cube_root_start(number(std::int32_t((upper_of_a - biases) << 3)));
  const std::uint32_t upper_of_root = (std::uint32_t(bits(start)) >> 3) + biases;
  const double root = number(std::int64_t(std::uint64_t(upper_of_root) << 32)), square = root * root;
  const double error = fused(-square, root, a), denominator = fused(2 * square, root, a);
  const double estimate = fast_reciprocal(denominator);
  const double inverse = fused(estimate, fused(-denominator, estimate, 1.0), estimate);
  const double result = fused(error * root, inverse, root);
  return flip_sign(number(bits(result) + std::int64_t(std::uint64_t(std::uint32_t(k)) << 52)), x);
}

/// Not inlined, since few inputs are 0, infinite, NaN or close to 0.
template <class T> [[gnu::noinline, gnu::const]] static inline T rare_cbrt(T x) noexcept { return branch_free_cbrt(x); }
template <class T> DPEP_INLINE T cbrt(T x) {
  constexpr std::uint32_t least = sizeof(T) == 4 ? 0x10000000 : 0x00100000;  // 2^-95, 2^-1022
  constexpr std::uint32_t infinite = sizeof(T) == 4 ? 0x7f800000 : 0x7ff00000;
  if ((std::uint32_t(upper_bits(x)) & 0x7fffffff) - least >= infinite - least) [[unlikely]]
    return rare_cbrt(x);
  return ordinary_cbrt(x);
}

}  // namespace gpu

template <class T> DPEP_INLINE T cbrt(T x) { return has_fast_reciprocals() ? gpu::cbrt(x) : branch_free_cbrt(x); }

}  // namespace dpep::device
