// tgamma and lgamma, branch-free.
//
// Gamma(1 + y) = (1 + y)^(y + 1/2) e^-(1 + y) A(y) for y >= 0 (Stirling's formula), where A falls from e to sqrt(2 pi)
// and is nearly a polynomial in (y - 3/2) / (y + 3/2). It gives Gamma(x) for x >= 1, Gamma(x) = Gamma(1 + x) / x for
// smaller x, and Gamma(-y) = -pi / (sin(pi y) Gamma(1 + y)).
//
// lgamma(x) = (x - 1) (x - 2) R(x) from 1/2 to 3, which is accurate near its zeros; for larger x, Stirling's series in
// v = x - 1/2; for smaller x, lgamma(1 + x) - log(x); for negative numbers the logarithm of the reflection formula,
// which near the zeros between negative integers is as accurate as its terms are. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/gpu_gamma.hpp"
#include "device/math/pow.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::device {

/// sin(pi y), exactly 0 for integers.
DPEP_INLINE double sine_of_pi_times(double y) {
  const double turned = 2 * (y - 2 * round_to_even(y * 0.5));  // exact, in [-2, 2]
  const double shifted = turned + format<double>::round_magic;
  const double r = turned - (shifted - format<double>::round_magic);
  return select_quadrant(bits(shifted), of_remainder(pair<double>{r, 0.0}));
}

/// A(y) - 5/2 for t = (y - 3/2) / (y + 3/2), with the accuracy of T.
template <class T> DPEP_INLINE double gamma_factor_rest(double t) {
  if constexpr (sizeof(T) == 4)
    return horner(t, 0x1.7558a7786f557p-4, -0x1.a230a110e01dcp-4, 0x1.52f17f8e06a66p-6, -0x1.d9c07fd88efd7p-9,
                  0x1.38838811a74b8p-11, -0x1.d233d54d89365p-14, 0x1.6bdaf078314e7p-16, -0x1.0e05ff060582ep-18,
                  0x1.bf91f27363478p-21);
  else
    return horner(t * t, 0x1.7558a768d54d8p-4, 0x1.52f18a03f97d2p-6, 0x1.387ad3d69f00fp-11, 0x1.6e3c14ab1412dp-16,
                  0x1.841b4b658bb99p-21, 0x1.4fdddb464b344p-26, 0x1.7eb6903ea03bfp-30, 0x1.8e561236dbe85p-33,
                  -0x1.8aa16f127b82bp-36) +
           t * horner(t * t, -0x1.a230a24160e0dp-4, -0x1.d9be623e516e8p-9, -0x1.d3387f1940967p-14,
                      -0x1.edb8d670feb3p-19, -0x1.555ea40475bd3p-23, -0x1.9856d4df63d9ap-28, 0x1.5e6aa1e583968p-33,
                      0x1.ebd6de9cfad9cp-38, -0x1.597512a58c035p-37);
}

/// Gamma(1 + y) = value 2^exponent for 0 <= y <= 185, value in [1, 4].
struct scaled_gamma {
  double value;
  std::int64_t exponent;
};
template <class T> DPEP_INLINE scaled_gamma gamma_of_1_plus(double y) {
  constexpr double log2_e = 0x1.71547652b82fep0, log2_e_low = 0x1.777d0ffda0d24p-56;
  const double rest = gamma_factor_rest<T>(ordinary_quotient(y - 1.5, y + 1.5));
  if constexpr (sizeof(T) == 4) {
    const double w = y + 1;
    return {exp2_for_floats((y + 0.5) * log2_for_floats(w) - w * log2_e) * (2.5 + rest), 0};
  }
  const auto w = exact_sum(y, 1.0), power = exact_sum(y, 0.5);
  const auto logarithm = log2_in_two_parts(w.high);
  const double log_low = logarithm.low + ordinary_quotient(w.low, w.high) * log2_e;
  const auto grown = exact_product(power.high, logarithm.high), shrunk = exact_product(w.high, log2_e);
  const double grown_low = grown.low + (power.high * log_low + power.low * logarithm.high);
  const double shrunk_low = shrunk.low + (w.high * log2_e_low + w.low * log2_e);
  const auto p = exact_sum(grown.high, -shrunk.high);
  const double shifted = p.high + format<double>::round_magic;
  const double r = (p.high - (shifted - format<double>::round_magic)) + (p.low + (grown_low - shrunk_low));
  const double e = expm1_of_small(r * exp_constants<double>::ln2);
  const auto factor = exact_sum_ordered(2.5, rest);
  return {factor.high + (factor.high * e + (factor.low + factor.low * e)), rounded(shifted)};
}

/// The largest x with a finite result, and the largest |x| with a result that is not 0.
template <class T> struct gamma_limits;
template <> struct gamma_limits<float> {
  static constexpr double largest = 1000, farthest = 44;  // the conversion to float overflows
};
template <> struct gamma_limits<double> {
  static constexpr double largest = 0x1.573fae561f647p7, farthest = 185;
};

