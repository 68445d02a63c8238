// exp, branch-free for every input.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

#pragma clang fp contract(fast)

DPEP_INLINE float exp(float x) {
  x = x > 89.0f ? 89.0f : x;      // infinite
  x = x < -104.0f ? -104.0f : x;  // zero
  const float shifted = x * 0x1.715476p0f + format<float>::round_magic;
  const float n = shifted - format<float>::round_magic;
  const float r = (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
  const float p =
      1 + (r + r * r * horner(r, 0.5f, 1.f / 6, 1.f / 24, 1.f / 120, 1.f / 720));
  return scale(p, rounded(shifted));
}

}  // namespace dpep::device
