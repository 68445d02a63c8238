// Sums, products, quotients, signs. Integers wrap; bool adds as "or" and multiplies as "and".
#pragma once

#include "device/elements/comparison.hpp"

namespace dpep::elements {

template <class T> DPEP_INLINE T add(T x, T y) {
  if constexpr (boolean<T>)
    return x | y;
  else if constexpr (integer<T>)
    return T(wrapping<T>(x) + wrapping<T>(y));
  else if constexpr (is_complex<T>)
    return {x.real + y.real, x.imaginary + y.imaginary};
  else
    return back<T>(wide(x) + wide(y));
}
template <class T> DPEP_INLINE T subtract(T x, T y) {
  if constexpr (integer<T>)
    return T(wrapping<T>(x) - wrapping<T>(y));
  else if constexpr (is_complex<T>)
    return {x.real - y.real, x.imaginary - y.imaginary};
  else
    return back<T>(wide(x) - wide(y));
}
template <class T> DPEP_INLINE T multiply(T x, T y) {
  if constexpr (boolean<T>) {
    return x & y;
  } else if constexpr (integer<T>) {
    return T(wrapping<T>(x) * wrapping<T>(y));
  } else if constexpr (is_complex<T>) {
#pragma clang fp contract(off)  // z * conj(z) is real to the last bit
    return {x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real};
  } else {
    return back<T>(wide(x) * wide(y));
  }
}

/// The quotient of complex numbers by Smith's method: both parts are divided by the larger part of the divisor, so that
/// its square neither overflows nor underflows.
template <class T> DPEP_INLINE complex<T> divide(complex<T> x, complex<T> y) {
  const bool by_real = __builtin_fabs(y.real) >= __builtin_fabs(y.imaginary);
  const T larger = by_real ? y.real : y.imaginary, smaller = by_real ? y.imaginary : y.real;
  const T ratio = larger == 0 ? T(0) : smaller / larger;
  const T divisor = larger + smaller * ratio;
  const T a = by_real ? x.real : x.imaginary, b = by_real ? x.imaginary : x.real;
  const T rest = b - a * ratio;
  // division by 0 divides each part by 0, as in NumPy
  return {(a + b * ratio) / divisor, (by_real ? rest : -rest) / divisor};
}
template <any_float T> DPEP_INLINE T divide(T x, T y) { return back<T>(wide(x) / wide(y)); }
template <real_float T> DPEP_INLINE complex<T> divide(complex<T> x, T y) { return {x.real / y, x.imaginary / y}; }
template <real_float T> DPEP_INLINE complex<T> divide(T x, complex<T> y) { return divide(complex<T>{x, 0}, y); }

template <class T> DPEP_INLINE T pow_3(T x) {
  if constexpr (is_half<T>)
    return back<T>(wide(x) * wide(x) * wide(x));
  else
    return multiply(multiply(x, x), x);
}
template <class T> DPEP_INLINE T pow_4(T x) {
  if constexpr (is_half<T>) return back<T>(pow_4(wide(x)));
  const T square = multiply(x, x);
  return multiply(square, square);
}
template <any_float T> DPEP_INLINE T pow_minus_2(T x) {
  const auto reciprocal = 1 / wide(x);  // the square of x could be infinite where the result is a number
  return back<T>(reciprocal * reciprocal);
}

template <any_float T> DPEP_INLINE T reciprocal(T x) { return back<T>(1 / wide(x)); }
template <class T> DPEP_INLINE complex<T> reciprocal(complex<T> x) { return divide(complex<T>{1, 0}, x); }
template <any_float T> DPEP_INLINE T numpy_reciprocal(T x) { return reciprocal(x); }
template <class T> DPEP_INLINE complex<T> numpy_reciprocal(complex<T> x) { return elements::reciprocal(x); }

template <class T> DPEP_INLINE T negative(T x) {
  if constexpr (integer<T>)
    return T(-wrapping<T>(x));
  else if constexpr (is_complex<T>)
    return {-x.real, -x.imaginary};
  else if constexpr (is_half<T>)
    return half_of(bits_of(x) ^ 0x8000);
  else
    return -x;
}
template <class T> DPEP_INLINE T positive(T x) { return x; }

template <any_float T> DPEP_INLINE T fabs(T x) {
  if constexpr (is_half<T>)
    return half_of(bits_of(x) & 0x7fff);
  else
    return device::magnitude(x);
}
template <class T> DPEP_INLINE T square(T x) { return multiply(x, x); }
DPEP_INLINE std::int8_t square(bool x) { return x; }

template <class T> DPEP_INLINE T sign(T x) {
  if constexpr (std::is_unsigned_v<T>)
    return x != 0;
  else if constexpr (integer<T>)
    return T((x > 0) - (x < 0));
  else
    return wide(x) != 0 && !isnan(x) ? T(back<T>(wide(x) > 0 ? 1 : -1)) : back<T>(wide(x) + 0);  // -0 + 0 is 0
}

}  // namespace dpep::elements
