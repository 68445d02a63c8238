// fmod, NumPy's remainder and floor_divide, nextafter: exact functions of two numbers.
//
// A quotient below 2^mantissa_bits takes one division, whose rounding is corrected. For larger quotients, the mantissas
// are divided as integers, as many bits at a time as fit.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

/// a modulo b for finite a >= b > 0.
template <class T> static T remainder_of_integers(T a, T b) {
  using U = std::uint64_t;
  constexpr int mantissa_bits = format<T>::mantissa_bits, step = 63 - mantissa_bits;
  constexpr U implicit = U{1} << mantissa_bits;
  const auto exponent_of = [](T x) {
    const int exponent = int(bits(x) >> mantissa_bits);
    return exponent > 0 ? exponent : 1;
  };
  const auto mantissa_of = [](T x) {
    const U all = U(bits(x));
    return all >= implicit ? (all & (implicit - 1)) | implicit : all;
  };
  const U divisor = mantissa_of(b);
  U rest = mantissa_of(a) % divisor;
  int exponent = exponent_of(b);
  for (int bits_left = exponent_of(a) - exponent; bits_left > 0 && rest != 0; bits_left -= step)
    rest = (rest << (bits_left < step ? bits_left : step)) % divisor;
  if (rest == 0) return T(0);
  const int missing = __builtin_clzll(rest) - step;  // zeros above the mantissa
  const int shift = missing < exponent - 1 ? missing : exponent - 1;
  rest <<= shift;
  exponent -= shift;
  const U result = rest >= implicit ? (rest - implicit) + (U(exponent) << mantissa_bits) : rest;
  return number(integer_of<T>(result));
}

/// fmod as in C: exact, with the sign of x.
template <class T> DPEP_INLINE T fmod(T x, T y) {
  const T a = magnitude(x), b = magnitude(y);
  if (!(a < infinity<T>) || !(b > 0)) return nan<T>;
  if (a < b) return x;
  const T quotient = a / b;
  constexpr bool wide = sizeof(T) == 8;
  constexpr T least = wide ? T(0x1p-900) : T(0), largest = wide ? T(0x1p1000) : infinity<T>;  // for exact products
  T rest;
  if (quotient < T(1) / std::numeric_limits<T>::epsilon() && b > least && a < largest) {
    const T start = residual(a, __builtin_elementwise_trunc(quotient), b);
    rest = start < 0 ? start + b : start;
  } else {
    rest = remainder_of_integers(a, b);
  }
  return flip_sign(rest, x);
}

/// x - y floor(x / y), with the sign of y.
template <class T> DPEP_INLINE T floored_remainder(T x, T y) {
  const T rest = fmod(x, y);
  const T moved = (rest < 0) != (y < 0) ? rest + y : rest;
  return rest == 0 ? number(bits(y) & sign_mask<T>) : moved;
}

/// floor(x / y) of the exact quotient, as in NumPy.
template <class T> DPEP_INLINE T floor_divide(T x, T y) {
  const T rest = fmod(x, y);
  const T whole = (x - rest) / y - (both(rest != 0, (rest < 0) != (y < 0)) ? T(1) : T(0));
  const T floored = __builtin_elementwise_floor(whole);
  const T nearest = whole - floored > T(0.5) ? floored + 1 : floored;
  const T result = whole == 0 ? flip_sign(T(0), flip_sign(x, y)) : nearest;
  return y == 0 ? x / y : result;
}

/// The number next to x in the direction of y.
template <class T> DPEP_INLINE T nextafter(T x, T y) {
  using I = integer_of<T>;
  using U = unsigned_of<T>;
  const bool outwards = (x < y) == (bits(x) >= 0);
  const T next = number(I(U(bits(x)) + (outwards ? U(1) : ~U(0))));
  const T from_zero = number(I(1 | (bits(y) & sign_mask<T>)));
  const T moved = x == 0 ? from_zero : next;
  const T result = x == y ? y : moved;
  return either(x != x, y != y) ? x + y : result;
}

}  // namespace dpep::device
