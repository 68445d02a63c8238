// Logarithms of the probabilities of counts, accurate for large numbers: a normal approximation times corrections.
//
// C. Loader: Fast and accurate computation of binomial probabilities (2000).
#pragma once

#include "device/math/hyperbolic.hpp"
#include "device/math/log.hpp"

namespace dpep::device::random {

/// log(n!) minus Stirling's formula for it, for n >= 0; 0 for n = 0.
DPEP_INLINE double stirling_error(double n) {
  constexpr double few[] = {0x0.0p+0,
                            0x1.4c071bcda0a5bp-4,
                            0x1.52a9b923ea649p-5,
                            0x1.c579a268d80b3p-6,
                            0x1.54a2662fd78a9p-6,
                            0x1.10b4e513fcbedp-6,
                            0x1.c6b167bebdf36p-7,
                            0x1.85d4d612e4a86p-7,
                            0x1.552805e7b3076p-7,
                            0x1.2f4871b12ab64p-7,
                            0x1.10f9d4c0743a7p-7,
                            0x1.f0593088014f8p-8,
                            0x1.c7018733aa9c6p-8,
                            0x1.a40514700f36cp-8,
                            0x1.86076c002d4a7p-8,
                            0x1.6c08f6f194a10p-8};
  if (n < 16) return few[static_cast<int>(n)];
  const double square = n * n;
  return (1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - 1 / 1680.0 / square) / square) / square) / n;
}

/// log(n!) for a whole n >= 0, without the term log(2 pi) / 2 of Stirling's formula.
DPEP_INLINE double log_factorial(double n) {
  constexpr double half_log_2_pi = 0x1.d67f1c864beb5p-1;
  return n < 1 ? -half_log_2_pi : (n + 0.5) * log(n) - n + stirling_error(n);
}

/// x log(x / mean) + mean - x, for x > 0.
DPEP_INLINE double deviance(double x, double mean) {
  const double t = (mean - x) / x;
  return x * (t - log1p(t));
}

/// The logarithm of the probability of `k` of the Poisson distribution.
DPEP_INLINE double log_poisson(double k, double mean) {
  if (k == 0) return -mean;
  return -stirling_error(k) - deviance(k, mean) - 0.5 * log(0x1.921fb54442d18p2 * k);
}

/// The same of the binomial distribution, for p > 0 and q = 1 - p > 0.
DPEP_INLINE double log_binomial(double k, double n, double p, double q) {
  if (k == 0) return n * (p < 0.5 ? log1p(-p) : log(q));
  if (k == n) return n * (q < 0.5 ? log1p(-q) : log(p));
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) - deviance(n - k, n * q) +
         0.5 * log(n / (0x1.921fb54442d18p2 * k * (n - k)));
}

}  // namespace dpep::device::random
