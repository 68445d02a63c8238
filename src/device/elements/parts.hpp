// Parts, signs and neighbours of floating-point and complex numbers.
#pragma once

#include "device/elements/arithmetic.hpp"
#include "device/math/complex_parts.hpp"
#include "device/math/remainder.hpp"

namespace dpep::elements {

template <class T> DPEP_INLINE T abs(T x) {
  if constexpr (std::is_unsigned_v<T>)
    return x;
  else if constexpr (integer<T>)
    return x < 0 ? negative(x) : x;
  else
    return fabs(x);
}
template <class T> DPEP_INLINE T abs(complex<T> x) { return device::abs(x); }

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
template <class T> DPEP_INLINE T angle(complex<T> x) { return device::angle(x); }
template <class T> DPEP_INLINE complex<T> proj(complex<T> x) { return device::proj(x); }
template <class T> DPEP_INLINE complex<T> sign(complex<T> x) { return device::sign(x); }

DPEP_INLINE half copysign(half x, half sign) { return half_of((bits_of(x) & 0x7fff) | (bits_of(sign) & 0x8000)); }
template <real_float T> DPEP_INLINE T copysign(T x, T sign) { return device::copy_sign(x, sign); }

template <real_float T> DPEP_INLINE T nextafter(T x, T towards) { return device::nextafter(x, towards); }
DPEP_INLINE half nextafter(half x, half towards) {
  const float from = widen(x), to = widen(towards);
  const bool outwards = (from < to) == !signbit(x);
  const half next = half_of(bits_of(x) + (outwards ? 1 : -1));
  const half from_zero = half_of(1 | (bits_of(towards) & 0x8000));
  const half moved = from == 0 ? from_zero : next;
  return isnan(x) ? x : isnan(towards) || from == to ? towards : moved;
}

}  // namespace dpep::elements
