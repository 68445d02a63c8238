// sin, cos, tan, asin, acos and atan of floats in single precision, for processors whose double precision is slow:
// GPUs.
//
// Fused multiply-adds and short ranges limit the error, to at most 2.01 ulp in tests, which sample all floats.
// Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/quarter_turns.hpp"
#include "device/math/reciprocal.hpp"

#ifdef DPEP_DEVICE_QUERIES
extern "C" [[gnu::const]] bool __dpep_prefers_single() noexcept;  // replaced by a constant by the JIT
#endif

namespace dpep::device {

#ifdef DPEP_DEVICE_QUERIES
DPEP_INLINE bool prefers_single() { return __dpep_prefers_single(); }
#else
DPEP_INLINE bool prefers_single() { return false; }
#endif

namespace single {

constexpr float half_pi = 0x1.921fb6p0f, half_pi_low = -0x1.777a5cp-25f, half_pi_least = -0x1.ee59dap-50f;

/// x = quadrant pi/2 + remainder, |remainder| at most slightly above pi/4.
struct reduced {
  std::int32_t quadrant;
  float remainder;
};
constexpr float largest_for_three_parts = 0x1p16f;  // three parts of pi/2 are too few for larger x

/// Not inlined, since few arguments are that large.
[[gnu::noinline, gnu::const]] static inline reduced reduce_large(float x) noexcept {
  const auto [quadrant, turns] = device::reduce(x);
  return {std::int32_t(quadrant), float(turns * 0x1.921fb54442d18p0)};
}
/// x modulo pi/2, for x >= 0. The first difference is exact: both terms are multiples of the last bit of pi/2, or x is
/// below 1.
DPEP_INLINE reduced reduce(float x) {
  if (!(x < largest_for_three_parts)) [[unlikely]]
    return reduce_large(x);
  const float shifted = fused(x, 0x1.45f306p-1f, format<float>::round_magic);
  const float k = shifted - format<float>::round_magic;
  const float remainder = fused(-k, half_pi_least, fused(-k, half_pi_low, fused(-k, half_pi, x)));
  return {rounded(shifted), remainder};
}
DPEP_INLINE float sine(float r, float z) {
  return fused(r * z, horner(z, -0x1.555556p-3f, 0x1.111174p-7f, -0x1.a05968p-13f, 0x1.7c346ep-19f), r);
}
DPEP_INLINE float cosine(float z) {
  return fused(z * z, horner(z, 0x1.55554ap-5f, -0x1.6c0c24p-10f, 0x1.99e5fep-16f), fused(-0.5f, z, 1.0f));
}
DPEP_INLINE float by_quadrant(std::int32_t quadrant, float r) {
  const float z = r * r;
  const float value = quadrant & 1 ? cosine(z) : sine(r, z);
  return number(std::int32_t(std::uint32_t(bits(value)) ^ (std::uint32_t(quadrant & 2) << 30)));
}

DPEP_INLINE float sin(float x) {
  const reduced r = reduce(magnitude(x));
  return flip_sign(by_quadrant(r.quadrant, r.remainder), x);
}
DPEP_INLINE float cos(float x) {
  const reduced r = reduce(magnitude(x));
  return by_quadrant(r.quadrant + 1, r.remainder);
}
DPEP_INLINE float tan(float x) {
  const auto [quadrant, r] = reduce(magnitude(x));
  const float z = r * r;
  const float rest = r * z *
                     horner(z, 0x1.555562p-2f, 0x1.110d22p-3f, 0x1.baee32p-5f, 0x1.5bf8dcp-6f, 0x1.66ac56p-7f,
                            -0x1.87641p-15f, 0x1.231e22p-8f);
  const float t = r + rest, t_low = (r - t) + rest;  // significant in the reciprocal
  return flip_sign(quadrant & 1 ? -by_reciprocal::quotient(1.0f, t, t_low) : t, x);
}

/// asin(s) for s^2 = z <= 1/4.
DPEP_INLINE float small_arcsine(float s, float z) {
  return fused(s * z, horner(z, 0x1.5555cap-3f, 0x1.330164p-4f, 0x1.748b3p-5f, 0x1.8ba818p-6f, 0x1.59d9c8p-5f), s);
}
DPEP_INLINE float asin(float x) {
  const float a = magnitude(x);
  const bool large = a > 0.5f;  // pi/2 - 2 asin(sqrt((1 - a) / 2)) then
  const float z = large ? fused(-0.5f, a, 0.5f) : a * a;
  const float angle = small_arcsine(large ? by_reciprocal::square_root(z) : a, z);
  return flip_sign(large ? fused(-2.0f, angle, half_pi) + half_pi_low : angle, x);
}
DPEP_INLINE float acos(float x) {
  const float a = magnitude(x);
  const bool large = a > 0.5f;
  const float z = large ? fused(-0.5f, a, 0.5f) : a * a;
  const float angle = small_arcsine(large ? by_reciprocal::square_root(z) : x, z);
  const float near_one = 2 * angle;
  return large ? (x < 0 ? fused(-2.0f, angle, 2 * half_pi) + 2 * half_pi_low : near_one)
               : half_pi - (angle - half_pi_low);
}

/// atan(t) for |t| <= 1.
DPEP_INLINE float small_arctangent(float t) {
  const float z = t * t;
  return fused(t * z,
               horner(z, -0x1.55554p-2f, 0x1.99926ap-3f, -0x1.24267ap-3f, 0x1.c0cd86p-4f, -0x1.58ce36p-4f,
                      0x1.dcdefp-5f, -0x1.018074p-5f, 0x1.6a2b86p-7f, -0x1.de4d54p-10f),
               t);
}
DPEP_INLINE float atan(float x) {
  const float a = magnitude(x);
  const bool large = a > 1;  // pi/2 - atan(1 / a) then
  const float angle = small_arctangent(large ? by_reciprocal::reciprocal(a < 0x1p100f ? a : 0x1p100f) : a);
  return flip_sign(large ? half_pi - (angle - half_pi_low) : angle, x);
}

}  // namespace single
}  // namespace dpep::device