template <class T> DPEP_INLINE T general_tgamma(T x) {
  constexpr double pi = 0x1.921fb54442d18p1;
  const bool negative = bits(x) < 0;
  const double positive = magnitude(x);
  const bool tiny = positive < 0x1p-60;  // the result is 1 / x, and other terms would be denormal
  const double at_least_tiny = tiny ? 0x1p-60 : positive;
  const double y = either(negative, at_least_tiny < 1) ? at_least_tiny : at_least_tiny - 1;
  const auto [value, exponent] = gamma_of_1_plus<T>(y < gamma_limits<T>::farthest ? y : gamma_limits<T>::farthest);
  const double sine = sine_of_pi_times(at_least_tiny);
  const double numerator = negative ? pi : value;
  const double denominator = negative ? magnitude(sine) * value : at_least_tiny < 1 ? at_least_tiny : 1.0;
  const double quotient = numerator / denominator;
  const bool pole = both(negative, round_to_even(at_least_tiny) == at_least_tiny);
  double result = quotient;
  if constexpr (sizeof(T) == 8) {
    result = scale(quotient * 0.25, (negative ? -exponent : exponent) + 2);
  }
  result = tiny ? 1 / positive : result;
  result = flip_sign(result, negative ? bits(sine) < 0 ? 1.0 : -1.0 : 1.0);
  result = both(!negative, positive > gamma_limits<T>::largest) ? infinity<double> : result;
  result = either(pole, x != x) ? nan<double> : result;
  return T(result);
}

/// Not inlined, since few inputs on GPUs take this path.
template <class T> [[gnu::noinline, gnu::const]] static inline T rare_tgamma(T x) noexcept { return general_tgamma(x); }
DPEP_INLINE float tgamma(float x) {
  if (!has_fast_reciprocals()) return general_tgamma(x);
  const bool finite = both(x > -42.5f, x < 35.125f);  // and not 0: few inputs outside have such results
  if (!both(magnitude(x) >= 0x1p-126f, finite)) [[unlikely]]
    return rare_tgamma(x);
  return gpu::ordinary_tgamma(x);
}
DPEP_INLINE double tgamma(double x) {
  if (!has_fast_reciprocals()) return general_tgamma(x);
  if (!both(x > 0x1p-1000, x < 171.625)) [[unlikely]]  // results are finite up to 171.6243
    return rare_tgamma(x);
  const bool below = x < 1;  // Gamma(1 + x) / x
  const double z = below ? x + 1 : x, v = z - 0.5;
  const auto logarithm = log2_in_two_parts(z, 0x1.7158p0);  // log2(e), shortened
  const double log_low = logarithm.low + 0x1.c4d6a3e80f444p-15;
  const double product = v * logarithm.high, product_low = fused(v, log_low, fused(v, logarithm.high, -product));
  const double shifted = product + format<double>::round_magic;
  const double r = (product - (shifted - format<double>::round_magic)) + product_low;
  const auto n = std::int32_t(bits(shifted)) - 1, half = n >> 1;
  const double factor = gpu::gamma_by_power(1.0 / 3 - by_reciprocal::reciprocal(z + 0.5));
  const double gamma = fused(factor, expm1_of_small(r * exp_constants<double>::ln2), factor);
  return (below ? by_reciprocal::quotient(gamma, x) : gamma) * short_power<double>(half) *
         short_power<double>(n - half);
}

/// lgamma(x) / ((x - 1) (x - 2)) for t = (x - 5/4) / (x + 5/4), 1/2 <= x <= 3.
DPEP_INLINE pair<double> lgamma_near(double t) {
  const double z = t * t;
  const double rest =
      horner(z, -0x1.d8782ecd96533p-2, -0x1.44ce18e635c02p-3, -0x1.8d39da551f6dap-4, -0x1.1e3fbc89dc841p-4,
             -0x1.bf80b503a41bdp-5, -0x1.6f4cd5498ff96p-5, -0x1.378bbb99ed5ddp-5, -0x1.0d7c79085ab21p-5,
             -0x1.eda89d4437131p-6, -0x1.4ab5e258257b3p-6, -0x1.84dbe2bdc55cbp-5, 0x1.2e3e54882a57cp-5,
             -0x1.7af64b9ea87bep-4) +
      t * horner(z, 0x1.0980a50d85155p-3, 0x1.61af2e88a6656p-4, 0x1.07b3a39da242fp-4, 0x1.a3d64fc50ab62p-5,
                 0x1.5c92055c4e273p-5, 0x1.29f1c6f189e0cp-5, 0x1.04112ccaac749p-5, 0x1.cf84763226f9fp-6,
                 0x1.8eb540e3f3af5p-6, 0x1.d4fc9cedaf262p-6, 0x1.882fe56e5e888p-10, 0x1.c3a41a251b47p-5);
  const auto sum = exact_sum_ordered(0x1.0c58fe25dca2cp-1, t * rest);
  return {sum.high, sum.low - 0x1.7408ca896d44fp-55};
}
/// v (lgamma(v + 1/2) - v (log(v) - 1) - log(2 pi) / 2) for z = 1 / v^2, v >= 5/2.
DPEP_INLINE double lgamma_rest(double z) {
  return horner(z, -0x1.555555555554dp-5, 0x1.3e93e93e52ac6p-9, -0x1.93193047ae06p-11, 0x1.35a2b4869862ep-11,
                -0x1.b849d17b723b9p-11, 0x1.f2fb61f410a3cp-10, -0x1.8cf59998866d6p-8, 0x1.76747c40e0a3dp-6,
                -0x1.54f895ccf59fbp-4, 0x1.ed234e92be7bdp-3, -0x1.d24d64f538c51p-2, 0x1.a0514ff6ccc0dp-2);
}

