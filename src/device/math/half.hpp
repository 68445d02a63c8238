// Conversions between half and wider numbers for hosts without F16C, in integer arithmetic, correctly rounded.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

DPEP_INLINE float widen(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t(half & 0x8000) << 16;
  const std::uint32_t rest = half & 0x7fff;
  const std::uint32_t normal = (rest << 13) + (112u << 23);
  const std::uint32_t special = (rest << 13) | 0x7f800000 | (rest > 0x7c00 ? 0x400000 : 0);  // infinite, quiet NaN
  const float denormal = float(std::int32_t(rest)) * 0x1p-24f;
  const std::uint32_t value = rest >= 0x7c00 ? special : rest >= 0x0400 ? normal : std::uint32_t(bits(denormal));
  return number(std::int32_t(sign | value));
}

/// To the nearest half, ties to even, from a number's bits: one rounding from either type.
template <class T> DPEP_INLINE std::uint16_t narrow(T x) {
  using U = unsigned_of<T>;
  constexpr int mantissa = format<T>::mantissa_bits, bias = format<T>::exponent_bias;
  constexpr int dropped = mantissa - 10;
  const U rest = U(bits(magnitude(x)));
  const std::uint16_t sign = std::uint16_t(U(bits(x)) >> (sizeof(T) * 8 - 16) & 0x8000);
  if (rest > U(bits(infinity<T>))) return std::uint16_t(sign | 0x7e00 | (rest >> dropped & 0x1ff));
  const int exponent = int(rest >> mantissa) - bias;
  if (exponent > 15) return sign | 0x7c00;
  if (exponent < -25) return sign;
  // denormal results drop more bits, and count the leading one, too
  const bool denormal = exponent < -14;
  const int shift = denormal ? dropped - 14 - exponent : dropped;
  const U significand = denormal ? (rest & ((U{1} << mantissa) - 1)) | U{1} << mantissa : rest;
  const U rounded = (significand + ((U{1} << (shift - 1)) - 1) + (significand >> shift & 1)) >> shift;
  const U rebias = denormal ? 0 : U(bias - 15) << 10;
  return std::uint16_t(sign | (rounded - rebias));  // rounding up to infinity included
}

}  // namespace dpep::device
