// The inverses of erf, erfc and the normal distribution, branch-free.
//
// erfinv(x) / x is a smooth function of w = -log(1 - x^2), which grows like the square root of w: a polynomial in w
// below 16, above two of 1 / s, s = sqrt(w), times s. erfcinv has the same formula with w = -log(y (2 - y)), which is
// accurate for small y. Polynomials: coefficients/special_functions.py. Floats are computed in double precision.
#pragma once

#include "device/math/log.hpp"

namespace dpep::device {
namespace inverse_error {

/// erfinv(x) / x for (w - 8) / 8.
DPEP_INLINE double below_16(double x) {
  const double z = x * x;
  return horner(z, 0x1.54aa057af365cp1, -0x1.4b5024e33cc2dp-2, -0x1.2ad743ad1a35p-5, 0x1.594a09f9ff0a6p-5,
                0x1.0da63d0125eb5p-5, -0x1.628c7ce9f2781p-9, -0x1.9203fdbdfb371p-7, -0x1.541316b4a9625p-9,
                0x1.c7ff7d50d1053p-9, 0x1.d65c23859ae64p-10, -0x1.bd2d4b1c8f266p-12, -0x1.770b65f3db055p-10,
                0x1.1a0a0f1221a5cp-10, -0x1.3b09bd91ef093p-10, 0x1.a2b91e74f772bp-10, -0x1.24331e7fc60e2p-10,
                0x1.664af9a6cd7bp-12, 0x1.fafb6a098736cp-19, -0x1.e88092513f34fp-16, 0x1.6c34d4f60ccf2p-18) +
         x * horner(z, 0x1.692e01944fa78p0, 0x1.017cebe1bd586p-3, -0x1.02d9b347560e3p-6, -0x1.76382ef328182p-5,
                    -0x1.c23e35689bcfcp-7, 0x1.76d736cb6d5e3p-7, 0x1.098eaae537413p-7, -0x1.a668b4ffb448cp-10,
                    -0x1.a9bac4400d0bdp-9, -0x1.2809b843e72a3p-12, 0x1.8f1e443347ec1p-11, 0x1.1a500b359e019p-10,
                    -0x1.9001b6394a0ap-10, 0x1.bea342df66dabp-10, -0x1.18f9b270adc25p-9, 0x1.ea83f7eb97715p-10,
                    -0x1.047cef4684058p-10, 0x1.46b2c512328cbp-12, -0x1.b9b69c73b4758p-15, 0x1.dfefa8cb66899p-19);
}

/// erfinv(x) / (x s) for 1 / s from 1/9 to 1/4, moved to [-1, 1].
DPEP_INLINE double up_to_9(double x) {
  const double z = x * x;
  return horner(z, 0x1.f2a19078082d5p-1, -0x1.4633db11d8ba4p-12, -0x1.1804237ce0547p-15, -0x1.be771f7ff936ep-21,
                -0x1.420b9bf982c7p-25, 0x1.661c44a063824p-27, 0x1.7e101fc0b6135p-29, -0x1.6c0015755b8dp-29,
                0x1.85b59220f26f8p-31, -0x1.7b1188409ca3ap-34) +
         x * horner(z, -0x1.c72a54340602dp-7, 0x1.2e7a2b4cd1f07p-12, 0x1.1c6e08cfec593p-18, 0x1.a9e02bd9659fbp-23,
                    0x1.ac78b680e0a0ep-26, 0x1.701ea523ac4ep-27, -0x1.1def96b801f82p-29, -0x1.ad3f04872045bp-32,
                    0x1.39d875e13f258p-32, -0x1.b2bfeace47414p-35);
}

/// The same for 1 / s from 2/55 to 1/9.
DPEP_INLINE double from_9(double x) {
  const double z = x * x;
  return horner(z, 0x1.fc886ef3746bfp-1, -0x1.6e22e0af24bc3p-11, -0x1.f4e20937fec1dp-17, -0x1.9d102796ad66fp-21,
                -0x1.2f4d572c6c03fp-24, -0x1.230fddb56a16dp-27, -0x1.3f63ff8da8fe9p-30, -0x1.d87821c0f934cp-33,
                -0x1.d3246dc500329p-38, -0x1.05fe5e61ba043p-36) +
         x * horner(z, -0x1.67fc1333b43dap-8, 0x1.e8e8684a41e69p-14, 0x1.9358f1676bc6dp-19, 0x1.df0336143bafdp-23,
                    0x1.99c5cbcff63c5p-26, 0x1.ad2b95e320ff7p-29, 0x1.f0bec64c893c5p-32, 0x1.83d9f8cb3c5d1p-34,
                    0x1.3a03b361f09a3p-39, 0x1.c74b9dc6248cfp-38);
}

/// erfinv(x) / x for w = -log(1 - x^2), up to 745 and infinite.
DPEP_INLINE double ratio(double w) {
  const double near = w < 16 ? w : 16.0, s = square_root(w < 16 ? 16.0 : w), t = 1 / s;
  const double middle = up_to_9((s < 9 ? t : 1.0 / 9) * 14.4 - 2.6);
  const double far =
      from_9((s < 9 ? 1.0 / 9 : t) * (2 / (1.0 / 9 - 1 / 27.5)) - (1.0 / 9 + 1 / 27.5) / (1.0 / 9 - 1 / 27.5));
  return w < 16 ? below_16((near - 8) * 0.125) : s * (s < 9 ? middle : far);
}

DPEP_INLINE double of_erf(double x) { return x * ratio(-log((1 - x) * (1 + x))); }
DPEP_INLINE double of_erfc(double y) { return (1 - y) * ratio(-log(y * (2 - y))); }

}  // namespace inverse_error

/// The x with erf(x) = y; NaN outside [-1, 1].
template <class T> DPEP_INLINE T erfinv(T y) { return T(inverse_error::of_erf(double(y))); }
/// The x with erfc(x) = y; NaN outside [0, 2].
template <class T> DPEP_INLINE T erfcinv(T y) { return T(inverse_error::of_erfc(double(y))); }
/// The x below which a standard normal number is with probability p; NaN outside [0, 1].
template <class T> DPEP_INLINE T ndtri(T p) {
  constexpr double root_of_2 = 0x1.6a09e667f3bcdp0;
  return T(-root_of_2 * inverse_error::of_erfc(2 * double(p)) + 0.0);  // no -0
}

}  // namespace dpep::device
