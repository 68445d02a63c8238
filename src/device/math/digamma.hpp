// The logarithmic derivative of the gamma function, branch-free.
//
// From 1 to 3 a polynomial in t = (x - 3/2) / (x + 3/2), times the distance to the root, so that it is accurate there;
// for larger x an asymptotic series in v = x - 1/2; below 1 the values at 1 + x minus 1 / x; for negative x the
// reflection formula, which near the roots between negative integers is as accurate as its terms are. Polynomials:
// coefficients/special_functions.py. Floats are computed in double precision.
#pragma once

#include "device/math/gamma.hpp"

namespace dpep::device {
namespace digamma_function {

/// digamma(x) / (x - root) for t.
DPEP_INLINE double near_ratio(double x) {
  const double z = x * x;
  return horner(z, 0x1.e6f0cbb873616p-1, 0x1.c9ba615f794ep-1, 0x1.cb4a7ea085404p-1, 0x1.cf0370cfdf88p-1,
                0x1.d0aebd9158a4fp-1, 0x1.d18095c4e051ap-1, 0x1.d20110ab9a10ep-1, 0x1.d1043aecbb80bp-1,
                0x1.e2d372a3e4586p-1, 0x1.9d5bfc23cba0fp-1) +
         x * horner(z, -0x1.45588a40472fp0, -0x1.e566df06ec8eap-1, -0x1.d8ecd9cd9092bp-1, -0x1.d61edb25a6d83p-1,
                    -0x1.d4f561e2123e9p-1, -0x1.d45cc05923dfdp-1, -0x1.d3d63bfebc94dp-1, -0x1.d3f6fb72b0f5bp-1,
                    -0x1.f3df743db5976p-1, -0x1.664af7abd2b9cp-2);
}

/// v^2 (digamma(v + 1/2) - log(v)) for 1 / v^2, v >= 5/2.
DPEP_INLINE double far_rest(double x) {
  const double z = x * x;
  return horner(z, 0x1.555555555554cp-5, 0x1.f7df7d6532248p-9, 0x1.ef7366fb85b8ep-8, 0x1.4d3f7506aed45p-4,
                0x1.02254c4cd7774p1, 0x1.235220c6faa34p5, 0x1.595bcea7f409ap7) +
         x * horner(z, -0x1.ddddddddb0977p-8, -0x1.0eeebf4ffca0bp-8, -0x1.5889d7a156e53p-6, -0x1.90eb0047be093p-2,
                    -0x1.31274cafd4359p3, -0x1.910809784c9dap6, -0x1.1426819485e03p7);
}

DPEP_INLINE double from_1(double x) {
  constexpr double root = 0x1.762d86356be3fp0, root_low = 0x1.b86a722197829p-54;
  const bool is_near = x < 3;
  const double near = is_near ? x : 3.0, v = is_near ? 2.5 : x - 0.5;
  const double of_near = ((near - root) - root_low) * near_ratio((near - 1.5) / (near + 1.5));
  const double inverse = 1 / v, z = inverse * inverse;
  return is_near ? of_near : log(v) + z * far_rest(z);
}

DPEP_INLINE double digamma(double x) {
  constexpr double pi = 0x1.921fb54442d18p1;
  const double y = magnitude(x);
  const bool negative = bits(x) < 0;
  const double regular = from_1(either(negative, y < 1) ? y + 1 : y);
  const double r = y - round_to_even(y);  // exact
  const double cotangent = pi * sine_of_pi_times(0.5 - magnitude(r)) / sine_of_pi_times(r);
  const double of_negative = either(r == 0, y == infinity<double>) ? nan<double> : regular + cotangent;
  const double of_positive = y < 1 ? regular - 1 / y : regular;
  const double result = x == 0 ? flip_sign(-infinity<double>, x) : negative ? of_negative : of_positive;
  return x == x ? result : x;
}

}  // namespace digamma_function

/// Infinite at 0, NaN at negative integers.
template <class T> DPEP_INLINE T digamma(T x) { return T(digamma_function::digamma(double(x))); }

}  // namespace dpep::device
