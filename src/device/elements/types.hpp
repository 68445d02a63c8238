// The C++ types of array elements: complex numbers, half precision, and the concepts and conversions of element
// functions.
//
// Everything in this folder is inlined and has internal linkage, as in math/: one program contains builds for several
// instruction sets, and the linker must not merge them.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "device/math/complex.hpp"
#include "device/math/number.hpp"

namespace dpep::elements {

template <class T> using complex = device::complex<T>;
/// A half as it is stored; arithmetic is done in float and rounded once. It is not a _Float16: the compiler would turn
/// tests of its bits into comparisons, for which processors without conversions of halves call a function.
struct half {
  std::uint16_t bits;
};

template <class T> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<complex<T>> = true;
template <class T> constexpr bool is_half = std::is_same_v<T, half>;
template <class T>
concept any_complex = is_complex<T>;
template <class T>
concept real_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept any_float = real_float<T> || is_half<T>;
template <class T>
concept integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept boolean = std::is_same_v<T, bool>;
template <class T>
concept integral = std::is_integral_v<T>;

namespace detail {
template <class T> struct real_part {
  using type = T;
};
template <class T> struct real_part<complex<T>> {
  using type = T;
};
template <class T> struct wrapping_type {
  using type = std::make_unsigned_t<T>;
};
template <> struct wrapping_type<std::int16_t> {  // unsigned short is promoted to int, whose products may overflow
  using type = std::uint32_t;
};
template <> struct wrapping_type<std::uint16_t> {
  using type = std::uint32_t;
};
}  // namespace detail
template <class T> using real_of = typename detail::real_part<T>::type;
/// The unsigned type in which integer arithmetic is done, since it wraps.
template <class T> using wrapping = typename detail::wrapping_type<T>::type;

#ifdef __F16C__
DPEP_INLINE float widen(half x) { return float(__builtin_bit_cast(_Float16, x.bits)); }
DPEP_INLINE half narrow(float x) { return {__builtin_bit_cast(std::uint16_t, _Float16(x))}; }
#else
DPEP_INLINE float widen(half x) {
  const std::uint32_t all = x.bits, magnitude = all & 0x7fff;
  const std::uint32_t normal = (magnitude << 13) + (magnitude < 0x7c00 ? 112u << 23 : 224u << 23);
  const float denormal = float(std::int32_t(magnitude)) * 0x1p-24f;
  const std::uint32_t value = magnitude < 0x400 ? __builtin_bit_cast(std::uint32_t, denormal) : normal;
  return __builtin_bit_cast(float, value | (all & 0x8000) << 16);
}
DPEP_INLINE half narrow(float x) {
  const std::uint32_t all = __builtin_bit_cast(std::uint32_t, x), magnitude = all & 0x7fffffff;
  const std::uint32_t normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112u << 10);
  // the last bit of numbers from 1/2 to 1 has the weight of the last bit of denormal halves
  const float beside = __builtin_bit_cast(float, magnitude < 0x38800000 ? magnitude : 0) + 0.5f;
  const std::uint32_t denormal = __builtin_bit_cast(std::uint32_t, beside) - 0x3f000000;
  std::uint32_t value = magnitude < 0x38800000 ? denormal : normal;
  value = magnitude < 0x477ff000 ? value : 0x7c00;
  value = magnitude <= 0x7f800000 ? value : 0x7e00 | (magnitude >> 13 & 0x3ff);
  return {std::uint16_t(value | all >> 31 << 15)};
}
#endif

/// Rounded once: x is rounded to odd as a float, so that the second rounding gives the correct result.
DPEP_INLINE half narrow(double x) {
  const float nearest = float(x);
  const double back = nearest;
  std::uint32_t all = __builtin_bit_cast(std::uint32_t, nearest);
  all -= __builtin_fabs(back) > __builtin_fabs(x) ? 1 : 0;
  all |= back != x ? 1 : 0;
  return narrow(__builtin_bit_cast(float, all));
}

/// The integer part. Out of range and for NaN the result of the processor's conversion; C++ leaves it undefined.
template <class To, class From> [[clang::no_sanitize("float-cast-overflow")]] DPEP_INLINE To integer_part(From x) {
  return To(x);
}

/// Conversions to the type in which operations are computed, float for halves, and from it.
template <class T> DPEP_INLINE T wide(T x) { return x; }
DPEP_INLINE float wide(half x) { return widen(x); }
template <class T> using wide_of = std::conditional_t<is_half<T>, float, T>;
template <class T> DPEP_INLINE T back(wide_of<T> x) {
  if constexpr (is_half<T>)
    return narrow(x);
  else
    return x;
}

DPEP_INLINE std::uint16_t bits_of(half x) { return x.bits; }
DPEP_INLINE half half_of(int bits) { return {std::uint16_t(bits)}; }

}  // namespace dpep::elements
