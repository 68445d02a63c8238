// pow, branch-free for every input: 2^(y log2(x)) with the logarithm to about 2^-66.
//
// The special cases are those of C99's Annex F. Polynomials: coefficients/polynomials.py.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/gpu_pow.hpp"
#include "device/math/log.hpp"

namespace dpep::device {

/// log2(x) - offset for positive, finite x and an offset of few bits: with s = (m - 1) / (m + 1),
/// log2(m) = 2 / (3 ln 2) s (3 + s^2 + r), r small.
DPEP_INLINE pair<double> log2_in_two_parts(double x, double offset = 0) {
  const auto [e, f] = split_for_log(x);
  const auto m_plus_1 = exact_sum_ordered(2.0, f);
  const double reciprocal = ordinary_reciprocal(m_plus_1.high);
  const double s = f * reciprocal;
  const double s_low = (residual(f, s, m_plus_1.high) - s * m_plus_1.low) * reciprocal;

  const auto z = exact_product(s, s);
  const double square = z.high * z.high;
  const double rest = square * (horner(z.high, 0x1.3333333333464p-1, 0x1.b6db6db683c3ap-2) +
                                square * horner(z.high, 0x1.555555a209cbep-2, 0x1.1745af6bbb79bp-2,
                                                0x1.d8ae6195d4ed3p-3, 0x1.973fea601e6b1p-3, 0x1.95638a39d031ap-3));
  const auto sum = exact_sum_ordered(3.0, z.high);
  const double sum_low = sum.low + (z.low + 2 * s * s_low) + rest;

  const auto u = exact_product(s, sum.high);
  const double u_low = u.low + (s * sum_low + s_low * sum.high);
  const auto v = exact_product(u.high, 0x1.ec709dc3a03fdp-1);  // 2 / (3 ln 2)
  const double v_low = v.low + (u.high * 0x1.d27f05548af0cp-55 + u_low * 0x1.ec709dc3a03fdp-1);
  const auto result = exact_sum_ordered(e - offset, v.high);
  return exact_sum_ordered(result.high, result.low + v_low);
}

/// |x|^y for x that is not NaN, and y that is not NaN or zero.
DPEP_INLINE double pow_of_magnitude(double x, double y) {
  const auto logarithm = log2_in_two_parts(x);
  // so 0 and infinity follow from y * log2(x) alone
  double log_high = x == 0 ? -infinity<double> : logarithm.high;
  log_high = x == infinity<double> ? x : log_high;
  y = magnitude(y) < 0x1p-100 ? flip_sign(0x1p-100, y) : y;  // the same result without denormal products
  const auto product = exact_product(y, log_high);
  const double p = product.high < -1080 ? -1080 : product.high;
  const double p_low = p == product.high ? product.low + y * logarithm.low : 0.0;
  const double shifted = p + format<double>::round_magic;
  const double r = (p - (shifted - format<double>::round_magic)) + p_low;
  const double power = scale(exp_of_small(r * 0x1.62e42fefa39efp-1), rounded(shifted));
  const double result = p < 1024 ? power : infinity<double>;
  return x == 1 ? 1.0 : result;  // y may be infinite
}

/// log2(x) to about 2^-40, for floats: all are normal as doubles.
DPEP_INLINE double log2_for_floats(double x) {
  using U = std::uint64_t;
  using c = log_constants<double>;
  const U moved = U(bits(x)) + U(c::one - c::sqrt_half);
  const double e = unbiased(moved >> 52);
  const double f = number(std::int64_t((moved & 0xfffffffffffff) + U(c::sqrt_half))) - 1;
  const double s = ratio_for_log(f), z = s * s;
  const double fraction = s * horner(z, 0x1.71547652b82fep1, 0x1.ec709d45035bcp-1, 0x1.2777675c06487p-1,
                                     0x1.a5965446e4ac6p-2, 0x1.5c6282e642a0fp-2);
  return e + fraction;
}
/// 2^p for |p| < 1000, to about 2^-34. As a double it is normal: converting it rounds denormal floats once.
DPEP_INLINE double exp2_for_floats(double p) {
  const double shifted = p + format<double>::round_magic;
  const double r = p - (shifted - format<double>::round_magic);
  const double power = 1 + r * horner(r, 0x1.62e430cfb4816p-1, 0x1.ebfbe0b7f9bf1p-3, 0x1.c6aecca48f09bp-5,
                                      0x1.3b29c044bd0d1p-7, 0x1.5f48a0aa85b3bp-10, 0x1.448108276bc08p-13);
  return power * power_of_two<double>(rounded(shifted));
}

/// In double precision throughout: faster than pairs of floats, since the logarithm need not be in two parts.
DPEP_INLINE float pow_of_magnitude(float x_float, float y_float) {
  const double x = x_float, y = y_float;
  double logarithm = log2_for_floats(x);
  logarithm = x == 0 ? -infinity<double> : logarithm;
  logarithm = x == infinity<double> ? x : logarithm;
  const double product = y * logarithm;
  const double above = product < -160 ? -160 : product;
  const double result = exp2_for_floats(above > 140 ? 140 : above);
  return x == 1 ? 1.0f : float(result);
}

template <class T> DPEP_INLINE T general_pow(T x, T y) {
  const T base = magnitude(x), half = y * T(0.5);
  const bool integer = round_to_even(y) == y;  // infinities and all large numbers too, as even ones
  const bool odd = integer & (round_to_even(half) != half);
  const bool no_real_power = (x < 0) & (base < infinity<T>)&!integer;
  const bool not_a_number = (x != x) | (y != y);
  const bool always_1 = (y == 0) | (x == 1);
  const T power = pow_of_magnitude(base, y);
  T result = odd ? flip_sign(power, x) : power;
  result = no_real_power ? nan<T> : result;
  result = not_a_number ? x + y : result;
  return always_1 ? T(1) : result;
}

/// Not inlined: on GPUs, few inputs are other than a normal x > 0 and a finite y.
[[gnu::noinline, gnu::const]] static inline float rare_pow(float x, float y) noexcept { return general_pow(x, y); }
DPEP_INLINE float pow(float x, float y) {
  if (!has_fast_reciprocals()) return general_pow(x, y);
  const bool ordinary = both(x >= 0x1p-126f, x < infinity<float>);
  if (!both(ordinary, magnitude(y) < infinity<float>)) [[unlikely]]
    return rare_pow(x, y);
  return gpu::pow_of_positive(x, y);
}
DPEP_INLINE double pow(double x, double y) { return general_pow(x, y); }

}  // namespace dpep::device