/// log(x) to about 2^-57, for normal x > 0.
DPEP_INLINE pair<double> log_in_two_parts(double x) {
  using c = log_constants<double>;
  const auto [e, f] = split_for_log(x);
  const double s = ratio_for_log(f);
  const double half_square = 0.5 * f * f;
  const auto sum = exact_sum(e * c::ln2_high, f);
  return exact_sum_ordered(sum.high, sum.low + ((s * (half_square + log_rest(s * s)) + e * c::ln2_low) - half_square));
}
/// lgamma(v + 1/2) for v >= 5/2: log(v) in two parts, since v multiplies its error.
DPEP_INLINE double stirling(double v) {
  constexpr double half_log_2_pi = 0x1.d67f1c864beb5p-1, half_log_2_pi_low = -0x1.65b5a1b7ff5dfp-55;
  const double inverse = v < 0x1p100 ? ordinary_reciprocal(v) : 0.0;
  const auto logarithm = log_in_two_parts(v);
  const auto less_1 = exact_sum(logarithm.high, -1.0);
  const auto product = exact_product(v, less_1.high);
  const double product_low = product.low + v * (less_1.low + logarithm.low);
  const auto sum = exact_sum(product.high, half_log_2_pi);
  const double low = product_low + (half_log_2_pi_low + inverse * lgamma_rest(inverse * inverse));
  return product.high < 0x1p1000 ? sum.high + (sum.low + low) : product.high;  // may be infinite
}

/// lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2 for x >= 3.
DPEP_INLINE double stirling_correction(double x) {
  const double inverse = 1 / x;
  return inverse * gpu::stirling_rest(inverse * inverse);
}

/// In double precision for floats too, and as accurate, so that floats are correct also near the zeros between negative
/// integers.
template <class T> DPEP_INLINE T general_lgamma(T x) {
  constexpr double inverse_pi = 0x1.45f306dc9c883p-2;
  const bool negative = bits(x) < 0;
  const double y = magnitude(x);
  const bool near = y <= 3, below = y < 0.5;

  // 1/2 <= y <= 3, and 1 + y for y < 1/2
  const double at = near ? flush_below(y, 0x1p-100) : 2.0, from_1 = below ? at : at - 1,
               from_2 = below ? at - 1 : at - 2;
  const double shifted = below ? at + 1 : at;
  const auto factors = exact_product(from_1, from_2),
             ratio = lgamma_near(ordinary_quotient(shifted - 1.25, shifted + 1.25));
  const double of_near = factors.high * ratio.high + (factors.high * ratio.low + factors.low * ratio.high);
  const double v = near ? 2.5 : y - 0.5;
  const double of_far = stirling(v);
  const double value = near ? of_near : of_far;

  // minus log(y) for 0 < x < 1/2, or log(y sin(pi y) / pi) for negative x, without the factor y where lgamma(1 + y)
  // contains it
  const double sine = magnitude(sine_of_pi_times(flush_below(y, 0x1p-100))) * inverse_pi;
  const double reflected = sine * (below ? 1.0 : y);
  const double of_positive = below ? y : 1.0;
  const double factor = both(negative, y > 0x1p-60) ? reflected : of_positive;
  const double regular = (negative ? -value : value) - log(factor) + 0.0;  // no -0
  const double result = factor == 0 ? infinity<double> : regular;          // also where the value has overflowed
  return T(y < infinity<double> ? result : y);
}
template <class T> [[gnu::noinline, gnu::const]] static inline T rare_lgamma(T x) noexcept { return general_lgamma(x); }
[[gnu::noinline, gnu::const]] static inline double lgamma_of_negative(double y) noexcept {
  return has_fast_reciprocals() ? gpu::lgamma_of_negative(y) : y;  // CPUs never call it, but compile it
}
template <class T> DPEP_INLINE T lgamma(T x) {
  if (!has_fast_reciprocals()) return general_lgamma(x);
  constexpr T least = sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1000);
  if (!both(magnitude(x) >= least, magnitude(x) < gpu::limits_of<T>::largest_for_log)) [[unlikely]]
    return rare_lgamma(x);
  return bits(x) < 0 ? T(lgamma_of_negative(-x)) : gpu::lgamma_of_positive(x);
}

}  // namespace dpep::device
