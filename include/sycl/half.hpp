// sycl::half: IEEE 754 binary16, which is _Float16 in clang.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>

namespace sycl {

using half = _Float16;

/// Found by programs with `using namespace sycl`: built-in types have no associated namespace for argument lookup.
template <class Char, class Traits, std::same_as<half> H>
std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, H x) {
  return out << static_cast<float>(x);
}

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
#define DPEP_HALF_1(name)                                                                                              \
  inline _Float16 name(_Float16 x) noexcept { return static_cast<_Float16>(__builtin_##name##f(x)); }
#define DPEP_HALF_2(name)                                                                                              \
  inline _Float16 name(_Float16 x, _Float16 y) noexcept { return static_cast<_Float16>(__builtin_##name##f(x, y)); }
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
