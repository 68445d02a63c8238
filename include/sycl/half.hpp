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
#endif
