// The Bessel functions J and Y of orders 0 and 1, branch-free.
//
// Below 5, J is a polynomial in x^2 times the distance to its first root, and Y is 2 / pi log(x) J plus a polynomial.
// From 5 on, Hankel's expansion: sqrt(2 / (pi x)) (P cos(x - phase) - Q sin(x - phase)), and the same with sine and
// cosine exchanged for Y. Near the larger roots, the error is that of sine and cosine: about a rounding error of the
// amplitude. Polynomials: coefficients/special_functions.py. Floats are computed in double precision.
#pragma once

#include "device/math/log.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::device {
namespace bessel {

constexpr double root_0 = 0x1.33d152e971b4p1, root_0_low = -0x1.0f539d7da258ep-53;
/// J0(x) / (x^2 - root^2) for (x^2 - 12.5) / 12.5, x < 5.
DPEP_INLINE double j0_ratio(double x) {
  const double z = x * x;
  return horner(z, -0x1.d53e8d99876e7p-5, -0x1.0c8428b928722p-5, -0x1.09a87b4aa43b1p-10, -0x1.a8151133ada5p-18,
                -0x1.b7a52da4eac64p-27, -0x1.7d6d13366ffbbp-37, -0x1.44e08873b7b32p-48) +
         x * horner(z, 0x1.309ab8e4cba18p-4, 0x1.e362f8d0b5d58p-8, 0x1.8adf23edad386p-14, 0x1.58d6c0f4142cp-22,
                    0x1.c36cef70b6c58p-32, 0x1.0de78c63a4e66p-42, 0x1.50229ded7317fp-54);
}

/// Y0(x) - 2 / pi log(x) J0(x) for the same number.
DPEP_INLINE double y0_rest(double x) {
  const double z = x * x;
  return horner(z, 0x1.ef5591b23addcp-2, -0x1.e1dec550e2064p-2, -0x1.c8c5dcec5515ap-4, -0x1.d898823c2a8e9p-10,
                -0x1.d4ca0d1ce3edbp-18, -0x1.4e02820bd059ap-27, -0x1.a940427f82bf4p-38, -0x1.1634e09d08a99p-49) +
         x * horner(z, -0x1.bb0a20bc8fa17p-2, 0x1.8dd73e3860a7fp-2, 0x1.20efffecdb202p-6, 0x1.1084623b5261ap-13,
                    0x1.38e97d038e927p-22, 0x1.23cf639f5ab91p-32, 0x1.06b2239c46944p-43);
}

/// Hankel's P for y = 25 / x^2, x >= 5.
DPEP_INLINE double p0(double x) {
  const double z = x * x;
  return horner(z, 0x1p0, 0x1.7851eb4d49c73p-13, 0x1.04d96fc4e576p-16, 0x1.986d4c025c009p-17, 0x1.d6f16bf0385ap-16,
                0x1.0affede4c08aep-14, 0x1.2eb89197e3a9ep-14, 0x1.e051b1b6d193dp-16, 0x1.4a20cd1cb2f24p-19) +
         x * horner(z, -0x1.70a3d70a35599p-9, -0x1.335bd8057665ep-15, -0x1.7924d5da08b3fp-17, -0x1.234ad58fe3dcbp-16,
                    -0x1.77657b82653f5p-15, -0x1.3dc8df98c5d89p-14, -0x1.bc318b67fd1fp-15, -0x1.66e9494b2dc12p-17,
                    -0x1.191f94ec7a106p-22);
}

/// Hankel's Q times x / 5.
DPEP_INLINE double q0(double x) {
  const double z = x * x;
  return horner(z, -0x1.999999999998ep-6, -0x1.30d1b64f7734bp-14, -0x1.a2c024af8f406p-17, -0x1.e51c4fcf392f3p-17,
                -0x1.57a637387b08dp-15, -0x1.a62531567d08ep-14, -0x1.edf837acd40d7p-14, -0x1.8db81f6f382d8p-15,
                -0x1.1391dbedc2162p-18) +
         x * horner(z, 0x1.33333332f95e1p-11, 0x1.730646e5ea81dp-16, 0x1.794a64aab0617p-17, 0x1.87e549ed9d2bp-16,
                    0x1.1fe87e5152e19p-14, 0x1.000c9aaf14e17p-13, 0x1.6d8b5c27b1bf9p-14, 0x1.2a8d4fe00430ep-16,
                    0x1.d69c69d21b5a2p-22);
}

constexpr double root_1 = 0x1.ea75575af6f09p1, root_1_low = -0x1.60155a9d1b256p-53;
/// J1(x) / (x^2 - root^2) / x for (x^2 - 12.5) / 12.5, x < 5.
DPEP_INLINE double j1_ratio(double x) {
  const double z = x * x;
  return horner(z, -0x1.041c9423ec767p-6, -0x1.15e32ff822fa4p-8, -0x1.686a2a3c3f229p-14, -0x1.ac92400b19962p-22,
                -0x1.623701dae0852p-31, -0x1.ff29dde960f65p-42, -0x1.74adbaf31bcb6p-53) +
         x * horner(z, 0x1.acf566aaededbp-7, 0x1.8bf87b5439002p-11, 0x1.c95360babe447p-18, 0x1.35278ce0805bdp-26,
                    0x1.4a45c53b4bb73p-36, 0x1.4da780930ab56p-47, 0x1.67bb6a4f8cd73p-59);
}

/// (Y1(x) - 2 / pi (log(x) J1(x) - 1 / x)) / x for the same number.
DPEP_INLINE double y1_rest(double x) {
  const double z = x * x;
  return horner(z, 0x1.1e34eda905916p-3, -0x1.4e11f71d95a0fp-3, -0x1.b82fcf4b7e771p-7, -0x1.2893671e20288p-13,
                -0x1.b9b6abb687e46p-22, -0x1.f9eb3354f2246p-32, -0x1.0db4ea2b3cee5p-42, -0x1.2fcc6556a3c5ap-54) +
         x * horner(z, 0x1.75172069e41bbp-4, 0x1.0fc1d2bad4f78p-4, 0x1.b5777b8435cccp-10, 0x1.2508be43f0382p-17,
                    0x1.06a94d242dc5ep-26, 0x1.92d2eb1ca56a8p-37, 0x1.34417770cc6b8p-48);
}

/// Hankel's P for y = 25 / x^2, x >= 5.
DPEP_INLINE double p1(double x) {
  const double z = x * x;
  return horner(z, 0x1p0, -0x1.e3d70a0279004p-13, -0x1.27a1aa7807fddp-16, -0x1.bc3c391ffc13cp-17,
                -0x1.f7d79f856cc0bp-16, -0x1.1c0c6bee0d7cbp-14, -0x1.4163cad5e6d69p-14, -0x1.fd78bdb37bf9ep-16,
                -0x1.5dfe6f7cca738p-19) +
         x * horner(z, 0x1.333333332eed7p-8, 0x1.6b3e0434466d1p-15, 0x1.a0e3015fc1fbdp-17, 0x1.3993bd2b9071bp-16,
                    0x1.903175e98ce06p-15, 0x1.51a7257298798p-14, 0x1.d7552666ece76p-15, 0x1.7c96d0d5260e9p-17,
                    0x1.29fdd8202e299p-22);
}

/// Hankel's Q times x / 5.
DPEP_INLINE double q1(double x) {
  const double z = x * x;
  return horner(z, 0x1.333333333333p-4, 0x1.748e899f1c4cap-14, 0x1.d4059d80d92e4p-17, 0x1.062f6bc08f832p-16,
                0x1.6e73770d0c472p-15, 0x1.c010e3f26c31ep-14, 0x1.05b15ea613348p-13, 0x1.a510e05ffd312p-15,
                0x1.239ea9bc8cd5cp-18) +
         x * horner(z, -0x1.ae147ae10ab2p-11, -0x1.ac1afd4a254b5p-16, -0x1.9d49f9b05817cp-17, -0x1.a4064ad66b2dp-16,
                    -0x1.321cf30942d7p-14, -0x1.0f7bc838074ccp-13, -0x1.8321a1178e4e7p-14, -0x1.3bffec0ec6d7ap-16,
                    -0x1.f1f2b5f961eeap-22);
}

constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

/// J below 5, and the argument of the polynomials.
template <int order> DPEP_INLINE double near_j(double x, double u) {
  constexpr double root = order == 0 ? root_0 : root_1, root_low = order == 0 ? root_0_low : root_1_low;
  const double factor = ((x - root) - root_low) * (x + root);
  return order == 0 ? factor * j0_ratio(u) : x * (factor * j1_ratio(u));
}
DPEP_INLINE double scaled_square(double x) { return (x * x - 12.5) * 0.08; }

/// P, Q, and sums of sine and cosine for x >= 5.
struct hankel {
  double p, q, sum, difference, factor;
};
template <int order> DPEP_INLINE hankel hankel_of(double x) {
  constexpr double inverse_pi = 0x1.45f306dc9c883p-2;
  const double inverse = 5 / x, y = inverse * inverse;
  const auto [sine, cosine] = sin_cos(x);
  return {order == 0 ? p0(y) : p1(y), inverse * (order == 0 ? q0(y) : q1(y)), sine + cosine, sine - cosine,
          square_root(inverse_pi / x)};
}

/// J of order 0 or 1. Infinite numbers give 0.
template <int order> DPEP_INLINE double j(double x) {
  const double positive = magnitude(x), near = positive < 5 ? positive : 5.0;
  const double far = positive < 5 ? 5.0 : positive < infinity<double> ? positive : 0x1p1000;
  const hankel h = hankel_of<order>(far);
  const double of_far = order == 0 ? h.p * h.sum - h.q * h.difference : h.p * h.difference + h.q * h.sum;
  const double value = positive < 5 ? near_j<order>(near, scaled_square(near)) : h.factor * of_far;
  const double result = order == 0 ? value : flip_sign(value, x);
  return x == x ? positive < infinity<double> ? result : 0.0 : x;
}
/// Y of order 0 or 1: minus infinity at 0, NaN for negative numbers.
template <int order> DPEP_INLINE double y(double x) {
  const double near = x < 5 ? x : 5.0, far = x < 5 ? 5.0 : x < infinity<double> ? x : 0x1p1000;
  const hankel h = hankel_of<order>(far);
  const double of_far = order == 0 ? h.p * h.difference + h.q * h.sum : h.q * h.difference - h.p * h.sum;
  const double u = scaled_square(near), logarithm = log(near) * near_j<order>(near, u);
  const double of_near =
      order == 0 ? two_over_pi * logarithm + y0_rest(u) : two_over_pi * (logarithm - 1 / near) + near * y1_rest(u);
  const double value = x < 5 ? of_near : h.factor * of_far;
  const double result = x == 0 ? -infinity<double> : x < 0 ? nan<double> : x < infinity<double> ? value : 0.0;
  return x == x ? result : x;
}

}  // namespace bessel

template <class T> DPEP_INLINE T j0(T x) { return T(bessel::j<0>(double(x))); }
template <class T> DPEP_INLINE T j1(T x) { return T(bessel::j<1>(double(x))); }
template <class T> DPEP_INLINE T y0(T x) { return T(bessel::y<0>(double(x))); }
template <class T> DPEP_INLINE T y1(T x) { return T(bessel::y<1>(double(x))); }

}  // namespace dpep::device
