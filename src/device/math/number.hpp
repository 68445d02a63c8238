// What the functions of math/ share: bits of floating-point numbers, polynomials, exact products and sums.
//
// Everything is inlined into its caller and internal to it, so that one program (a test) may hold several builds.
#pragma once

#include <cstdint>
#include <limits>

#ifndef DPEP_DEVICE_FUSED
#error "DPEP_DEVICE_FUSED: 1 where a fused multiply-add is one instruction, else 0"
#endif

#define DPEP_INLINE [[gnu::always_inline]] static inline

namespace dpep::device {

template <class T> struct format;
template <> struct format<float> {
  using integer = std::int32_t;
  using unsigned_integer = std::uint32_t;
  static constexpr int mantissa_bits = 23, exponent_bias = 127;
  static constexpr float round_magic = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits
};
template <> struct format<double> {
  using integer = std::int64_t;
  using unsigned_integer = std::uint64_t;
  static constexpr int mantissa_bits = 52, exponent_bias = 1023;
  static constexpr double round_magic = 0x1.8p52;
};
template <class T> using integer_of = typename format<T>::integer;
template <class T> using unsigned_of = typename format<T>::unsigned_integer;

template <class T> DPEP_INLINE integer_of<T> bits(T x) { return __builtin_bit_cast(integer_of<T>, x); }
DPEP_INLINE float number(std::int32_t bits) { return __builtin_bit_cast(float, bits); }
DPEP_INLINE double number(std::int64_t bits) { return __builtin_bit_cast(double, bits); }

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr integer_of<T> sign_mask = std::numeric_limits<integer_of<T>>::min();

template <class T> DPEP_INLINE T magnitude(T x) { return number(bits(x) & ~sign_mask<T>); }
template <class T> DPEP_INLINE T sign_of(T x) { return number(bits(x) & sign_mask<T>); }
/// `x` with its sign flipped where `sign` is negative.
template <class T> DPEP_INLINE T flip_sign(T x, T sign) { return number(bits(x) ^ (bits(sign) & sign_mask<T>)); }

/// 2^n for normal results.
template <class T> DPEP_INLINE T power_of_two(integer_of<T> n) {
  return number(integer_of<T>((unsigned_of<T>(n) + format<T>::exponent_bias) << format<T>::mantissa_bits));
}

/// x * 2^n, rounded once where the result is denormal, infinite beyond: n may be twice what an exponent holds.
template <class T> DPEP_INLINE T scale(T x, integer_of<T> n) {
  const integer_of<T> half = n >> 1;
  return x * power_of_two<T>(half) * power_of_two<T>(integer_of<T>(unsigned_of<T>(n) - unsigned_of<T>(half)));
}

/// The integer n that `round_magic` put into the low bits of `shifted` = n + round_magic (anything, for NaN).
template <class T> DPEP_INLINE integer_of<T> rounded(T shifted) {
  return integer_of<T>(unsigned_of<T>(bits(shifted)) - unsigned_of<T>(bits(format<T>::round_magic)));
}

/// Horner's scheme, lowest coefficient first: c0 + x (c1 + x (c2 + …)).
template <class T, class... Rest> DPEP_INLINE T horner(T x, T c0, Rest... rest) {
#pragma clang fp contract(fast)
  if constexpr (sizeof...(Rest) == 0)
    return c0;
  else
    return c0 + x * horner(x, rest...);
}

}  // namespace dpep::device
