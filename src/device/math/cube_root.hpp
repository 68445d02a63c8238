// cbrt, branch-free.
//
// |x| = 2^(3 k) a with a in [1/2, 4). A polynomial gives z near a^(-1/3), one step of third order improves it, and
// a z^2, shortened so that its cube is nearly exact, is corrected by what the cube lacks. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/log.hpp"

namespace dpep::device {

/// m^(-1/3) for m in [1, 2), to about 2^-14.
template <class T> DPEP_INLINE T inverse_cube_root_start(T m) {
  return horner(m, T(0x1.ab82f8p0), T(-0x1.2c3a94p0), T(0x1.640734p-1), T(-0x1.c4fd24p-3), T(0x1.d44b56p-6));
}

template <class T> DPEP_INLINE T cbrt(T x) {
  using U = unsigned_of<T>;
  using I = integer_of<T>;
  constexpr int shift = format<T>::mantissa_bits;
  const T positive = magnitude(x);
  const bool denormal = bits(positive) < I{1} << shift;
  const T normal = denormal ? number(bits(positive) | bits(T(1))) - 1 : positive;  // times 2^(bias - 1), where denormal
  const T mantissa = number(I((U(bits(normal)) & ((U{1} << shift) - 1)) | U(bits(T(1)))));
  const T exponent = unbiased(U(bits(normal)) >> shift) - (denormal ? log_constants<T>::denormal_exponent : T(0));
  const T shifted = exponent * T(0x1.555556p-2) + format<T>::round_magic;
  const T remainder = exponent - 3 * (shifted - format<T>::round_magic);  // -1, 0 or 1

  const bool up = remainder > 0, down = remainder < 0;
  const T factor = up ? T(2) : down ? T(0.5) : T(1);
  const T root_of_factor = up ? T(0x1.965fea53d6e3dp-1) : down ? T(0x1.428a2f98d728bp0) : T(1);  // factor^(-1/3)
  const T a = mantissa * factor;
  const T start = inverse_cube_root_start(mantissa) * root_of_factor;
  const T lack = 1 - a * start * start * start;
  const T z = start + start * lack * (T(1) / 3 + T(2) / 9 * lack);

  const T root = upper_half(a * z * z), square = root * root;            // exact
  const T third = residual(a, square, root) * (z * z * z) * (T(1) / 3);  // of the relative error of the cube
  const T result = root + root * third * (1 + 2 * third);
  const T scaled = number(I(U(bits(result)) + (U(rounded(shifted)) << shift)));
  const bool unchanged = (x == 0) | !(positive < infinity<T>);
  return unchanged ? x : flip_sign(scaled, x);
}

}  // namespace dpep::device
