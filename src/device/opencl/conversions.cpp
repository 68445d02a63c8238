// Explicit conversions: convert_<type>[_sat][_<rounding>] of scalars.
#include "device/opencl/types.hpp"

#include <limits>
#include <type_traits>

namespace {

enum class rounding { to_even, to_zero, up, down };

template <class T> constexpr bool is_float = !std::is_integral_v<T>;

/// The whole number next to x in the direction.
template <rounding mode, class F> F whole(F x) {
  using W = std::conditional_t<std::is_same_v<F, half>, float, F>;
  const W w = static_cast<W>(x);
  if constexpr (mode == rounding::to_even) return static_cast<F>(__builtin_elementwise_roundeven(w));
  if constexpr (mode == rounding::up) return static_cast<F>(__builtin_elementwise_ceil(w));
  if constexpr (mode == rounding::down) return static_cast<F>(__builtin_elementwise_floor(w));
  return static_cast<F>(__builtin_elementwise_trunc(w));
}

/// 2 to the number of value bits: the least float beyond the type. Infinity where a half does not reach that far.
template <class To, class W> constexpr W beyond() {
  W limit = 1;
  for (int i = 0; i < std::numeric_limits<To>::digits; ++i) limit *= 2;
  return limit;
}

template <class To, bool saturated, rounding mode, class From> To to_integer(From x) {
  if constexpr (is_float<From>) {
    using W = std::conditional_t<std::is_same_v<From, half>, float, From>;
    const W w = static_cast<W>(whole<mode>(x));
    if constexpr (!saturated) return static_cast<To>(w);
    constexpr W high = beyond<To, W>(), low = std::is_signed_v<To> ? -high : W(0);
    if (w != w) return 0;
    if (w >= high) return std::numeric_limits<To>::max();
    return w < low ? std::numeric_limits<To>::min() : static_cast<To>(w);
  } else {
    if constexpr (saturated) {
      if constexpr (std::is_signed_v<From>)
        if (x < 0) {
          if constexpr (!std::is_signed_v<To>) return 0;
          if (static_cast<long>(x) < static_cast<long>(std::numeric_limits<To>::min()))
            return std::numeric_limits<To>::min();
          return static_cast<To>(x);
        }
      if (static_cast<ulong>(x) > static_cast<ulong>(std::numeric_limits<To>::max()))
        return std::numeric_limits<To>::max();
    }
    return static_cast<To>(x);
  }
}

template <class F>
using bits_of = std::conditional_t<sizeof(F) == 8, std::int64_t, std::conditional_t<sizeof(F) == 4, int, short>>;

/// The next number away from zero, or towards it. Not for infinities away from zero.
template <class F> F step_magnitude(F x, int by) {
  return __builtin_bit_cast(F, static_cast<bits_of<F>>(__builtin_bit_cast(bits_of<F>, x) + by));
}

template <class F> F infinity() { return static_cast<F>(__builtin_inff()); }

/// Corrects a number that was rounded to the nearest, for other roundings. `order`: the sign of (rounded - exact).
template <rounding mode, class F> F correct(F rounded, int order) {
  const bool negative = __builtin_bit_cast(bits_of<F>, rounded) < 0;
  const bool too_high = order > 0, too_low = order < 0;
  if constexpr (mode == rounding::to_zero)
    return (negative ? too_low : too_high) ? step_magnitude(rounded, -1) : rounded;
  if constexpr (mode == rounding::up) {
    if (!too_low) return rounded;
    return rounded == 0 && !negative ? step_magnitude(F(0), 1) : step_magnitude(rounded, negative ? -1 : 1);
  }
  if constexpr (mode == rounding::down) {
    if (!too_high) return rounded;
    return rounded == 0 ? -step_magnitude(F(0), 1) : step_magnitude(rounded, negative ? 1 : -1);
  }
  return rounded;
}

/// The sign of a - b.
template <class T> int order_of(T a, T b) { return (a > b) - (a < b); }

template <class To, rounding mode, class From> To to_float(From x) {
  const To rounded = static_cast<To>(x);
  if constexpr (mode == rounding::to_even) return rounded;
  if constexpr (is_float<From>) {
    if constexpr (sizeof(To) >= sizeof(From)) return rounded;
    if (x != x) return rounded;
    return correct<mode>(rounded, order_of<double>(static_cast<double>(rounded), static_cast<double>(x)));
  } else {
    // A double has every integer of up to 53 bits. Beyond, the rounded number is an integer, or 2 to the 63 or 64.
    if (rounded == infinity<To>() || rounded == -infinity<To>()) return correct<mode>(rounded, rounded > 0 ? 1 : -1);
    const double back = static_cast<double>(rounded);
    if constexpr (sizeof(From) < 8) return correct<mode>(rounded, order_of<double>(back, static_cast<double>(x)));
    if (back >= beyond<From, double>()) return correct<mode>(rounded, 1);
    return correct<mode>(rounded, order_of<From>(static_cast<From>(back), x));
  }
}

template <class To, bool saturated, rounding mode, class From> To convert(From x) {
  if constexpr (is_float<To>)
    return to_float<To, mode>(x);
  else
    return to_integer<To, saturated, mode>(x);
}

constexpr rounding usual_to_integer = rounding::to_zero, usual_to_float = rounding::to_even;

}  // namespace

