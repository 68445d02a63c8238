// erf and erfc of floats and doubles for GPUs, each by one formula for all numbers.
//
// erf is 1 - e^-d(x), d a polynomial. erfc is e^(-x^2) P(t) / (x + 1/2), where P is between 1/2 and 0.65 and nearly a
// polynomial in t = (x - b) / (x + b) / 2 (Shepherd and Laframboise, Mathematics of Computation 36, 1981). b is close
// to the value that needs the fewest coefficients, has few bits, and makes P(0) nearly a double. At most 2 ulp in
// tests. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/gpu_hyperbolic.hpp"

namespace dpep::device::gpu {

/// -log(erfc(x)) for 0 <= x <= 4, with the accuracy that erf requires.
DPEP_INLINE float erf_decay(float x) {
  return fused(x, 0x1.20dd76p0f,
               x * horner(x, -0x1.f7ac92p-25f, 0x1.45f2fep-1f, 0x1.a4f958p-4f, -0x1.39c028p-6f, -0x1.5bf00ap-13f,
                          0x1.b6584cp-10f, -0x1.4d2ac6p-11f, 0x1.f05812p-14f, -0x1.391304p-17f));
}
/// The same for 0 <= x <= 6.
DPEP_INLINE double erf_decay(double x) {
  return fused(x, 0x1.20dd750429b6dp0,
               x * horner(x, 0x1.1ae3a914fed8p-56, 0x1.45f306dc9c885p-1, 0x1.a4f4e2a1b37fap-4, -0x1.396685943a691p-6,
                          -0x1.b6b68a2c578c5p-13, 0x1.bca67a8d6c1abp-10, -0x1.3565459268da2p-11, 0x1.b2281ca2b44cep-16,
                          0x1.0e81a23733bb5p-14, -0x1.f2bde9c732105p-16, 0x1.c9ed4a543e26bp-19, 0x1.7bd81e13b5162p-19,
                          -0x1.d243aa393e2ffp-20, 0x1.6594d0273ee1ep-22, 0x1.2ad768449edfap-23, -0x1.32770f02769ap-23,
                          0x1.1be543813d31dp-24, -0x1.6a16p-26, 0x1.595c6p-28, -0x1.f642ep-31, 0x1.14457p-33,
                          -0x1.bebc1p-37, 0x1.f59ap-41, -0x1.5d89p-45, 0x1.c75e9p-51));
}
template <class T> DPEP_INLINE T erf(T x) {
  constexpr T erf_is_1 = sizeof(T) == 4 ? 4 : 6;  // from here on
  const T positive = magnitude(x);
  return with_sign_of(scaled_expm1<0>(-erf_decay(positive > erf_is_1 ? erf_is_1 : positive)), x);
}

/// Constants of erfc.
template <class T> struct complement;
template <> struct complement<float> {
  static constexpr float b = 731.0f / 256, at_b = 0x1.419e7ep-1f;  // P(0)
  static constexpr float erfc_is_0 = 10.1f;                        // from here on
  static constexpr std::int32_t up = 32;                           // 2^n is normal after multiplication by 2^up
  static constexpr float down = 0x1p-32f;                          // 2^-up
};
template <> struct complement<double> {
  static constexpr double b = 849.0 / 256, at_b = 0x1.3f011b6230cdap-1;
  static constexpr double erfc_is_0 = 27.3;
  static constexpr std::int32_t up = 64;
  static constexpr double down = 0x1p-64;
};
/// (P(t) - P(0)) / t.
DPEP_INLINE float complement_rest(float t) {
  return horner(t, -0x1.1046f2p-3f, -0x1.f23efcp-4f, 0x1.1bfbaap-1f, -0x1.e025b2p-1f, 0x1.e7f90ap-1f, -0x1.06df42p-1f,
                -0x1.d4a3ep-5f, 0x1.1f4d6p-2f, -0x1.618474p-5f, -0x1.b2c35p-4f);
}
DPEP_INLINE double complement_rest(double t) {
  return horner(t, -0x1.1ce9f466fad8fp-3, -0x1.737b3ac9c97b2p-5, 0x1.bf5871f6b3b63p-2, -0x1.e4518d9a31365p-1,
                0x1.525907b9faa7cp0, -0x1.49f459403f14ap0, 0x1.97b2eb0ff7017p-1, -0x1.1b5f0ff4885fep-3,
                -0x1.03359cb7f0285p-2, 0x1.a95d109f69f89p-3, 0x1.0c6280e17b433p-5, -0x1.f98a1db1bf091p-4,
                0x1.02707f434ccf3p-6, 0x1.202c5c6fa1e9cp-4, -0x1.33295p-6, -0x1.6c655p-5, 0x1.91c5dp-7, 0x1.00f36p-5,
                -0x1.1738bp-8, -0x1.66802p-6, -0x1.91446p-9, 0x1.580ddp-7, 0x1.500cp-8);
}

DPEP_INLINE float coarse_reciprocal(float x) { return fast_reciprocal(x); }
DPEP_INLINE double coarse_reciprocal(double x) {
  const double start = fast_reciprocal(x);
  return fused(start, fused(-x, start, 1.0), start);
}

template <class T> DPEP_INLINE T erfc(T x) {
  using c = complement<T>;
  using e = exp_constants<T>;
  const T y = magnitude(x) > c::erfc_is_0 ? c::erfc_is_0 : magnitude(x);

  // P(t) / (x + 1/2) = q + q_low, from estimates of reciprocals: to 2^-22 for floats, to 2^-38 for doubles
  const T inverse_for_t = sizeof(T) == 4 ? fast_reciprocal(y + c::b) : by_reciprocal::reciprocal(y + c::b);
  const T t = fused(y, inverse_for_t, T(-0.5)), rest = complement_rest(t);
  const T p = fused(t, rest, c::at_b), p_low = fused(t, rest, c::at_b - p);
  const T sum = y + T(0.5), sum_low = y - (sum - T(0.5)), inverse = coarse_reciprocal(sum);
  const T q = p * inverse, q_low = inverse * (fused(-q, sum_low, fused(-q, sum, p)) + p_low);

  // e^(-x^2) = 2^n e^r
  const T square = y * y, square_low = fused(y, y, -square);
  const T shifted = fused(-square, e::log2_e, format<T>::round_magic);
  const T n = shifted - format<T>::round_magic;
  const T r = fused(-n, e::ln2_high, -square) + fused(-n, e::ln2_low, -square_low);

  const T product = q + fused(q + q_low, expm1_of_small(r), q_low);
  const T raised = product * short_power<T>(std::int32_t(std::uint32_t(bits(shifted)) + c::up));  // unspecified for NaN
  const T two_or_0 = number(integer_of<T>(unsigned_of<T>(bits(sign_of(x))) >> 1));                // 2 for negative x
  return fused(raised, flip_sign(c::down, x), two_or_0);
}

}  // namespace dpep::device::gpu
