// Integer division, powers, bits and shifts. Nothing here traps or is undefined, for any operands.
#pragma once

#include "device/elements/types.hpp"
#include "device/math/reciprocal.hpp"

namespace dpep::elements {
namespace detail {

/// A floating-point type in which quotients of these integers truncate to the right integer: the true quotient is
/// further from the next integer than a rounding error.
template <class T>
using quotient_type = std::conditional_t<sizeof(T) <= 2, float, std::conditional_t<sizeof(T) == 4, double, void>>;

/// The quotient rounded towards 0; the minimum divided by -1 wraps. `y` is not 0.
template <integer T> DPEP_INLINE T truncated_quotient(T x, T y) {
  if constexpr (sizeof(T) <= 4) {
    using F = quotient_type<T>;
    using I = std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t>;
    if constexpr (std::is_same_v<T, std::int32_t>) {
      // The minimum divided by -1 is 2^31, which the conversion of x86 turns into the minimum, like every value out of
      // range. That of a GPU returns the maximum.
      const F quotient = F(x) / F(y);
      return device::has_fast_reciprocals() ? T(integer_part<std::int64_t>(quotient)) : integer_part<T>(quotient);
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
      const F quotient = F(x) / F(y);  // both halves of its range: all processors have vector conversions to int32
      const F moved = quotient - 0x1p31;
      return moved < 0 ? T(integer_part<std::int32_t>(quotient)) : T(integer_part<std::int32_t>(moved)) ^ 0x80000000u;
    } else {
      return T(I(F(x) / F(y)));
    }
  } else {
    if constexpr (std::is_signed_v<T>)
      if (y == -1) return T(-wrapping<T>(x));  // the processor traps for the minimum divided by -1
    return x / y;
  }
}

}  // namespace detail

/// The quotient rounded down; 0 for division by 0.
template <integer T> DPEP_INLINE T floor_divide(T x, T y) {
  const T divisor = y == 0 ? T(1) : y;
  const T quotient = detail::truncated_quotient(x, divisor);
  if constexpr (std::is_signed_v<T>) {
    const T rest = T(wrapping<T>(x) - wrapping<T>(quotient) * wrapping<T>(divisor));
    const T below = (rest != 0) & ((rest < 0) != (divisor < 0));
    return y == 0 ? T(0) : T(wrapping<T>(quotient) - wrapping<T>(below));
  } else {
    return y == 0 ? T(0) : quotient;
  }
}

/// The remainder of floor_divide, with the divisor's sign; 0 for division by 0.
template <integer T> DPEP_INLINE T remainder(T x, T y) {
  const T divisor = y == 0 ? T(1) : y;
  const T quotient = detail::truncated_quotient(x, divisor);
  const T rest = T(wrapping<T>(x) - wrapping<T>(quotient) * wrapping<T>(divisor));
  if constexpr (std::is_signed_v<T>)
    return rest != 0 && (rest < 0) != (divisor < 0) ? T(wrapping<T>(rest) + wrapping<T>(divisor)) : rest;
  else
    return rest;
}

/// The remainder of the truncated quotient, with the dividend's sign; 0 for division by 0.
template <integer T> DPEP_INLINE T fmod(T x, T y) {
  const T divisor = y == 0 ? T(1) : y;
  return T(wrapping<T>(x) - wrapping<T>(detail::truncated_quotient(x, divisor)) * wrapping<T>(divisor));
}

/// base ** exponent. Negative exponents give 0, also for the bases 1 and -1, as in dpctl.
template <integer T> DPEP_INLINE T pow(T base, T exponent) {
  if (exponent < T(0)) return 0;
  wrapping<T> result = 1, factor = wrapping<T>(base);
  for (auto rest = std::make_unsigned_t<T>(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result *= factor;
    factor *= factor;
  }
  return T(result);
}

template <integral T> DPEP_INLINE T bitwise_and(T x, T y) { return T(x & y); }
template <integral T> DPEP_INLINE T bitwise_or(T x, T y) { return T(x | y); }
template <integral T> DPEP_INLINE T bitwise_xor(T x, T y) { return T(x ^ y); }
template <integral T> DPEP_INLINE T bitwise_invert(T x) {
  if constexpr (boolean<T>)
    return !x;
  else
    return T(~x);
}

/// Counts that are not less than the width shift all bits out; negative counts give 0, as in dpctl.
template <integer T> DPEP_INLINE T bitwise_left_shift(T x, T count) {
  using U = std::make_unsigned_t<T>;
  constexpr U width = sizeof(T) * 8;
  const U by = U(count);
  return by < width ? T(U(wrapping<T>(x) << (by & (width - 1)))) : T(0);
}
template <integer T> DPEP_INLINE T bitwise_right_shift(T x, T count) {
  using U = std::make_unsigned_t<T>;
  constexpr U width = sizeof(T) * 8;
  const U by = U(count) < width ? U(count) : U(width - 1);
  if constexpr (std::is_signed_v<T>)
    return count < 0 ? T(0) : T(x >> by);
  else
    return U(count) < width ? T(x >> by) : T(0);
}
/// NumPy's right shift: negative counts shift all bits out, giving 0 or -1 according to the sign.
template <integer T> DPEP_INLINE T numpy_bitwise_right_shift(T x, T count) {
  using U = std::make_unsigned_t<T>;
  constexpr U width = sizeof(T) * 8;
  if constexpr (std::is_signed_v<T>)
    return T(x >> (U(count) < width ? U(count) : U(width - 1)));  // U of a negative count is at least the width
  else
    return bitwise_right_shift(x, count);
}
template <integer T> DPEP_INLINE T numpy_floor_divide(T x, T y) { return floor_divide(x, y); }
/// NumPy's reciprocal: 1 / x truncated. For x = 0, the result of x86's conversion of infinity: the minimum of signed
/// types of 32 and 64 bits, otherwise 0.
template <integer T> DPEP_INLINE T numpy_reciprocal(T x) {
  constexpr T of_zero =
      std::is_signed_v<T> && sizeof(T) >= 4 ? T(std::make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1)) : T(0);
  if constexpr (std::is_signed_v<T>)
    return x == 0 ? of_zero : x == 1 || x == -1 ? x : T(0);
  else
    return x == 1 ? x : T(0);
}

}  // namespace dpep::elements
