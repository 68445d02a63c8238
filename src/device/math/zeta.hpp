// The zeta functions of Hurwitz and Riemann, branch-free.
//
// Euler and Maclaurin's formula: the first nine terms of the sum, an integral for the others, and a series of Bernoulli
// numbers. Floats are computed in double precision.
#pragma once

#include "device/math/gamma.hpp"
#include "device/math/pow.hpp"

namespace dpep::device {
namespace zeta_function {

constexpr int direct_terms = 9;

/// The sum of (q + k)^-x for k = 0, 1, …, without a check of the arguments: x > 1 and q > 0, or q = 1 and x >= 0.
DPEP_INLINE double sum(double x, double q) {
  // B(2j) / (2j)!
  constexpr double c[] = {0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21,
                          0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42,
                          0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63};
  double total = 0;
#pragma clang loop unroll(full)
  for (int k = 0; k < direct_terms; ++k) total += pow(q + k, -x);
  const double a = q + direct_terms, last = pow(a, -x), inverse = 1 / a;
  // beyond these, the rest is too small to matter, but its terms would overflow
  const double s = x < 400 ? x : 400.0, square = inverse * inverse;
  double factor = s * inverse, series = 0;
#pragma clang loop unroll(full)
  for (int j = 0; j < 12; ++j) {
    series += factor * c[j];
    factor *= (s + (2 * j + 1)) * (s + (2 * j + 2)) * square;
  }
  const double rest = last * (a / (x - 1) + 0.5 + series);
  const double of_large_q = pow(q, 1 - x) * (1 / (x - 1) + 0.5 / q);  // whose last term may be 0 though the sum is not
  return q > 1e8 ? of_large_q : total + (last == 0 ? 0.0 : rest);
}

DPEP_INLINE double hurwitz(double x, double q) {
  const double result = sum(x > 1 ? x : 2.0, q > 0 ? q : 1.0);
  const double of_pole = either(x == 1, both(q <= 0, round_to_even(q) == q)) ? infinity<double> : nan<double>;
  const double checked = both(x > 1, q > 0) ? result : x < 1 ? nan<double> : of_pole;
  const double at_ends = q == infinity<double> ? both(x > 1, x < infinity<double>) ? 0.0 : checked : checked;
  return either(x != x, q != q) ? x + q : at_ends;
}

/// For x < 0 the reflection formula.
DPEP_INLINE double riemann(double x) {
  constexpr double inverse_two_pi = 0x1.45f306dc9c883p-3, log_two_pi = 0x1.d67f1c864beb5p0;
  const bool negative = x < -0x1p-60;
  const double s = negative ? 1 - x : x, value = sum(s, 1);
  // 2 (2 pi)^-s sin(pi x / 2) Gamma(s), where Gamma(s) may be infinite though the product is not
  const double near = s < 170 ? s : 170.0, half = pow(inverse_two_pi, 0.5 * near);
  const double size = s <= 170 ? half * tgamma(near) * half : exp(lgamma(s) - s * log_two_pi);
  const double sine = flip_sign(sine_of_pi_times(magnitude(0.5 * x)), x);
  const double reflected = sine == 0 ? 0.0 : 2 * size * sine * value;
  const double regular = negative ? x == -infinity<double> ? nan<double> : reflected : value;
  return x == 1 ? infinity<double> : x == infinity<double> ? 1.0 : x == x ? regular : x;
}

}  // namespace zeta_function

/// The sum of (q + k)^-x for k = 0, 1, …: infinite for x = 1 and where q is 0 or a negative integer, NaN for x < 1 and
/// other negative q.
template <class T> DPEP_INLINE T zeta(T x, T q) { return T(zeta_function::hurwitz(x, q)); }
/// Riemann's zeta function. From 0 to 1, where the sum is a small difference of its parts, it errs by up to 40 ulp.
template <class T> DPEP_INLINE T riemann_zeta(T x) { return T(zeta_function::riemann(x)); }

}  // namespace dpep::device
