// Rounding to whole numbers, floor division and remainders of floating-point numbers.
#pragma once

#include "device/elements/arithmetic.hpp"
#include "device/math/remainder.hpp"

namespace dpep::elements {

#define DPEP_ROUNDING(name, builtin)                                                                                   \
  DPEP_INLINE float name(float x) { return builtin##f(x); }                                                            \
  DPEP_INLINE double name(double x) { return builtin(x); }                                                             \
  template <integral T> DPEP_INLINE T name(T x) { return x; }
DPEP_ROUNDING(floor, __builtin_floor)
DPEP_ROUNDING(ceil, __builtin_ceil)
DPEP_ROUNDING(trunc, __builtin_trunc)
DPEP_ROUNDING(round, __builtin_roundeven)
#undef DPEP_ROUNDING

// Halves are rounded by adding a number whose last bit has the weight 1: the compiler would turn a builtin between two
// conversions into one operation on halves, for which there are no vector instructions.
namespace detail {
/// The magnitude of a half, rounded to an integer.
DPEP_INLINE float rounded(float positive) {
  const float whole = (positive + 0x1p23f) - 0x1p23f;
  return positive < 0x1p12f ? whole : positive;
}
}  // namespace detail
DPEP_INLINE half round(half x) {
  const float all = widen(x);
  return narrow(device::flip_sign(detail::rounded(device::magnitude(all)), all));
}
DPEP_INLINE half trunc(half x) {
  const float all = widen(x), positive = device::magnitude(all), whole = detail::rounded(positive);
  return narrow(device::flip_sign(whole > positive ? whole - 1 : whole, all));
}
DPEP_INLINE half floor(half x) {
  const float all = widen(x), whole = device::flip_sign(detail::rounded(device::magnitude(all)), all);
  return narrow(device::copy_sign(whole > all ? whole - 1 : whole, all));
}
DPEP_INLINE half ceil(half x) {
  const float all = widen(x), whole = device::flip_sign(detail::rounded(device::magnitude(all)), all);
  return narrow(device::copy_sign(whole < all ? whole + 1 : whole, all));
}
template <class T> DPEP_INLINE complex<T> round(complex<T> x) { return {round(x.real), round(x.imaginary)}; }
template <class T> DPEP_INLINE T rint(T x) { return round(x); }

namespace detail {

/// x - trunc(x / y) y without error, as long as the quotient is an integer that is represented exactly; otherwise NaN.
template <real_float T> DPEP_INLINE T rest_of_small_quotient(T x, T y) {
  constexpr T limit = T(std::uint64_t{1} << device::format<T>::mantissa_bits);
  const T quotient = trunc(x / y);
  T rest = device::residual(x, quotient, y);
  // the quotient may have been rounded up to an integer
  const bool over = (rest != 0) & ((rest < 0) != (x < 0));
  rest = over ? rest + device::flip_sign(device::magnitude(y), x) : rest;
  // the products in a residual must neither overflow nor underflow
  const T size = device::magnitude(y), dividend = device::magnitude(x), times = device::magnitude(quotient);
  constexpr T least = std::is_same_v<T, float> ? T(0x1p-60) : T(0x1p-600);
  constexpr T largest = std::is_same_v<T, float> ? T(0x1p60) : T(0x1p600);
  const bool usable = (times < limit) & (size > least) & (size < largest) & (dividend < largest);
  return usable ? rest : device::nan<T>;
}
template <real_float T> DPEP_INLINE T remainder_of_rest(T rest, T y) {
  const T moved = (rest < 0) != (y < 0) ? rest + y : rest;
  return rest != 0 ? moved : device::copy_sign(T(0), y);
}
/// The floor of the exact quotient, as in Python; the floor of the rounded quotient may differ.
template <real_float T> DPEP_INLINE T floor_of_rest(T x, T y, T rest) {
  T quotient = (x - rest) / y;
  quotient = rest != 0 && (rest < 0) != (y < 0) ? quotient - 1 : quotient;
  T whole = floor(quotient);
  whole = quotient - whole > T(0.5) ? whole + 1 : whole;
  const T result = quotient != 0 ? whole : device::copy_sign(T(0), x / y);
  return y == 0 ? x / y : result;
}

}  // namespace detail

template <any_float T> DPEP_INLINE T fmod(T x, T y) { return back<T>(device::fmod(wide(x), wide(y))); }
/// The remainder with the divisor's sign.
template <any_float T> DPEP_INLINE T remainder(T x, T y) {
  return back<T>(device::floored_remainder(wide(x), wide(y)));
}
/// The floor of the exact quotient, as in Python. With infinities, the floor of x / y, as in dpctl (in Python -1 // inf
/// is -1, and inf // 1 NaN).
template <any_float T> DPEP_INLINE T floor_divide(T x, T y) {
  const bool infinite = isinf(x) || isinf(y);
  return back<T>(infinite ? floor(wide(x) / wide(y)) : device::floor_divide(wide(x), wide(y)));
}
/// floor_divide with NumPy's and Python's results for infinities: inf // 2 is NaN, and -1 // inf is -1.
template <any_float T> DPEP_INLINE T numpy_floor_divide(T x, T y) {
  return back<T>(device::floor_divide(wide(x), wide(y)));
}

/// Fast versions of the functions above, which loops call first. They return NaN where the function itself must be
/// called.
template <any_float T> DPEP_INLINE T quick_fmod(T x, T y) {
  const auto a = wide(x), b = wide(y);
  return back<T>(device::flip_sign(device::magnitude(detail::rest_of_small_quotient(a, b)), a));
}
template <any_float T> DPEP_INLINE T quick_remainder(T x, T y) {
  const auto rest = detail::rest_of_small_quotient(wide(x), wide(y));
  return back<T>(rest != rest ? rest : detail::remainder_of_rest(rest, wide(y)));
}
template <any_float T> DPEP_INLINE T quick_floor_divide(T x, T y) {
  const auto rest = detail::rest_of_small_quotient(wide(x), wide(y));
  return back<T>(rest != rest ? rest : detail::floor_of_rest(wide(x), wide(y), rest));
}
template <any_float T> DPEP_INLINE T quick_numpy_floor_divide(T x, T y) { return quick_floor_divide(x, y); }

}  // namespace dpep::elements
