// sin, cos and tan.
//
// With fused multiply-adds, the functions are those of circular.hpp, and for floats of single.hpp. Without, they are
// branch-free and equally fast for every input, however large: |x| 2/pi modulo 4 gives the quadrant and a remainder
// between -1/2 and 1/2, and polynomials give sin and cos of pi/2 times the remainder (quarter_turns.hpp). Both
// functions of one argument are always computed so. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/circular.hpp"
#include "device/math/quarter_turns.hpp"
#include "device/math/single.hpp"

namespace dpep::device {

/// sin(pi/2 r) and cos(pi/2 r), or their polynomials.
template <class T> struct sine_cosine {
  T sine, cosine;
};
constexpr double second_of_cosine = -0x1.3bd3cc9be45dep0;  // -(pi/2)^2 / 2
/// The polynomials: sin = pi/2 r + r z sine, cos = 1 + z second + z^2 cosine, for z = r^2.
DPEP_INLINE sine_cosine<double> rest_of_remainder(double z) {
  return {horner(z, -0x1.4abbce625be47p-1, 0x1.466bc67758df8p-4, -0x1.32d2cce33a07cp-8, 0x1.507830215233cp-13,
                 -0x1.e300ab273db1ep-19, 0x1.e40549cc148edp-25),
          horner(z, 0x1.03c1f081b5a50p-2, -0x1.55d3c7e3bf83ap-6, 0x1.e1f50674e644cp-11, -0x1.a6d1e17a55719p-16,
                 0x1.f9c4091125da9p-22, -0x1.affece810386dp-28)};
}
DPEP_INLINE sine_cosine<double> of_remainder(pair<double> r) {
  constexpr double half_pi = 0x1.921fb54442d18p0, half_pi_low = 0x1.1a62633145c07p-54;
  const double z = r.high * r.high;
  const auto [sine_rest, cosine_rest] = rest_of_remainder(z);
  return {r.high * half_pi + (r.low * half_pi + r.high * (half_pi_low + z * sine_rest)),
          1 + (z * (second_of_cosine + z * cosine_rest) + (2 * second_of_cosine) * r.high * r.low)};
}
DPEP_INLINE sine_cosine<double> of_remainder(double r) {
  const double z = r * r;
  return {r * horner(z, 0x1.921fb54442d18p0, -0x1.4abbbf1d1b5b7p-1, 0x1.46602e09f9788p-4, -0x1.2dcfaaa78b3e7p-8),
          1 + z * horner(z, -0x1.3bd3cc7eb2f8cp+0, 0x1.03c1dec5c3874p-2, -0x1.55c66100d217ep-6, 0x1.d9f6ccf534593p-11)};
}

/// The sine or the cosine, with the sign that it has in the quadrant.
template <class R> DPEP_INLINE double select_quadrant(std::int64_t quadrant, R values) {
  const double value = quadrant & 1 ? values.cosine : values.sine;
  return number(std::int64_t(std::uint64_t(bits(value)) ^ (std::uint64_t(quadrant & 2) << 62)));
}

/// The functions of a block of arguments, with fused multiply-adds: a loop over moderate arguments contains neither a
/// branch nor the reduction of large ones. `counts` tells afterwards whether all arguments were moderate.
#define DPEP_FUNCTION_OF_BLOCKS(name)                                                                                  \
  template <arguments of> DPEP_INLINE float name(float x, turn_counts<float> &counts) {                                \
    return single::name<of>(x, counts);                                                                                \
  }                                                                                                                    \
  template <arguments of> DPEP_INLINE double name(double x, turn_counts<double> &counts) {                             \
    return circular::name<of>(x, counts);                                                                              \
  }
DPEP_FUNCTION_OF_BLOCKS(sin)
DPEP_FUNCTION_OF_BLOCKS(cos)
DPEP_FUNCTION_OF_BLOCKS(tan)
#undef DPEP_FUNCTION_OF_BLOCKS

DPEP_INLINE double sin(double x) {
  if (turn_counts<double> counts; DPEP_DEVICE_FUSED) return sin<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  const double result = flip_sign(select_quadrant(reduced.quadrant, of_remainder(reduced.remainder)), x);
  return magnitude(x) < 0x1p-27 ? x : result;
}
DPEP_INLINE double cos(double x) {
  if (turn_counts<double> counts; DPEP_DEVICE_FUSED) return cos<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  return select_quadrant(reduced.quadrant + 1, of_remainder(reduced.remainder));
}
DPEP_INLINE float sin(float x) {
  if (turn_counts<float> counts; DPEP_DEVICE_FUSED) return sin<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  return flip_sign(float(select_quadrant(reduced.quadrant, of_remainder(reduced.remainder))), x);
}
DPEP_INLINE float cos(float x) {
  if (turn_counts<float> counts; DPEP_DEVICE_FUSED) return cos<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  return float(select_quadrant(reduced.quadrant + 1, of_remainder(reduced.remainder)));
}

/// sin(x) and cos(x) with one reduction; for floats in double precision, too, but only as accurate as floats need.
DPEP_INLINE sine_cosine<double> sin_cos(double x) {
  const auto reduced = reduce(x);
  const auto values = of_remainder(reduced.remainder);
  const double sine = flip_sign(select_quadrant(reduced.quadrant, values), x);
  return {magnitude(x) < 0x1p-27 ? x : sine, select_quadrant(reduced.quadrant + 1, values)};
}
DPEP_INLINE sine_cosine<double> sin_cos(float x) {
  const auto reduced = reduce(x);
  const auto values = of_remainder(reduced.remainder);
  return {flip_sign(select_quadrant(reduced.quadrant, values), double(x)),
          select_quadrant(reduced.quadrant + 1, values)};
}

/// sin / cos, or -cos / sin, of pi/2 r, with the rounding errors of both, since three roundings would cost 2.4 ulp.
DPEP_INLINE double tangent_of_remainder(bool odd, pair<double> r) {
  constexpr double half_pi = 0x1.921fb54442d18p0, half_pi_low = 0x1.1a62633145c07p-54;
  const double z = r.high * r.high;
  const auto [sine_rest, cosine_rest] = rest_of_remainder(z);
  const auto product = exact_product(r.high, half_pi);
  const auto sine = exact_sum_ordered(  // r.low is not small where cancellation made r.high small
      product.high, product.low + (r.low * half_pi + r.high * (half_pi_low + z * sine_rest)));
  const auto start = exact_sum_ordered(1.0, z * second_of_cosine);
  const auto cosine =
      exact_sum_ordered(start.high, start.low + (z * z * cosine_rest + (2 * second_of_cosine) * r.high * r.low));
  const double above = odd ? -cosine.high : sine.high, above_low = odd ? -cosine.low : sine.low;
  const double below = odd ? sine.high : cosine.high, below_low = odd ? sine.low : cosine.low;
  const double reciprocal = 1 / below;
  const double quotient = above * reciprocal;
  return quotient + (residual(above, quotient, below) + (above_low - quotient * below_low)) * reciprocal;
}
DPEP_INLINE double tan(double x) {
  if (turn_counts<double> counts; DPEP_DEVICE_FUSED) return tan<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  const double result = flip_sign(tangent_of_remainder(reduced.quadrant & 1, reduced.remainder), x);
  return magnitude(x) < 0x1p-27 ? x : result;
}
DPEP_INLINE float tan(float x) {
  if (turn_counts<float> counts; DPEP_DEVICE_FUSED) return tan<arguments::any>(x, counts);
  const auto reduced = reduce(x);
  const auto values = of_remainder(reduced.remainder);
  const bool odd = reduced.quadrant & 1;
  return flip_sign(float((odd ? -values.cosine : values.sine) / (odd ? values.sine : values.cosine)), x);
}

}  // namespace dpep::device
