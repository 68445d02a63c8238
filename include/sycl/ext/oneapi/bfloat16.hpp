// sycl::ext::oneapi::bfloat16: the upper half of a float. Arithmetic is done in float and rounded to nearest even.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include <sycl/half.hpp>

namespace sycl::ext::oneapi {

class bfloat16 {
public:
  bfloat16() = default;
  constexpr bfloat16(float x) : bits_(round(x)) {}
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, half>)
  constexpr bfloat16(T x) : bfloat16(static_cast<float>(x)) {}
  constexpr bfloat16 &operator=(float x) { return *this = bfloat16(x); }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 x(0.0f);
    x.bits_ = bits;
    return x;
  }
  constexpr std::uint16_t raw() const { return bits_; }
  constexpr operator float() const { return __builtin_bit_cast(float, std::uint32_t{bits_} << 16); }

  friend constexpr bfloat16 operator-(bfloat16 x) { return from_bits(x.bits_ ^ 0x8000u); }
#define DPEP_BFLOAT16(OP)                                                                                              \
  friend constexpr bfloat16 operator OP(bfloat16 a, bfloat16 b) {                                                      \
    return static_cast<float>(a) OP static_cast<float>(b);                                                             \
  }                                                                                                                    \
  /* with integers a bfloat16, with other floats what float gives */                                                   \
  template <class T>                                                                                                   \
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, half>)                                                       \
  friend constexpr auto operator OP(bfloat16 a, T b) {                                                                 \
    if constexpr (std::is_integral_v<T>)                                                                               \
      return a OP bfloat16(static_cast<float>(b));                                                                     \
    else                                                                                                               \
      return static_cast<float>(a) OP b;                                                                               \
  }                                                                                                                    \
  template <class T>                                                                                                   \
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, half>)                                                       \
  friend constexpr auto operator OP(T a, bfloat16 b) {                                                                 \
    if constexpr (std::is_integral_v<T>)                                                                               \
      return bfloat16(static_cast<float>(a)) OP b;                                                                     \
    else                                                                                                               \
      return a OP static_cast<float>(b);                                                                               \
  }                                                                                                                    \
  constexpr bfloat16 &operator OP## = (bfloat16 b) { return *this = *this OP b; }
  DPEP_BFLOAT16(+)
  DPEP_BFLOAT16(-)
  DPEP_BFLOAT16(*)
  DPEP_BFLOAT16(/)
#undef DPEP_BFLOAT16
  constexpr bfloat16 &operator++() { return *this += bfloat16(1.0f); }
  constexpr bfloat16 &operator--() { return *this -= bfloat16(1.0f); }
  constexpr bfloat16 operator++(int) { return std::exchange(*this, *this + bfloat16(1.0f)); }
  constexpr bfloat16 operator--(int) { return std::exchange(*this, *this - bfloat16(1.0f)); }

  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return static_cast<float>(a) == static_cast<float>(b); }
  friend constexpr std::partial_ordering operator<=>(bfloat16 a, bfloat16 b) {
    return static_cast<float>(a) <=> static_cast<float>(b);
  }
  // Relations with numbers are those of float, or of double. Without them, the number's conversion to bfloat16 would
  // compete with the conversion to float.
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, half>)
  friend constexpr bool operator==(bfloat16 a, T b) {
    return static_cast<float>(a) == comparable(b);
  }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, half>)
  friend constexpr std::partial_ordering operator<=>(bfloat16 a, T b) {
    return static_cast<float>(a) <=> comparable(b);
  }

private:
  template <class T> static constexpr auto comparable(T x) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, long double>)
      return x;
    else
      return static_cast<float>(x);
  }
  static constexpr std::uint16_t round(float x) {
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    if (x != x) return static_cast<std::uint16_t>(bits >> 16 | 0x40);  // a quiet NaN, whatever the lower half was
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }

  std::uint16_t bits_;
};

}  // namespace sycl::ext::oneapi

template <> struct std::numeric_limits<sycl::ext::oneapi::bfloat16> : std::numeric_limits<float> {
  using bfloat16 = sycl::ext::oneapi::bfloat16;
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr bfloat16 min() noexcept { return bfloat16::from_bits(0x0080); }
  static constexpr bfloat16 max() noexcept { return bfloat16::from_bits(0x7f7f); }
  static constexpr bfloat16 lowest() noexcept { return bfloat16::from_bits(0xff7f); }
  static constexpr bfloat16 epsilon() noexcept { return bfloat16::from_bits(0x3c00); }
  static constexpr bfloat16 round_error() noexcept { return bfloat16::from_bits(0x3f00); }
  static constexpr bfloat16 denorm_min() noexcept { return bfloat16::from_bits(0x0001); }
  static constexpr bfloat16 infinity() noexcept { return bfloat16::from_bits(0x7f80); }
  static constexpr bfloat16 quiet_NaN() noexcept { return bfloat16::from_bits(0x7fc0); }
  static constexpr bfloat16 signaling_NaN() noexcept { return bfloat16::from_bits(0x7fa0); }
};

template <> struct std::hash<sycl::ext::oneapi::bfloat16> {
  std::size_t operator()(sycl::ext::oneapi::bfloat16 x) const noexcept { return std::hash<float>()(x); }
};
