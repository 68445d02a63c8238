// cbrt, branch-free.
//
// |x| = 2^(3 k) a with a in [1/2, 4). A polynomial gives z near a^(-1/3), one step of third order improves it, and
// a z^2, shortened so that its cube is nearly exact, is corrected by what the cube lacks. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/log.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::device {

/// m^(-1/3) for m in [1, 2), to about 2^-14.
template <class T> DPEP_INLINE T inverse_cube_root_start(T m) {
  return horner(m, T(0x1.ab82f8p0), T(-0x1.2c3a94p0), T(0x1.640734p-1), T(-0x1.c4fd24p-3), T(0x1.d44b56p-6));
}

/// For GPUs, where instructions count: a^(-1/3) from a third of the bits and two steps of third order.
DPEP_INLINE float cbrt_by_bits(float x) {
  const float positive = magnitude(x);
  const bool small = positive < 1;  // residuals would be denormal
  const float a = small ? positive * 0x1p96f : positive;
  float y = number(std::int32_t(0x54a1f000u - std::uint32_t(bits(a)) / 3));  // 1 - a y^3 is below 0.103
  for (int step = 0; step < 2; ++step) {
    const float lack = fused(-(a * y), y * y, 1.0f);
    y = fused(y * lack, fused(lack, 2.0f / 9, 1.0f / 3), y);
  }
  const auto start = a * y * y, square = start * start;
  const float rest = fused(-fused(start, start, -square), start, fused(-square, start, a));
  const float root = fused(rest, y * y * (1.0f / 3), start);
  return positive < infinity<float> ? flip_sign(small ? root * 0x1p-32f : root, x) : x;
}

template <class T> DPEP_INLINE T cbrt(T x) {
  if constexpr (sizeof(T) == 4)
    if (has_fast_reciprocals()) return cbrt_by_bits(x);
  using U = unsigned_of<T>;
  using I = integer_of<T>;
  constexpr int shift = format<T>::mantissa_bits;
  const T positive = magnitude(x);
  const bool denormal = bits(positive) < I{1} << shift;
  const T normal = denormal ? number(bits(positive) | bits(T(1))) - 1 : positive;  // times 2^(bias - 1), where denormal
  const T mantissa = number(I((U(bits(normal)) & ((U{1} << shift) - 1)) | U(bits(T(1)))));
  const T exponent = unbiased(U(bits(normal)) >> shift) - (denormal ? log_constants<T>::denormal_exponent : T(0));
  const T shifted = exponent * T(0x1.555556p-2) + format<T>::round_magic;
  const T remainder = exponent - 3 * (shifted - format<T>::round_magic);  // -1, 0 or 1

  const bool up = remainder > 0, down = remainder < 0;
  const T factor = up ? T(2) : down ? T(0.5) : T(1);
  const T root_of_factor = up ? T(0x1.965fea53d6e3dp-1) : down ? T(0x1.428a2f98d728bp0) : T(1);  // factor^(-1/3)
  const T a = mantissa * factor;
  const T start = inverse_cube_root_start(mantissa) * root_of_factor;
  const T lack = 1 - a * start * start * start;
  const T z = start + start * lack * (T(1) / 3 + T(2) / 9 * lack);

  const T root = upper_half(a * z * z), square = root * root;            // exact
  const T third = residual(a, square, root) * (z * z * z) * (T(1) / 3);  // of the relative error of the cube
  const T result = root + root * third * (1 + 2 * third);
  const T scaled = number(I(U(bits(result)) + (U(rounded(shifted)) << shift)));
  const bool unchanged = (x == 0) | !(positive < infinity<T>);
  return unchanged ? x : flip_sign(scaled, x);
}

}  // namespace dpep::device
