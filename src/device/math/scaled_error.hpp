// The scaled complementary error function erfcx, and the normal distribution, branch-free.
//
// (1/2 + x) exp(x^2) erfc(x) is for x >= 0 nearly a polynomial in (x - 7/2) / (x + 7/2) (Shepherd and Laframboise,
// Mathematics of Computation 36, 1981). The normal distribution's tail is exp(-x^2 / 2) erfcx(x / sqrt(2)) / 2, where
// x^2 has two parts, since its rounding error would be multiplied by x^2. Polynomials:
// coefficients/special_functions.py. Floats are computed in double precision.
#pragma once

#include "device/math/error_function.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/log.hpp"

namespace dpep::device {
namespace scaled_error {

/// (1/2 + x) exp(x^2) erfc(x) for (x - 7/2) / (x + 7/2).
DPEP_INLINE double complement(double x) {
  const double z = x * x;
  return horner(z, 0x1.3e0a99a0ee914p-1, -0x1.59e2c284b1285p-8, -0x1.d76830c352eabp-5, -0x1.8ff5ef76d7d79p-6,
                -0x1.143c4ca620e44p-9, 0x1.27e664e7fe841p-12, -0x1.66e23fdba91cep-16, 0x1.388aa1c01736bp-20,
                -0x1.83a3100a0e59p-26, -0x1.bd924ec3611dcp-29, -0x1.9a048012ca731p-32, 0x1.48b9094eb56d9p-32,
                -0x1.8a07741c3cceep-35) +
         x * horner(z, -0x1.1ebd220ea593bp-4, 0x1.8f702ec6b32a8p-5, 0x1.68610604705ffp-5, 0x1.38ec6670925cfp-7,
                    -0x1.3cf367ce7fc6fp-13, -0x1.fda93f7f35b3ap-15, 0x1.970cf95d01ce7p-17, -0x1.0037c2a3d2237p-19,
                    0x1.46056eabfc71ep-22, -0x1.b66c04dbd7b8ep-25, 0x1.275f9f4ff1d49p-27, -0x1.528bc606c6ab3p-30,
                    0x1.c884c39ed0c09p-34);
}

/// exp(x^2) erfc(x) for x >= 0.
DPEP_INLINE double of_positive(double x) {
  const double y = x < 0x1p100 ? x : 0x1p100;
  return complement((y - 3.5) / (y + 3.5)) / (0.5 + x);
}
/// exp(factor x^2) for x >= 0 and a power of two as the factor, up to infinity and down to 0.
DPEP_INLINE double gaussian(double x, double factor) {
  const double y = x < 40 ? x : 40.0;
  const auto square = exact_product(y, y);
  return exp(square.high * factor) * (1 + square.low * factor);
}

constexpr double root_of_half = 0x1.6a09e667f3bcdp-1;

/// The probability of a standard normal number above x, for x >= 0.
DPEP_INLINE double normal_tail(double x) { return 0.5 * (gaussian(x, -0.5) * of_positive(x * root_of_half)); }

DPEP_INLINE double erfcx(double x) {
  const double positive = magnitude(x), of_x = of_positive(positive);
  const double result = bits(x) < 0 ? 2 * gaussian(positive, 1) - of_x : of_x;
  return x == x ? result : x;
}
DPEP_INLINE double ndtr(double x) {
  const double positive = magnitude(x), tail = normal_tail(positive);
  const double small = positive < 0.5 ? x * root_of_half : 0.0;
  const double centre = 0.5 + 0.5 * (small + small * erf_rest(small * small));
  const double result = positive < 0.5 ? centre : x < 0 ? tail : 1 - tail;
  return x == x ? result : x;
}
DPEP_INLINE double log_ndtr(double x) {
  const double positive = magnitude(x), scaled = of_positive(positive * root_of_half);
  const double below = log(0.5 * scaled) - 0.5 * x * x, above = log1p(-0.5 * (gaussian(positive, -0.5) * scaled));
  return x == x ? x < 0 ? below : above : x;
}

}  // namespace scaled_error

/// exp(x^2) erfc(x).
template <class T> DPEP_INLINE T erfcx(T x) { return T(scaled_error::erfcx(double(x))); }
/// The probability of a standard normal number below x, and its logarithm.
template <class T> DPEP_INLINE T ndtr(T x) { return T(scaled_error::ndtr(double(x))); }
template <class T> DPEP_INLINE T log_ndtr(T x) { return T(scaled_error::log_ndtr(double(x))); }

}  // namespace dpep::device
