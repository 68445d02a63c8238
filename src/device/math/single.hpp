// sin, cos, tan, asin, acos and atan of floats in single precision, for processors with fused multiply-adds.
//
// These and short ranges limit the error, to at most 1.91 ulp for all floats. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/quarter_turns.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::device {

/// For which arguments sin, cos and tan are compiled: any, or only moderate ones, |x| < turn_counts<T>::least_large.
enum class arguments { any, moderate };
/// Collects the numbers of quarter turns of a block of arguments, so that one comparison tells whether all are
/// moderate.
template <class T> struct turn_counts {
  /// Three parts of pi/2 are too few for 2^30 quarter turns, and for floats, for 2^15.
  static constexpr int bits_of_moderate = sizeof(T) == 4 ? 15 : 30;
  /// The least argument whose number of quarter turns is rounded to that.
  static constexpr T least_large = sizeof(T) == 4 ? T(0x1.921e26p15) : T(0x1.921fb5411e922p30);
  unsigned_of<T> seen = 0;
  /// `shifted` is a number of quarter turns, which is not negative, plus round_magic.
  [[gnu::always_inline]] void add(T shifted) { seen |= unsigned_of<T>(bits(shifted)); }
  /// Whether one of them was too large or not a number: then bits above bits_of_moderate are set, too.
  [[gnu::always_inline]] bool any_large() const {
    return (seen ^ unsigned_of<T>(bits(format<T>::round_magic))) >> bits_of_moderate;
  }
};

