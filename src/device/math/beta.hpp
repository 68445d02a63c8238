// The beta function and its logarithm, branch-free.
//
// Where an argument is 10 or more, the logarithm is Stirling's formula with the large terms combined, so that nothing
// cancels (Didonato and Morris, ACM Transactions on Mathematical Software 18, 1992). Else, and for negative numbers, it
// is composed of gamma functions. Floats are computed in double precision.
#pragma once

#include "device/math/gamma.hpp"
#include "device/math/hyperbolic.hpp"

namespace dpep::device {
namespace beta_function {

/// Arguments with the same |B(a, b)|, at least one of them positive for integers a and b where that is finite:
/// B(-n, b) = (-1)^b B(1 + n - b, b). `pole`: B is infinite.
struct arguments {
  double a, b, sign;
  bool pole;
};
DPEP_INLINE bool is_whole(double x) { return both(round_to_even(x) == x, magnitude(x) < infinity<double>); }
DPEP_INLINE bool is_odd(double x) { return round_to_even(x * 0.5) != x * 0.5; }
/// Of Gamma(x), but for its poles.
DPEP_INLINE double gamma_sign(double x) { return both(x < 0, is_odd(__builtin_floor(x))) ? -1.0 : 1.0; }
DPEP_INLINE arguments reflected(double a, double b) {
  const double complement = 1 - a - b;
  const bool a_ends = both(a <= 0, is_whole(a)), b_ends = both(b <= 0, is_whole(b));
  const bool is_finite = both(both(either(a_ends, b_ends), complement > 0), both(is_whole(a), is_whole(b)));
  const bool by_a = both(both(is_finite, a_ends), b > 0), by_b = both(both(is_finite, b_ends), a > 0);
  const double sign = either(both(by_a, is_odd(b)), both(by_b, is_odd(a))) ? -1.0 : 1.0;
  return {by_a ? complement : a, by_b ? complement : b, sign, both(either(a_ends, b_ends), !either(by_a, by_b))};
}

/// log |B(a, b)|.
DPEP_INLINE double logarithm_of_regular(double a, double b) {
  constexpr double half_log_two_pi = 0x1.d67f1c864beb5p-1;
  const double small = a < b ? a : b, large = a < b ? b : a;
  const bool has_large = both(large >= 10, small > 0), has_two = both(has_large, small >= 10);
  const double q = has_large ? large : 10.0, p = has_large ? small : 1.0, sum = p + q;
  const double corrections = stirling_correction(q) - stirling_correction(sum), decay = log1p(-p / sum);
  const double p_at_least_10 = has_two ? p : 10.0;
  const double of_two = -0.5 * log(q) + half_log_two_pi + (stirling_correction(p_at_least_10) + corrections) +
                        (p - 0.5) * log(p / sum) + q * decay;
  const double one_lgamma = lgamma(has_large ? p : a);
  const double of_one = one_lgamma + corrections + p - p * log(sum) + (q - 0.5) * decay;
  const double of_none = one_lgamma + lgamma(b) - lgamma(a + b);
  const double finite = has_two ? of_two : has_large ? of_one : of_none;
  return both(small > 0, large == infinity<double>) ? -infinity<double> : finite;
}
DPEP_INLINE double logarithm(double x, double y) {
  const auto [a, b, sign, pole] = reflected(x, y);
  const double result = pole ? infinity<double> : logarithm_of_regular(a, b);
  return either(x != x, y != y) ? x + y : result;
}

DPEP_INLINE double value(double x, double y) {
  const auto [a, b, sign, pole] = reflected(x, y);
  const bool by_gammas = both(both(magnitude(a) < 170, magnitude(b) < 170), magnitude(a + b) < 170);
  const double of_a = tgamma(by_gammas ? a : 1.0), of_b = tgamma(by_gammas ? b : 1.0);
  const double of_sum = tgamma(by_gammas ? a + b : 1.0);
  const bool a_is_larger = magnitude(of_a) > magnitude(of_b);
  const double product = (a_is_larger ? of_a : of_b) / of_sum * (a_is_larger ? of_b : of_a);
  // at a pole of the denominator, where tgamma is NaN or infinite
  const bool denominator_ends = both(a + b <= 0, is_whole(a + b));
  const double signs = gamma_sign(a) * gamma_sign(b) * gamma_sign(a + b);
  const double by_size = by_gammas ? denominator_ends ? 0.0 : product : signs * exp(logarithm_of_regular(a, b));
  const double result = pole ? infinity<double> : sign * by_size;
  return either(x != x, y != y) ? x + y : result;
}

}  // namespace beta_function

/// Gamma(a) Gamma(b) / Gamma(a + b).
template <class T> DPEP_INLINE T beta(T a, T b) { return T(beta_function::value(a, b)); }
template <class T> DPEP_INLINE T betaln(T a, T b) { return T(beta_function::logarithm(a, b)); }

}  // namespace dpep::device
