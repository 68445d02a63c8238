// Distributions of real numbers with rejection: gamma, inverse Gaussian (wald), von Mises.
#pragma once

#include "device/math/arctangent.hpp"
#include "device/random/distributions.hpp"

namespace dpep::device::random {

/// The gamma distribution with a shape of at least 1 and scale 1.
/// G. Marsaglia, W. Tsang: A simple method for generating gamma variables (2000).
class gamma_distribution {
public:
  DPEP_MEMBER explicit gamma_distribution(double shape) : d_(shape - 1 / 3.0), c_(1 / square_root(9 * d_)) {}
  template <class F> DPEP_MEMBER static void choose(F use, double shape) { use(gamma_distribution(shape)); }

  DPEP_MEMBER outcome<double> attempt(const four_words &words) const {
    const double x = normal_of(words.a, words.b, words.c), root = 1 + c_ * x, v = root * root * root;
    const double limit = 0.5 * x * x + d_ * (1 - v + log(root > 0 ? v : 1));
    // Negated, so that NaN is accepted: an attempt must end.
    return {d_ * v, !either(root <= 0, log(open_unit(words.d)) >= limit)};
  }

private:
  double d_, c_;
};

/// The inverse Gaussian distribution.
/// J. Michael, W. Schucany, R. Haas: Generating random variates using transformations with multiple roots (1976).
class wald_distribution {
public:
  DPEP_MEMBER wald_distribution(double mean, double scale) : mean_(mean), ratio_(mean / (2 * scale)) {}
  template <class F> DPEP_MEMBER static void choose(F use, double mean, double scale) {
    use(wald_distribution(mean, scale));
  }

  DPEP_MEMBER outcome<double> attempt(const four_words &words) const {
    // The smaller root, mean (1 + y - sqrt(y^2 + 2 y)), without cancellation.
    const double x = normal_of(words.a, words.b, words.c), y = ratio_ * x * x;
    const double root = mean_ / (1 + y + square_root(y * (y + 2)));
    return {open_unit(words.d) * (mean_ + root) <= mean_ ? root : mean_ * (mean_ / root), true};
  }

private:
  double mean_, ratio_;
};

/// The von Mises distribution around 0 with a concentration from 0 to about 1e6; callers approximate higher ones.
/// D. Best, N. Fisher: Efficient simulation of the von Mises distribution (1979).
class vonmises_distribution {
public:
  DPEP_MEMBER explicit vonmises_distribution(double kappa) : kappa_(kappa) {
    const double root = 1 + square_root(1 + 4 * kappa * kappa), rho = (root - square_root(2 * root)) / (2 * kappa);
    s_ = kappa < 1e-5 ? 1 / kappa + kappa : (1 + rho * rho) / (2 * rho);
    uniform_ = kappa < 1e-8;
  }
  template <class F> DPEP_MEMBER static void choose(F use, double kappa) { use(vonmises_distribution(kappa)); }

  DPEP_MEMBER outcome<double> attempt(const four_words &words) const {
    constexpr double pi = 0x1.921fb54442d18p1;
    const double u = unit_number(words.a, words.b), z = direction_of(u / 2).high, v = open_unit(words.c);
    const double w = (1 + s_ * z) / (s_ + z), y = kappa_ * (s_ - w);
    const bool rejected = both(y * (2 - y) - v < 0, log(y / v) + 1 - y < 0);
    const double angle = acos(w < -1 ? -1 : w > 1 ? 1 : w), signed_angle = words.d & 1 ? -angle : angle;
    return {uniform_ ? pi * (2 * u - 1) : signed_angle, either(uniform_, !rejected)};
  }

private:
  double kappa_, s_;
  bool uniform_;
};

DPEP_INLINE double gamma(std::uint64_t element, std::uint64_t key, double shape) {
  return first_accepted(gamma_distribution(shape), element, key);
}
DPEP_INLINE double wald(std::uint64_t element, std::uint64_t key, double mean, double scale) {
  return first_accepted(wald_distribution(mean, scale), element, key);
}
DPEP_INLINE double vonmises(std::uint64_t element, std::uint64_t key, double kappa) {
  return first_accepted(vonmises_distribution(kappa), element, key);
}

}  // namespace dpep::device::random
