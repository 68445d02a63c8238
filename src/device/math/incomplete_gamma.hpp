// The regularised incomplete gamma functions.
//
// Where x is close to a large a, Temme's uniform expansion (DLMF 8.12). Else the lower function by its power series for
// x below a + 1, and the upper one by its continued fraction for larger x; for small a and x, the upper function by a
// series of its own, because it is not to be computed as 1 minus a number close to 1. The other function is 1 minus the
// first. Both have the factor x^a e^-x / Gamma(a), whose error grows with the logarithm of the result. Loops end at the
// required accuracy, so that these functions are not vectorised. Coefficients: coefficients/special_functions.py.
// Floats are computed in double precision.
#pragma once

#include "device/math/gamma.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/scaled_error.hpp"

namespace dpep::device {
namespace incomplete_gamma {

constexpr double precision = 0x1p-54;
constexpr int most_terms = 2000;

/// mu - log(ratio) for mu = ratio - 1.
DPEP_INLINE double log_remainder(double mu, double ratio) {
  const double s = ratio_for_log(mu), half_square = 0.5 * mu * mu;
  const double near = half_square - s * (half_square + log_rest(s * s));
  return both(mu > -0.29, mu < 0.41) ? near : mu - log(ratio);
}
/// lgamma(1 + a) for 0 <= a <= 2.
DPEP_INLINE double lgamma_of_1_plus(double a) {
  const auto ratio = lgamma_near((a - 0.25) / (a + 2.25));
  return a * ((a - 1) * ratio.high + (a - 1) * ratio.low);
}

/// x^a e^-x / Gamma(a + 1).
DPEP_INLINE double common_factor(double a, double x) {
  constexpr double two_pi = 0x1.921fb54442d18p2;
  if (a < 10) return x < 700 ? pow(x, a) * exp(-x) / tgamma(a + 1) : exp(a * log(x) - x - lgamma(a + 1));
  const double decay = a * log_remainder((x - a) / a, x / a);
  return exp(-decay - stirling_correction(a)) / square_root(two_pi * a);
}

/// Both functions.
struct parts {
  double lower, upper;
};

/// Temme's expansion for a >= 20 and |x / a - 1| <= 0.3: the tail that x is in, by its sign, and 1 minus that.
DPEP_INLINE parts near_a(double a, double x) {
  constexpr double c0[] = {-0x1.5555555555555p-2, 0x1.5555555555555p-4,   -0x1.e573ac901e574p-7,
                           0x1.2f684bda12f68p-10, 0x1.71de3a556c734p-12,  -0x1.76e06fec7273bp-13,
                           0x1.48c5892f7cd83p-15, -0x1.255370652afc1p-19, -0x1.f1b22f594c6b5p-20,
                           0x1.bd6d21e4b4109p-21, -0x1.7b5f9a2d0465cp-23, 0x1.ccf5ceb7f0d9fp-28,
                           0x1.6097d55c37c1cp-27, -0x1.2d2197c7a2faap-28, 0x1.f6e66d24d5c8ap-31};
  constexpr double c1[] = {-0x1.e573ac901e574p-10, -0x1.c71c71c71c71cp-9,  0x1.5ac056b015acp-9,
                           -0x1.0394f6f09e723p-10, 0x1.af83440e53dbcp-13,  -0x1.af83440e53dbcp-22,
                           -0x1.2fa4ae89e5afp-16,  0x1.00a9cabd6b83ep-17,  -0x1.b0bdfcc629cbap-20,
                           0x1.3f59230a8357cp-28,  0x1.280f2cde3f847p-23,  -0x1.ee23d0cba8aeep-25,
                           0x1.9aa7a30de114cp-27,  -0x1.349fbca3a377bp-36, -0x1.1564ecff73d58p-30};
  constexpr double c2[] = {0x1.0ee643b990ee6p-8,   -0x1.5f7268edab4c8p-9,  0x1.948b0fcd6e9ep-11,
                           0x1.0db20a88f4696p-19,  -0x1.c253efaa1a932p-14, 0x1.bbf43daf4fe53p-15,
                           -0x1.ac2d05890f2c3p-17, 0x1.26154ae39151dp-25,  0x1.7058929663937p-20,
                           -0x1.522cb05171911p-21, 0x1.32ac81c15d3d7p-23,  -0x1.c24bd0e740a6cp-33,
                           -0x1.e437343a46f5dp-27, 0x1.ac0d455e2536p-28};
  constexpr double c3[] = {0x1.547d93b34e2b6p-11,  0x1.e13ce465fa859p-13,  -0x1.ebfb188b7cap-12,
                           0x1.18b9b5bf2d984p-12,  -0x1.3d2a3a29b5d9dp-14, -0x1.0152a1871f27ap-22,
                           0x1.73df462204ef4p-17,  -0x1.7cd6f27b3f02p-18,  0x1.7e0201539310ep-20,
                           -0x1.ea23269c140a7p-36, -0x1.6c2dcffbefeefp-23, 0x1.5bde8ef4c4dc7p-24,
                           -0x1.4853ced169327p-26};
  constexpr double c4[] = {-0x1.c3e0b02da7bf9p-11, 0x1.9b0ff6874f2c4p-11, -0x1.3999a85a4237ap-12,
                           -0x1.88f2ae1def9dp-20,  0x1.16908b48ce058p-14, -0x1.4ce3fd902bcadp-15,
                           0x1.7db4c02846e81p-17,  0x1.13b3c5b7cb45ep-32, -0x1.c71c074985d3fp-20,
                           0x1.de37d9f09164cp-21,  -0x1.ec676cf33153cp-23};
  constexpr double c5[] = {-0x1.6128ac5a4fa71p-12, -0x1.247604839c038p-14, 0x1.22be87360ef1fp-12,
                           -0x1.a2042c5148e27p-13, 0x1.1d1e9cb24760bp-14,  0x1.30bdcf208080ep-23,
                           -0x1.c823fc1b3cc36p-17, 0x1.0d0e229150428p-17,  -0x1.338eb19652fd9p-19};
  constexpr double c6[] = {0x1.168ef1b0931c8p-11,  -0x1.36773bdb97b48p-11, 0x1.1c0950d3ecb9dp-12,
                           0x1.a8411da6cab49p-21,  -0x1.5600945495b37p-14, 0x1.d6bdf83130dc1p-15,
                           -0x1.3382f4cf48618p-16, -0x1.a74243fa27729p-29, 0x1.d115d4f5dcc68p-19};
  constexpr double c7[] = {0x1.691879c01efb4p-12, 0x1.b1d75d3346711p-15,  -0x1.5f3385098cebfp-12,
                           0x1.26eeb5ece1d9fp-12, -0x1.cc642787368cep-14, -0x1.119c70312e0a2p-23,
                           0x1.d179830b113abp-16, -0x1.3269164e3e304p-16};
  constexpr double c8[] = {-0x1.5629b3187b744p-11, 0x1.b8239c670e69p-11,  -0x1.cb967b4446107p-12,
                           -0x1.762676b30cfd6p-21, 0x1.5d1157082916dp-13, -0x1.0c16fcea7ddb2p-13};
  constexpr double c9[] = {-0x1.38dff1cc96982p-11, -0x1.2e31f9b7913eap-14, 0x1.63969bb825829p-11,
                           -0x1.4f9f2582dd0a5p-11, 0x1.22fb20c28e8ap-12};
  constexpr double two_pi = 0x1.921fb54442d18p2;
  const double mu = (x - a) / a, decay = log_remainder(mu, x / a), inverse = 1 / a;
  const double eta = flip_sign(square_root(2 * decay), mu);
  double sum = polynomial(eta, c9);
  sum = sum * inverse + polynomial(eta, c8);
  sum = sum * inverse + polynomial(eta, c7);
  sum = sum * inverse + polynomial(eta, c6);
  sum = sum * inverse + polynomial(eta, c5);
  sum = sum * inverse + polynomial(eta, c4);
  sum = sum * inverse + polynomial(eta, c3);
  sum = sum * inverse + polynomial(eta, c2);
  sum = sum * inverse + polynomial(eta, c1);
  sum = sum * inverse + polynomial(eta, c0);
  const double rest = sum / square_root(two_pi * a), scale = exp(-a * decay);
  const double half = 0.5 * scaled_error::of_positive(square_root(a * decay));
  const double tail = scale * (half + flip_sign(rest, mu));
  return bits(mu) < 0 ? parts{tail, 1 - tail} : parts{1 - tail, tail};
}

DPEP_INLINE double lower_series(double a, double x) {
  double term = 1, sum = 1, divisor = a;
  for (int k = 0; k < most_terms; ++k) {
    divisor += 1;
    term *= x / divisor;
    sum += term;
    if (term <= sum * precision) break;
  }
  return sum * common_factor(a, x);
}

/// Legendre's continued fraction, by the modified Lentz method.
DPEP_INLINE double upper_fraction(double a, double x) {
  double b = x + 1 - a, c = 0x1p1000, d = 1 / b, fraction = d;
  for (int k = 1; k < most_terms; ++k) {
    const double factor = k * (a - k);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    const double change = c * d;
    fraction *= change;
    if (magnitude(change - 1) <= 2 * precision) break;
  }
  return fraction * (a * common_factor(a, x));
}

/// 1 - x^a / Gamma(a + 1) (1 + a (sum of (-x)^n / (n! (a + n)))), for x <= 1.1 and small a.
DPEP_INLINE double upper_series(double a, double x) {
  double factor = 1, sum = 0;
  for (int n = 1; n < most_terms; ++n) {
    factor *= -x / n;
    const double term = factor / (a + n);
    sum += term;
    if (magnitude(term) <= precision * magnitude(sum)) break;
  }
  const double logarithm = a * log(x) - lgamma_of_1_plus(a);
  return -expm1(logarithm) - a * exp(logarithm) * sum;
}

DPEP_INLINE parts of(double a, double x) {
  if (either(a != a, x != x)) return {a + x, a + x};
  if (either(x < 0, a < 0)) return {nan<double>, nan<double>};
  const bool a_ends = either(a == 0, a == infinity<double>), x_ends = either(x == 0, x == infinity<double>);
  if (both(both(a_ends, x_ends), (a == 0) == (x == 0))) return {nan<double>, nan<double>};
  if (either(a == 0, x == infinity<double>)) return {1, 0};
  if (either(x == 0, a == infinity<double>)) return {0, 1};
  if (both(a >= 20, magnitude(x - a) <= 0.3 * a)) return near_a(a, x);
  // the upper function is small where a is small, except for x close to 0
  const bool upper_is_small = both(x <= 1.1, x <= 0.5 ? -0.4 < a * log(x) : x > a / 1.1);
  if (both(upper_is_small, a <= 2)) {
    const double upper = upper_series(a, x);
    return {1 - upper, upper};
  }
  if (either(x <= 1, x <= a)) {
    const double lower = lower_series(a, x);
    return {lower, 1 - lower};
  }
  const double upper = upper_fraction(a, x);
  return {1 - upper, upper};
}

}  // namespace incomplete_gamma

/// P(a, x) and Q(a, x) = 1 - P(a, x); NaN for negative numbers.
template <class T> DPEP_INLINE T gammainc(T a, T x) { return T(incomplete_gamma::of(a, x).lower); }
template <class T> DPEP_INLINE T gammaincc(T a, T x) { return T(incomplete_gamma::of(a, x).upper); }

}  // namespace dpep::device