namespace single {

constexpr float half_pi = 0x1.921fb6p0f, half_pi_low = -0x1.777a5cp-25f, half_pi_least = -0x1.ee59dap-50f;

/// x = quadrant pi/2 + remainder, |remainder| at most slightly above pi/4.
struct reduced {
  std::int32_t quadrant;
  float remainder;
  // For tan, more accurately: high + low, plus the rounding error of high, unspecified where that is below 2^-9.
  float high, low, error;
};

DPEP_INLINE reduced reduce_large(float x) {
  const auto [quadrant, turns] = device::reduce(x);
  const double remainder = turns * 0x1.921fb54442d18p0;
  const float high = float(remainder);
  return {std::int32_t(quadrant), high, high, float(remainder - high), 0};
}
/// The same on GPUs, where few arguments are that large: calls whose results are in registers. The second is for tan
/// only.
struct large_angle {
  std::int32_t quadrant;
  float remainder;
};
[[gnu::noinline, gnu::const]] static inline large_angle call_reduce_large(float x) noexcept {
  const reduced angle = reduce_large(x);
  return {angle.quadrant, angle.remainder};
}
[[gnu::noinline, gnu::const]] static inline float call_low_of_large(float x) noexcept { return reduce_large(x).low; }
DPEP_INLINE reduced reduce_large_by_calls(float x) {
  const auto [quadrant, remainder] = call_reduce_large(x);
  return {quadrant, remainder, remainder, call_low_of_large(x), 0};
}
/// |x| modulo pi/2. The first difference is exact: both terms are multiples of the last bit of pi/2, or x is below 1.
template <arguments of> DPEP_INLINE reduced reduce(const split_sign<float> &angle, turn_counts<float> &counts) {
  const float x = angle.magnitude;
  const float shifted = fused(x, 0x1.45f306p-1f, format<float>::round_magic);
  counts.add(shifted);
  const float k = shifted - format<float>::round_magic;
  const float first = fused(-k, half_pi, x), second = fused(-k, half_pi_low, first);
  // Computed before the branch for all lanes of a vector: lanes that a branch joins may wait for the vector before.
  reduced result{rounded(shifted), fused(-k, half_pi_least, second), second, -k * half_pi_least,
                 fused(-k, half_pi_low, first - second)};
  // not a comparison of x or k: the optimiser would make a branch of the selection of `magnitude`
  if (of == arguments::any && !(angle.whole < turn_counts<float>::least_large)) [[unlikely]]
    result = has_fast_reciprocals() ? reduce_large_by_calls(angle.whole) : reduce_large(angle.whole);
  return result;
}
DPEP_INLINE float sine(float r, float z) {
  return fused(r, z * horner(z, -0x1.555556p-3f, 0x1.111174p-7f, -0x1.a05968p-13f, 0x1.7c346ep-19f), r);
}
DPEP_INLINE float cosine(float z) {
  return fused(z * z, horner(z, 0x1.55554ap-5f, -0x1.6c0c24p-10f, 0x1.99e5fep-16f), fused(-0.5f, z, 1.0f));
}
/// sin(r) or cos(r) without a branch, by one polynomial of selected coefficients: for GPUs, whose threads would take
/// both branches.
DPEP_INLINE float selected(bool is_cosine, float r, float z) {
  const float factor = is_cosine ? 1.0f : r;
  const float rest =
      horner(z, is_cosine ? -0.5f : -0x1.555556p-3f, is_cosine ? 0x1.55554ap-5f : 0x1.111174p-7f,
             is_cosine ? -0x1.6c0c24p-10f : -0x1.a05968p-13f, is_cosine ? 0x1.99e5fep-16f : 0x1.7c346ep-19f);
  return fused(factor * z, rest, factor);
}
DPEP_INLINE float by_quadrant(std::int32_t quadrant, float r) {
  const float z = square_above_0(r);
  const float value = has_fast_reciprocals() ? selected(quadrant & 1, r, z) : quadrant & 1 ? cosine(z) : sine(r, z);
  return number(std::int32_t(std::uint32_t(bits(value)) ^ (std::uint32_t(quadrant & 2) << 30)));
}

template <arguments of> DPEP_INLINE float sin(float x, turn_counts<float> &counts) {
  const split_sign split(x);
  const reduced r = reduce<of>(split, counts);
  return split.apply(by_quadrant(r.quadrant, r.remainder));
}
template <arguments of> DPEP_INLINE float cos(float x, turn_counts<float> &counts) {
  const reduced r = reduce<of>(split_sign(x), counts);
  return by_quadrant(r.quadrant + 1, r.remainder);
}
template <arguments of> DPEP_INLINE float tan(float x, turn_counts<float> &counts) {
  const split_sign split(x);
  const auto [quadrant, remainder, r, r_low, r_error] = reduce<of>(split, counts);
  const float z = square_above_0(r);
  const float rest = horner(z, 0x1.555562p-2f, 0x1.110d22p-3f, 0x1.baee32p-5f, 0x1.5bf8dcp-6f, 0x1.66ac56p-7f,
                            -0x1.87641p-15f, 0x1.231e22p-8f);
  // r_error matters most at pi/4, where the slope of the tangent is 2: 3.2 z r_error there, and nothing for small r
  const float part = fused(z, fused(r, rest, 3.2f * r_error), r_low);
  const float t = r + part, t_low = (r - t) + part;  // significant in the reciprocal
  return split.apply(quadrant & 1 ? -ordinary_reciprocal(t, t_low) : t);
}

/// asin(s) for s^2 = z <= 1/4.
DPEP_INLINE float small_arcsine(float s, float z) {
  return fused(s, z * horner(z, 0x1.5555cap-3f, 0x1.330164p-4f, 0x1.748b3p-5f, 0x1.8ba818p-6f, 0x1.59d9c8p-5f), s);
}
DPEP_INLINE float asin(float x) {
  const split_sign split(x);
  const float a = split.magnitude;
  const bool large = a > 0.5f;  // pi/2 - 2 asin(sqrt((1 - a) / 2)) then
  const float z = large ? fused(-0.5f, a, 0.5f) : square_above_0(a);
  const float angle = small_arcsine(large ? ordinary_square_root(z) : a, z);
  return split.apply(large ? fused(-2.0f, angle, half_pi) + half_pi_low : angle);
}
DPEP_INLINE float acos(float x) {
  const float a = split_sign(x).magnitude;
  const bool large = a > 0.5f;
  const float z = large ? fused(-0.5f, a, 0.5f) : square_above_0(a);
  const float angle = small_arcsine(large ? ordinary_square_root(z) : flip_sign(a, x), z);
  const float near_one = 2 * angle;
  return large ? (x < 0 ? fused(-2.0f, angle, 2 * half_pi) + 2 * half_pi_low : near_one)
               : half_pi - (angle - half_pi_low);
}

/// atan(t) for |t| <= 1.
DPEP_INLINE float small_arctangent(float t) {
  const float z = square_above_0(t);
  const float rest = horner(z, -0x1.55554p-2f, 0x1.99926ap-3f, -0x1.24267ap-3f, 0x1.c0cd86p-4f, -0x1.58ce36p-4f,
                            0x1.dcdefp-5f, -0x1.018074p-5f, 0x1.6a2b86p-7f, -0x1.de4d54p-10f);
  return fused(t, z * rest, t);
}
DPEP_INLINE float atan(float x) {
  const split_sign split(x);
  const float a = split.magnitude;
  const bool large = a > 1;  // pi/2 - atan(1 / a) then
  const float angle = small_arctangent(large ? ordinary_reciprocal(a < 0x1p30f ? a : 0x1p30f) : a);
  return split.apply(large ? half_pi - (angle - half_pi_low) : angle);
}

}  // namespace single
}  // namespace dpep::device
