// pow of floats for GPUs, in single precision: 2^(y log2(x)) with the logarithm in two parts, to about 2^-31.
//
// At most 3 ulp in tests. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/gpu_hyperbolic.hpp"

namespace dpep::device::gpu {

/// log2(x) - offset - offset_low for normal x > 0. The offset has so few bits that its difference from the exponent of
/// x is exact. With s = f / (2 + f) in two parts, log2(1 + f) = 2 / ln 2 s + s^3 P(s^2).
DPEP_INLINE pair<float> log2_minus(float x, float offset, float offset_low) {
  constexpr float factor = 0x1.715476p1f, factor_low = 0x1.4ae0cp-25f;
  const auto [e, f] = split_ordinary(x);
  const float inverse = fast_reciprocal(2 + f), s = f * inverse, square = s * s;
  const float s_low = inverse * fused(-s, f, fused(-2.0f, s, f));
  const float cubic = s * square * horner(square, 0x1.ec709cp-1f, 0x1.277852p-1f, 0x1.a5314ap-2f, 0x1.6319f2p-2f);
  const float linear = s * factor;
  const float rest = fused(s_low, fused(factor, square, factor), fused(s, factor_low, fused(s, factor, -linear)));
  const auto [high, low] = exact_sum_ordered(linear, cubic);
  const auto [sum, sum_low] = exact_sum_ordered(e - offset, high);
  return {sum, sum_low + ((low + rest) - offset_low)};
}

/// x^y for normal x > 0 and finite y.
DPEP_INLINE float pow_of_positive(float x, float y) {
  const auto [high, low] = log2_minus(x, 0.0f, 0.0f);
  const float product = y * high, product_low = fused(y, low, fused(y, high, -product));
  const float shifted = product + format<float>::round_magic;
  const float r = (product - (shifted - format<float>::round_magic)) + product_low;
  const auto n = std::int32_t(bits(shifted)), half = n >> 1;
  const float power =
      exp_of_small(r * exp_constants<float>::ln2) * short_power<float>(half) * short_power<float>(n - half);
  const float or_infinite = product < 129 ? power : infinity<float>;
  return product > -151 ? or_infinite : 0.0f;
}

}  // namespace dpep::device::gpu
