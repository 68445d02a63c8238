// sin, cos, tan, asin, acos and atan of doubles, and atan2 of floats too, for processors with fused multiply-adds.
//
// They are short: GPUs profit from few instructions and few distinct constants, CPUs as well. |x| is reduced by three
// parts of pi/2, unless it is very large. At most 2 ulp in tests. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/quarter_turns.hpp"
#include "device/math/reciprocal.hpp"
#include "device/math/single.hpp"

namespace dpep::device::circular {

constexpr double half_pi = 0x1.921fb54442d18p0, half_pi_low = 0x1.1a62633145c07p-54,
                 half_pi_least = -0x1.f1976b7ed8fbcp-110;

/// x = quadrant pi/2 + remainder, |remainder| at most slightly above pi/4.
struct reduced_angle {
  std::int32_t quadrant;
  double remainder;
  // For tan, more accurately: high + low, plus the rounding error of high, unspecified where that is below 2^-20.
  double high, low, error;
};
DPEP_INLINE reduced_angle reduce_large(double x) {
  const auto [quadrant, turns] = device::reduce(x);
  const double rest = turns.low * half_pi + turns.high * half_pi_low;
  const double remainder = fused(turns.high, half_pi, rest);
  return {std::int32_t(quadrant), remainder, remainder, fused(turns.high, half_pi, -remainder) + rest, 0};
}
/// The same on GPUs, where few arguments are that large: calls whose results are in registers. The second is for tan
/// only.
struct large_angle {
  std::int32_t quadrant;
  double remainder;
};
[[gnu::noinline, gnu::const]] static inline large_angle call_reduce_large(double x) noexcept {
  const reduced_angle angle = reduce_large(x);
  return {angle.quadrant, angle.remainder};
}
[[gnu::noinline, gnu::const]] static inline double call_low_of_large(double x) noexcept { return reduce_large(x).low; }
DPEP_INLINE reduced_angle reduce_large_by_calls(double x) {
  const auto [quadrant, remainder] = call_reduce_large(x);
  return {quadrant, remainder, remainder, call_low_of_large(x), 0};
}
/// |x| modulo pi/2. The first difference is exact: both terms are multiples of the last bit of pi/2, or x is below 1.
template <arguments of> DPEP_INLINE reduced_angle reduce(const split_sign<double> &angle, turn_counts<double> &counts) {
  const double x = angle.magnitude;
  const double shifted = fused(x, 0x1.45f306dc9c883p-1, format<double>::round_magic);
  counts.add(shifted);
  const double k = shifted - format<double>::round_magic;
  const double first = fused(-k, half_pi, x), second = fused(-k, half_pi_low, first);
  // Computed before the branch for all lanes of a vector: lanes that a branch joins may wait for the vector before.
  reduced_angle result{std::int32_t(bits(shifted)), fused(-k, half_pi_least, second), second, -k * half_pi_least,
                       fused(-k, half_pi_low, first - second)};
  // not a comparison of x or k: the optimiser would make a branch of the selection of `magnitude`
  if (of == arguments::any && !(angle.whole < turn_counts<double>::least_large)) [[unlikely]]
    result = has_fast_reciprocals() ? reduce_large_by_calls(angle.whole) : reduce_large(angle.whole);
  return result;
}

DPEP_INLINE double sine(double r, double z) {
  const double rest = horner(z, -0x1.5555555555547p-3, 0x1.111111110f60cp-7, -0x1.a01a019bd533dp-13,
                             0x1.71de3550bdbfdp-19, -0x1.ae5e5p-26, 0x1.5d8e6p-33);
  return fused(r, z * rest, r);
}
DPEP_INLINE double cosine(double z) {
  const double rest = horner(z, 0x1.555555555554bp-5, -0x1.6c16c16c1500dp-10, 0x1.a01a019c909cfp-16,
                             -0x1.27e4f7f524bcp-22, 0x1.1ee9ep-29, -0x1.8fa98p-37);
  return fused(z, fused(z, rest, -0.5), 1.0);
}
DPEP_INLINE double by_quadrant(std::int32_t quadrant, double r) {
  const double z = square_above_0(r);
  const double odd = cosine(z), even = sine(r, z);
  return flip_sign(quadrant & 1 ? odd : even, number(std::int64_t(std::uint64_t(quadrant & 2) << 62)));
}

template <arguments of> DPEP_INLINE double sin(double x, turn_counts<double> &counts) {
  const split_sign split(x);
  const reduced_angle angle = reduce<of>(split, counts);
  return split.apply(by_quadrant(angle.quadrant, angle.remainder));
}
template <arguments of> DPEP_INLINE double cos(double x, turn_counts<double> &counts) {
  const reduced_angle angle = reduce<of>(split_sign(x), counts);
  return by_quadrant(angle.quadrant + 1, angle.remainder);
}
template <arguments of> DPEP_INLINE double tan(double x, turn_counts<double> &counts) {
  const split_sign split(x);
  const auto [quadrant, remainder, r, r_low, r_error] = reduce<of>(split, counts);
  const double z = square_above_0(r);
  const double rest = long_polynomial(z, 0x1.55555555554dep-2, 0x1.111111111984ap-3, 0x1.ba1ba1b36ff54p-5,
                                      0x1.664f49d645c27p-6, 0x1.226e0d73aa6fp-7, 0x1.d6d9df9347dcap-9,
                                      0x1.7d536d66cb87ap-10, 0x1.383b9a860b56bp-11, 0x1.cf8384344f1fp-13, 0x1.240f4p-13,
                                      -0x1.fa2c1p-16, 0x1.8581ap-14, -0x1.87a41p-15, 0x1.6536fp-16);
  // r_error matters most at pi/4, where the slope of the tangent is 2: 3.2 z r_error there, and nothing for small r
  const double part = fused(z, fused(r, rest, 3.2 * r_error), r_low);
  const double t = r + part;
  const double t_low = (r - t) + part;  // significant in the reciprocal
  return split.apply(quadrant & 1 ? -ordinary_reciprocal(t, t_low) : t);
}

/// (asin(s) - s) / s^3 for s^2 = z <= 1/4.
DPEP_INLINE double arcsine_rest(double z) {
  return horner(z, 0x1.5555555555373p-3, 0x1.3333333370ccdp-4, 0x1.6db6db415c086p-5, 0x1.f1c72c875206dp-6,
                0x1.6e89ed83b9c19p-6, 0x1.1c6c42d376a0dp-6, 0x1.c6f6719e16887p-7, 0x1.8ef23p-7, 0x1.aa3ccp-8,
                0x1.4104ap-6, -0x1.0b78dp-6, 0x1.05fc5p-5);
}
/// first + rest is asin(a) for a <= 1/2, otherwise acos(a) = 2 asin(sqrt((1 - a) / 2)).
struct arcsine {
  double first, rest;
};
DPEP_INLINE arcsine half_or_double_arcsine(double a, bool large) {
  const double z = large ? fused(-0.5, a, 0.5) : square_above_0(a);
  const double s = large ? 2 * ordinary_square_root(z) : a;
  return {s, s * (z * arcsine_rest(z))};
}
DPEP_INLINE double asin(double x) {
  const split_sign split(x);
  const double a = split.magnitude;
  const bool large = a > 0.5;
  const auto [first, rest] = half_or_double_arcsine(a, large);
  const auto [from_top, low] = exact_sum_ordered(half_pi, -first);
  return split.apply(large ? from_top + (low - (rest - half_pi_low)) : first + rest);
}
DPEP_INLINE double acos(double x) {
  const double a = split_sign(x).magnitude;
  const bool large = a > 0.5;
  const auto [first, rest] = half_or_double_arcsine(a, large);
  // subtracted from pi or pi/2, or added to pi/2
  const double start = large ? 2 * half_pi : half_pi, start_low = large ? 2 * half_pi_low : half_pi_low;
  const double sign = large ? 1.0 : x;
  const double from_start = (start - flip_sign(first, sign)) - (flip_sign(rest, sign) - start_low);
  return both(large, bits(x) >= 0) ? first + rest : from_start;
}

/// atan(t) for |t| <= 1.
DPEP_INLINE double small_arctangent(double t) {
  const double z = square_above_0(t);
  const double rest = horner(z, -0x1.5555555555478p-2, 0x1.99999999868e7p-3, -0x1.2492492010e6p-3, 0x1.c71c70b2c71d4p-4,
                             -0x1.745d036373d83p-4, 0x1.3b12beda59589p-4, -0x1.1108f16e451b9p-4, 0x1.e17b81aafe04bp-5,
                             -0x1.ad3ffd4073676p-5, 0x1.7f0b22f414e48p-5, -0x1.4f9df49d5f4bp-5, 0x1.17b0e94faac09p-5,
                             -0x1.a8c650e729d1cp-6, 0x1.17d3f1e5b73f3p-6, -0x1.2f7c4p-7, 0x1.fef7p-9, -0x1.35527p-10,
                             0x1.db58dp-13, -0x1.5a527p-16);
  return fused(t, z * rest, t);
}
DPEP_INLINE double atan(double x) {
  const split_sign split(x);
  const double a = split.magnitude;
  const bool large = a > 1;  // pi/2 - atan(1 / a) then
  const double angle = small_arctangent(large ? ordinary_reciprocal(a < 0x1p60 ? a : 0x1p60) : a);
  return split.apply(large ? half_pi - (angle - half_pi_low) : angle);
}
DPEP_INLINE float small_arctangent(float t) { return single::small_arctangent(t); }

/// small / large for 0 <= small < large; NaN for NaN.
template <class T> DPEP_INLINE T small_quotient(T small, T large) {
  if (!has_fast_reciprocals()) return small / large;
  // scaled so that the larger is neither close to infinity nor small, and residuals of quotients are not denormal
  constexpr T extreme = sizeof(T) == 4 ? T(0x1p60f) : T(0x1p500);
  const T factor = large > extreme ? 1 / extreme : large < 1 ? extreme : T(1);
  const T quotient = by_reciprocal::quotient(small * factor, large * factor);
  return large == infinity<T> ? small * 0 : quotient;
}

template <class T> DPEP_INLINE T atan2(T y, T x) {
  constexpr T half = T(half_pi), half_low = sizeof(T) == 4 ? T(half_pi - double(half)) : T(half_pi_low);
  const T abs_x = magnitude(x), abs_y = magnitude(y);
  const bool steep = abs_y > abs_x, negative_x = bits(x) < 0;
  const T large = steep ? abs_y : abs_x, small = steep ? abs_x : abs_y;
  const T of_axis = small_quotient(small, large), of_diagonal = large == 0 ? T(0) : T(1);
  const T t = small == large ? of_diagonal : of_axis;
  // A tiny quotient next to the positive x-axis is the result. CPUs are slow at arithmetic on it where it is denormal.
  const bool tiny = !has_fast_reciprocals() && is_tiny(t);
  const T angle = small_arctangent(tiny ? T(0) : t);
  // added to or subtracted from the nearest of 0, pi/2 and pi
  const T halves = steep ? T(1) : negative_x ? T(2) : T(0);
  const T result = fused(halves, half, fused(halves, half_low, flip_sign(angle, steep == negative_x ? T(1) : T(-1))));
  const T of_tiny = both(tiny, halves == 0) ? t : T(0);
  return flip_sign(number(bits(result) ^ bits(of_tiny)), y);
}

}  // namespace dpep::device::circular
