// Functions that only NumPy's interface has: divisors, exponents and mantissas, Bessel functions, angles, steps.
#pragma once

#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/rounding.hpp"
#include "device/math/parts.hpp"

namespace dpep::elements {
namespace detail {

/// The magnitude of an integer, which for the least one only the unsigned type holds.
template <integer T> DPEP_INLINE std::make_unsigned_t<T> magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  return x < 0 ? U(U(0) - U(x)) : U(x);
}

/// Euclid's algorithm.
template <class U> DPEP_INLINE U common_divisor(U x, U y) {
  while (y != 0) {
    const U rest = U(x % y);
    x = y;
    y = rest;
  }
  return x;
}

}  // namespace detail

template <integer T> DPEP_INLINE T gcd(T x, T y) {
  return T(detail::common_divisor(detail::magnitude(x), detail::magnitude(y)));
}
template <integer T> DPEP_INLINE T lcm(T x, T y) {
  using U = std::make_unsigned_t<T>;
  const U a = detail::magnitude(x), b = detail::magnitude(y), divisor = detail::common_divisor(a, b);
  return divisor == 0 ? T(0) : T(wrapping<U>(U(a / divisor)) * wrapping<U>(b));
}
template <integral T> DPEP_INLINE std::uint8_t bitwise_count(T x) {
  if constexpr (boolean<T>)
    return x;
  else
    return std::uint8_t(__builtin_popcountll(detail::magnitude(x)));
}

template <any_float T, class Exponent> DPEP_INLINE T ldexp(T x, Exponent exponent) {
  constexpr Exponent limit = 1 << 20;  // beyond it, all results are 0 or infinite
  const int n = int(exponent > limit ? limit : exponent < -limit ? -limit : exponent);
  return back<T>(device::ldexp(wide(x), n));
}
template <any_float T> DPEP_INLINE T frexp_mantissa(T x) {
  int exponent;
  return back<T>(device::frexp(wide(x), &exponent));
}
template <any_float T> DPEP_INLINE std::int32_t frexp_exponent(T x) {
  int exponent;
  device::frexp(wide(x), &exponent);
  return exponent;
}
template <any_float T> DPEP_INLINE T modf_whole(T x) { return trunc(x); }
template <any_float T> DPEP_INLINE T modf_fraction(T x) {
  wide_of<T> whole;
  return back<T>(device::modf(wide(x), &whole));
}

/// In NumPy, float16 is the only type whose spacing of negative numbers is measured towards 0, and of infinities NaN.
template <real_float T> DPEP_INLINE T spacing(T x) {
  return nextafter(x, x < 0 ? -device::infinity<T> : device::infinity<T>) - x;  // also of -0 upwards
}
DPEP_INLINE half spacing(half x) {
  const half next = nextafter(x, half_of(0x7c00));
  return isinf(x) ? half_of(0x7e00) : narrow(widen(next) - widen(x));
}

template <any_float T> DPEP_INLINE T heaviside(T x, T at_zero) {
  const auto number = wide(x);
  return number == 0 ? at_zero : isnan(x) ? x : back<T>(number > 0 ? 1 : 0);
}
template <any_float T> DPEP_INLINE T degrees(T x) {
  using W = wide_of<T>;
  return back<T>(wide(x) * W(180 / 3.14159265358979323846));
}
template <any_float T> DPEP_INLINE T radians(T x) {
  using W = wide_of<T>;
  return back<T>(wide(x) * W(3.14159265358979323846 / 180));
}

template <any_float T> DPEP_INLINE T sinc(T x) {
  const auto angle = wide(x) * wide_of<T>(3.14159265358979323846);
  return back<T>(wide(x) == 0 ? 1 : device::sin(angle) / angle);
}
template <class T> DPEP_INLINE complex<T> sinc(complex<T> z) {
  const complex<T> angle = {z.real * T(3.14159265358979323846), z.imaginary * T(3.14159265358979323846)};
  const complex<T> ratio = elements::divide(device::sin(angle), angle);
  return z.real == 0 && z.imaginary == 0 ? complex<T>{1, 0} : ratio;
}

/// log2(2^x + 2^y). Equal operands are a separate case, because the difference of infinities is NaN.
template <any_float T> DPEP_INLINE T logaddexp2(T x, T y) {
  using W = wide_of<T>;
  const W a = wide(x), b = wide(y), larger = a > b ? a : b;
  const W sum = larger + device::log1p(device::exp2(-device::magnitude(a - b))) * W(1 / 0.69314718055994530942);
  const W result = a == b ? a + 1 : sum;
  return back<T>(device::either(a != a, b != b) ? a + b : result);
}
template <class T> DPEP_INLINE T float_power(T x, T y) { return elements::pow(x, y); }

}  // namespace dpep::elements
