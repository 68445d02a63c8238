// Conversion between element types with a rounding mode, for vec::convert.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <sycl/detail/lane.hpp>
#include <sycl/half.hpp>

namespace sycl {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

namespace detail {

template <class T> inline constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, half>;

/// The next representable value of a float type towards plus or minus infinity.
template <class T> constexpr T next_value(T x, bool up) {
  using bits_t =
      std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
  if (x == T(0)) x = T(0);  // treats both zeros alike
  const bits_t bits = __builtin_bit_cast(bits_t, x);
  if (x == T(0)) {
    const T least = __builtin_bit_cast(T, bits_t(1));
    return up ? least : -least;
  }
  return __builtin_bit_cast(T, static_cast<bits_t>((bits > 0) == up ? bits + 1 : bits - 1));
}

/// Rounds a value to a float type of less precision or range: to nearest, then one step if the mode requires the other
/// neighbour.
template <class To, rounding_mode Mode, class From> constexpr To round_to_float(From x) {
  const To nearest = static_cast<To>(x);
  if constexpr (Mode == rounding_mode::automatic || Mode == rounding_mode::rte) {
    return nearest;
  } else {
    // An exact comparison: long double represents every integer and every float.
    const long double exact = static_cast<long double>(x), rounded = static_cast<long double>(nearest);
    const bool down = Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && exact > 0);
    if (down && rounded > exact) return next_value(nearest, false);
    const bool up = Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && exact < 0);
    if (up && rounded < exact) return next_value(nearest, true);
    return nearest;
  }
}

template <class To, rounding_mode Mode, class From> constexpr To convert(const From &x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (computes_by_element<From>) {  // as a float, which has all of its values
    return convert<To, Mode>(static_cast<float>(x));
  } else if constexpr (computes_by_element<To>) {
    return To(static_cast<float>(x));
  } else if constexpr (is_floating<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    // automatic is the mode of the source's type: to nearest for floats, as in the conformance tests and in DPC++
    if constexpr (Mode == rounding_mode::automatic || Mode == rounding_mode::rte)
      return static_cast<To>(__builtin_elementwise_roundeven(x));
    else if constexpr (Mode == rounding_mode::rtp)
      return static_cast<To>(__builtin_elementwise_ceil(x));
    else if constexpr (Mode == rounding_mode::rtn)
      return static_cast<To>(__builtin_elementwise_floor(x));
    else
      return static_cast<To>(x);
  } else if constexpr (is_floating<To> && (std::is_integral_v<From> || is_floating<From>)) {
    return round_to_float<To, Mode>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace detail
}  // namespace sycl
