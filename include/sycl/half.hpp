// sycl::half: IEEE 754 binary16, which is _Float16 in clang.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>

namespace sycl {

using half = _Float16;

namespace detail {
/// A half and a wider floating-point number, in any order.
template <class A, class B>
concept half_and_wider =
    (std::same_as<A, half> && std::floating_point<B>) || (std::floating_point<A> && std::same_as<B, half>);
}  // namespace detail

}  // namespace sycl

#ifndef __STDCPP_FLOAT16_T__  // otherwise the standard library defines these
template <> struct std::numeric_limits<_Float16> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_iec559 = true,
                        has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, has_denorm_loss = false,
                        is_bounded = true, is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2, min_exponent = -13, min_exponent10 = -4,
                       max_exponent = 16, max_exponent10 = 4;
  static constexpr _Float16 min() noexcept { return 0x1p-14f16; }
  static constexpr _Float16 max() noexcept { return 65504.0f16; }
  static constexpr _Float16 lowest() noexcept { return -65504.0f16; }
  static constexpr _Float16 epsilon() noexcept { return 0x1p-10f16; }
  static constexpr _Float16 round_error() noexcept { return 0.5f16; }
  static constexpr _Float16 denorm_min() noexcept { return 0x1p-24f16; }
  static constexpr _Float16 infinity() noexcept { return __builtin_bit_cast(_Float16, std::uint16_t{0x7c00}); }
  static constexpr _Float16 quiet_NaN() noexcept { return __builtin_bit_cast(_Float16, std::uint16_t{0x7e00}); }
  static constexpr _Float16 signaling_NaN() noexcept { return __builtin_bit_cast(_Float16, std::uint16_t{0x7d00}); }
};

template <> struct std::hash<_Float16> {
  std::size_t operator()(_Float16 x) const noexcept { return std::hash<float>()(x); }
};

// The standard library's functions of float, double and long double are ambiguous for _Float16.
namespace std {
template <class Char, class Traits, same_as<_Float16> H>
basic_ostream<Char, Traits> &operator<<(basic_ostream<Char, Traits> &out, H x) {
  return out << static_cast<float>(x);
}
template <class Char, class Traits, same_as<_Float16> H>
basic_istream<Char, Traits> &operator>>(basic_istream<Char, Traits> &in, H &x) {
  float wide = 0;  // extraction stores 0 or the largest number if it fails
  in >> wide;
  x = static_cast<_Float16>(wide);
  return in;
}
template <same_as<_Float16> H> string to_string(H x) { return to_string(static_cast<float>(x)); }

#define DPEP_HALF_1(name)                                                                                              \
  inline _Float16 name(_Float16 x) noexcept { return static_cast<_Float16>(__builtin_##name##f(x)); }
#define DPEP_HALF_2(name)                                                                                              \
  inline _Float16 name(_Float16 x, _Float16 y) noexcept { return static_cast<_Float16>(__builtin_##name##f(x, y)); }   \
  template <class A, class B>                                                                                          \
    requires sycl::detail::half_and_wider<A, B>                                                                        \
  auto name(A x, B y) noexcept {                                                                                       \
    using wider = decltype(x + y);                                                                                     \
    return std::name(static_cast<wider>(x), static_cast<wider>(y));                                                    \
  }
DPEP_HALF_1(acos)
DPEP_HALF_1(acosh)
DPEP_HALF_1(asin)
DPEP_HALF_1(asinh)
DPEP_HALF_1(atan)
DPEP_HALF_1(atanh)
DPEP_HALF_1(cbrt)
DPEP_HALF_1(ceil)
DPEP_HALF_1(cos)
DPEP_HALF_1(cosh)
DPEP_HALF_1(erf)
DPEP_HALF_1(erfc)
DPEP_HALF_1(exp)
DPEP_HALF_1(exp2)
DPEP_HALF_1(expm1)
DPEP_HALF_1(fabs)
DPEP_HALF_1(floor)
DPEP_HALF_1(lgamma)
DPEP_HALF_1(log)
DPEP_HALF_1(log10)
DPEP_HALF_1(log1p)
DPEP_HALF_1(log2)
DPEP_HALF_1(logb)
DPEP_HALF_1(nearbyint)
DPEP_HALF_1(rint)
DPEP_HALF_1(round)
DPEP_HALF_1(sin)
DPEP_HALF_1(sinh)
DPEP_HALF_1(sqrt)
DPEP_HALF_1(tan)
DPEP_HALF_1(tanh)
DPEP_HALF_1(tgamma)
DPEP_HALF_1(trunc)
DPEP_HALF_2(atan2)
DPEP_HALF_2(copysign)
DPEP_HALF_2(fdim)
DPEP_HALF_2(fmax)
DPEP_HALF_2(fmin)
DPEP_HALF_2(fmod)
DPEP_HALF_2(hypot)
DPEP_HALF_2(pow)
DPEP_HALF_2(remainder)
#undef DPEP_HALF_1
#undef DPEP_HALF_2
inline _Float16 abs(_Float16 x) noexcept { return std::fabs(x); }
inline _Float16 ldexp(_Float16 x, int exponent) noexcept {
  return static_cast<_Float16>(__builtin_ldexpf(x, exponent));
}
inline _Float16 frexp(_Float16 x, int *exponent) noexcept {
  return static_cast<_Float16>(__builtin_frexpf(x, exponent));
}
inline _Float16 modf(_Float16 x, _Float16 *whole) noexcept {
  float part = 0;
  const float rest = __builtin_modff(x, &part);
  *whole = static_cast<_Float16>(part);
  return static_cast<_Float16>(rest);
}
inline _Float16 remquo(_Float16 x, _Float16 y, int *quotient) noexcept {
  return static_cast<_Float16>(__builtin_remquof(x, y, quotient));
}
inline _Float16 scalbn(_Float16 x, int exponent) noexcept { return std::ldexp(x, exponent); }
inline int ilogb(_Float16 x) noexcept { return __builtin_ilogbf(x); }
inline long lrint(_Float16 x) noexcept { return __builtin_lrintf(x); }
inline long long llrint(_Float16 x) noexcept { return __builtin_llrintf(x); }
inline long lround(_Float16 x) noexcept { return __builtin_lroundf(x); }
inline long long llround(_Float16 x) noexcept { return __builtin_llroundf(x); }
/// The next half: the one whose bits, as a number with sign and magnitude, are next.
inline _Float16 nextafter(_Float16 x, _Float16 y) noexcept {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return std::copysign(numeric_limits<_Float16>::denorm_min(), y);
  const uint16_t bits = __builtin_bit_cast(uint16_t, x);
  return __builtin_bit_cast(_Float16, static_cast<uint16_t>((x > 0) == (y > x) ? bits + 1 : bits - 1));
}
inline _Float16 fma(_Float16 x, _Float16 y, _Float16 z) noexcept {  // the product is exact in double
  return static_cast<_Float16>(static_cast<double>(x) * static_cast<double>(y) + static_cast<double>(z));
}
constexpr bool isfinite(_Float16 x) noexcept { return __builtin_isfinite(x); }
constexpr bool isinf(_Float16 x) noexcept { return __builtin_isinf(x); }
constexpr bool isnan(_Float16 x) noexcept { return __builtin_isnan(x); }
constexpr bool isnormal(_Float16 x) noexcept { return __builtin_isnormal(x); }
constexpr bool signbit(_Float16 x) noexcept { return __builtin_bit_cast(std::uint16_t, x) >> 15; }
}  // namespace std
#endif
