// Square root, modulus and other simple functions of complex numbers; special values as in C99's Annex G.
#pragma once

#include "device/math/arctangent.hpp"
#include "device/math/complex.hpp"
#include "device/math/scaling.hpp"

namespace dpep::device {

/// The larger and the smaller part of the square root of |x| + i |y|.
struct root_parts {
  double large, small;
};
template <class T> DPEP_INLINE root_parts root_of_magnitudes(double x, double y) {
  const double a = magnitude(x), b = magnitude(y);
  double root;
  if constexpr (sizeof(T) == 4) {
    root = square_root(0.5 * (a + square_root(a * a + b * b)));
  } else {
    const double large = a > b ? a : b, small = a > b ? b : a;
    const bool huge = large > 0x1p500, tiny = large < 0x1p-400;
    const double factor = huge ? 0x1p-600 : tiny ? 0x1p600 : 1.0;
    const double unscale = huge ? 0x1p300 : tiny ? 0x1p-300 : 1.0;
    const double u = large * factor, v = flush_below(small * factor, 0x1p-480);
    const auto uu = exact_product(u, u);
    const double modulus = square_root(uu.high + (v * v + uu.low));
    root = square_root(0.5 * (a * factor + modulus)) * unscale;
  }
  const bool infinite = either(is_infinite(a), is_infinite(b));
  root = both(infinite, !is_nan(a)) ? infinity<double> : root;
  root = is_infinite(b) ? infinity<double> : root;
  const double quotient = b / (2 * (root > 0 ? root : 1.0));
  const double rest = is_infinite(b) ? infinity<double> : is_nan(root) ? root : quotient;
  return {root, rest};
}

template <class T> DPEP_INLINE complex<T> sqrt(complex<T> z) {
  const auto [large, small] = root_of_magnitudes<T>(z.real, z.imaginary);
  const bool negative_real = bits(z.real) < 0;
  return {T(negative_real ? small : large), flip_sign(magnitude(T(negative_real ? large : small)), z.imaginary)};
}

template <class T> DPEP_INLINE T abs(complex<T> z) { return hypot(z.real, z.imaginary); }
template <class T> DPEP_INLINE T angle(complex<T> z) { return atan2(z.imaginary, z.real); }

/// The projection onto the Riemann sphere, on which all infinite numbers are one point.
template <class T> DPEP_INLINE complex<T> proj(complex<T> z) {
  const bool infinite = either(is_infinite(z.real), is_infinite(z.imaginary));
  return {infinite ? infinity<T> : z.real, infinite ? sign_of(z.imaginary) : z.imaginary};
}

/// z / |z|; 0 for 0; where one part is infinite, the sign of that part.
template <class T> DPEP_INLINE complex<T> sign(complex<T> z) {
  const T a = magnitude(z.real), b = magnitude(z.imaginary);
  const T larger = a > b ? a : b;
  // scaled down where |z| would overflow, and up where the quotients would have denormal operands
  constexpr T large = std::numeric_limits<T>::max() / 4, small = std::numeric_limits<T>::min() * 4;
  const T factor = larger > large ? T(0.25) : larger < small ? 1 / std::numeric_limits<T>::epsilon() : T(1);
  const T x = z.real * factor, y = z.imaginary * factor;
  const T modulus = hypot(x, y);
  const bool zero = (z.real == 0) & (z.imaginary == 0);
  const T divisor = zero ? T(1) : modulus;
  const bool infinite_x = is_infinite(z.real), infinite_y = is_infinite(z.imaginary);
  const T real = infinite_x ? box(z.real) : either(infinite_y, zero) ? T(0) : x / divisor;
  const T imaginary = infinite_y ? box(z.imaginary) : either(infinite_x, zero) ? T(0) : y / divisor;
  const bool undefined = both(infinite_x, infinite_y);
  return {undefined ? nan<T> : real, undefined ? nan<T> : imaginary};
}

template <class T> DPEP_INLINE complex<T> reciprocal(complex<T> z) { return divide(T(1), T(0), z.real, z.imaginary); }
template <class T> DPEP_INLINE complex<T> square(complex<T> z) {
  return multiply(z.real, z.imaginary, z.real, z.imaginary);
}

}  // namespace dpep::device
