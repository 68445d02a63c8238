// Parts, signs and neighbours of floating-point and complex numbers.
#pragma once

#include "device/elements/arithmetic.hpp"
#include "device/math/arctangent.hpp"
#include "device/math/scaling.hpp"

namespace dpep::elements {

template <class T> DPEP_INLINE T abs(T x) {
  if constexpr (std::is_unsigned_v<T>)
    return x;
  else if constexpr (integer<T>)
    return x < 0 ? negative(x) : x;
  else
    return fabs(x);
}
template <class T> DPEP_INLINE T abs(complex<T> x) { return device::hypot(x.real, x.imaginary); }

template <class T> DPEP_INLINE real_of<T> real(T x) {
  if constexpr (is_complex<T>)
    return x.real;
  else
    return x;
}
template <class T> DPEP_INLINE real_of<T> imag(T x) {
  if constexpr (is_complex<T>)
    return x.imaginary;
  else
    return real_of<T>{};
}
template <class T> DPEP_INLINE T conj(T x) {
  if constexpr (is_complex<T>)
    return {x.real, -x.imaginary};
  else
    return x;
}
DPEP_INLINE std::int8_t conj(bool x) { return x; }
template <class T> DPEP_INLINE T angle(complex<T> x) { return device::atan2(x.imaginary, x.real); }
/// All infinities are one.
template <class T> DPEP_INLINE complex<T> proj(complex<T> x) {
  const bool infinite = isinf(x);
  return {infinite ? device::infinity<T> : x.real, infinite ? device::copy_sign(T(0), x.imaginary) : x.imaginary};
}
/// x / |x|, and 0 for 0.
template <class T> DPEP_INLINE complex<T> sign(complex<T> x) {
  const T size = abs(x);
  return {size == 0 ? T(0) : x.real / size, size == 0 ? T(0) : x.imaginary / size};
}

DPEP_INLINE half copysign(half x, half sign) { return half_of((bits_of(x) & 0x7fff) | (bits_of(sign) & 0x8000)); }
template <real_float T> DPEP_INLINE T copysign(T x, T sign) { return device::copy_sign(x, sign); }

namespace detail {
template <class T> struct bits_type {
  using type = device::integer_of<T>;
};
template <> struct bits_type<half> {
  using type = std::int16_t;
};
}  // namespace detail

template <any_float T> DPEP_INLINE T nextafter(T x, T towards) {
  using I = typename detail::bits_type<T>::type;
  const I all = __builtin_bit_cast(I, x), sign = I(all & std::numeric_limits<I>::min());
  const bool away_from_zero = (wide(towards) > wide(x)) == (sign == 0);
  const I step = I(all + (away_from_zero ? 1 : -1));
  const I from_zero = I(1 | (__builtin_bit_cast(I, towards) & std::numeric_limits<I>::min()));
  const I next = wide(x) == 0 ? from_zero : step;
  const T moved = wide(x) == wide(towards) ? towards : __builtin_bit_cast(T, next);
  return isnan(x) ? x : isnan(towards) ? towards : moved;
}

}  // namespace dpep::elements