#define DPEP_ROUNDINGS(TO, SUFFIX, SATURATED, FROM, USUAL)                                                             \
  DPEP_OPENCL TO convert_##TO##SUFFIX(FROM x) { return convert<TO, SATURATED, USUAL>(x); }                             \
  DPEP_OPENCL TO convert_##TO##SUFFIX##_rte(FROM x) { return convert<TO, SATURATED, rounding::to_even>(x); }           \
  DPEP_OPENCL TO convert_##TO##SUFFIX##_rtz(FROM x) { return convert<TO, SATURATED, rounding::to_zero>(x); }           \
  DPEP_OPENCL TO convert_##TO##SUFFIX##_rtp(FROM x) { return convert<TO, SATURATED, rounding::up>(x); }                \
  DPEP_OPENCL TO convert_##TO##SUFFIX##_rtn(FROM x) { return convert<TO, SATURATED, rounding::down>(x); }

// clang-format off
#define DPEP_TO_INTEGER(TO, FROM)                                                                                     \
  DPEP_ROUNDINGS(TO, , false, FROM, usual_to_integer) DPEP_ROUNDINGS(TO, _sat, true, FROM, usual_to_integer)
// clang-format on
#define DPEP_TO_FLOAT(TO, FROM) DPEP_ROUNDINGS(TO, , false, FROM, usual_to_float)
// clang-format off
#define DPEP_CONVERT_FROM(FROM)                                                                                       \
  DPEP_TO_INTEGER(char, FROM) DPEP_TO_INTEGER(uchar, FROM) DPEP_TO_INTEGER(short, FROM)                               \
  DPEP_TO_INTEGER(ushort, FROM) DPEP_TO_INTEGER(int, FROM) DPEP_TO_INTEGER(uint, FROM) DPEP_TO_INTEGER(long, FROM)    \
  DPEP_TO_INTEGER(ulong, FROM) DPEP_TO_FLOAT(half, FROM) DPEP_TO_FLOAT(float, FROM) DPEP_TO_FLOAT(double, FROM)
// clang-format on
DPEP_NUMBER_TYPES(DPEP_CONVERT_FROM)

// Halves in memory. vload_half and vstore_half are these conversions of 16 bits.
DPEP_OPENCL half dpep_half(float x, int mode) {
  switch (mode) {
  case 1:
    return convert<half, false, rounding::to_zero>(x);
  case 2:
    return convert<half, false, rounding::up>(x);
  case 3:
    return convert<half, false, rounding::down>(x);
  default:
    return static_cast<half>(x);
  }
}
