// Multiplication and division of complex numbers as C99's Annex G defines them: what compilers call for `a * b`, `a /
// b`.
//
// Infinities are kept where the formula alone gives NaN + i NaN. The branches are taken for such values only.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

/// Its copy constructor is not trivial, so that calling conventions do not pack it into one register: loops over
/// packed parts do not vectorise, even when all is inlined.
template <class T> struct complex {
  T real, imaginary;
  complex() = default;
  [[gnu::always_inline]] complex(T real_part, T imaginary_part) : real(real_part), imaginary(imaginary_part) {}
  [[gnu::always_inline]] complex(const complex &other) : real(other.real), imaginary(other.imaginary) {}
  [[gnu::always_inline]] complex &operator=(const complex &other) {
    real = other.real;
    imaginary = other.imaginary;
    return *this;
  }
};
/// For functions that compute in double precision whatever T is.
template <class T> DPEP_INLINE complex<T> narrow(double real, double imaginary) { return {T(real), T(imaginary)}; }

DPEP_INLINE float copy_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
DPEP_INLINE double copy_sign(double x, double sign) { return __builtin_copysign(x, sign); }
template <class T> DPEP_INLINE bool is_nan(T x) { return x != x; }
template <class T> DPEP_INLINE bool is_infinite(T x) { return magnitude(x) == infinity<T>; }
template <class T> DPEP_INLINE bool is_finite(T x) { return magnitude(x) < infinity<T>; }
/// 1 for infinity, else 0, with the sign kept: an infinite number's direction.
template <class T> DPEP_INLINE T box(T x) { return copy_sign(is_infinite(x) ? T(1) : T(0), x); }
template <class T> DPEP_INLINE T zero_for_nan(T x) { return is_nan(x) ? copy_sign(T(0), x) : x; }

/// The product where the plain formula gave NaN + i NaN.
template <class T> static complex<T> multiply_again(T a, T b, T c, T d, complex<T> nans) {
  bool again = false;
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  if (is_infinite(a) || is_infinite(b)) {
    a = box(a), b = box(b), c = zero_for_nan(c), d = zero_for_nan(d);
    again = true;
  }
  if (is_infinite(c) || is_infinite(d)) {
    c = box(c), d = box(d), a = zero_for_nan(a), b = zero_for_nan(b);
    again = true;
  }
  if (!again && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
    a = zero_for_nan(a), b = zero_for_nan(b), c = zero_for_nan(c), d = zero_for_nan(d);
    again = true;
  }
  if (!again) return nans;
  return {infinity<T> * (a * c - b * d), infinity<T> * (a * d + b * c)};
}

/// The formula: right unless both parts are NaN. Loops over it vectorise.
template <class T> DPEP_INLINE complex<T> multiply_by_formula(T a, T b, T c, T d) {
#pragma clang fp contract(off)  // z * conj(z) is real to the last bit
  return {a * c - b * d, a * d + b * c};
}
template <class T> DPEP_INLINE complex<T> multiply(T a, T b, T c, T d) {
  const complex<T> product = multiply_by_formula(a, b, c, d);
  if (is_nan(product.real) && is_nan(product.imaginary)) return multiply_again(a, b, c, d, product);
  return product;
}

template <class T> static complex<T> divide_again(T a, T b, T c, T d, T norm, complex<T> nans) {
  if (norm == 0 && (!is_nan(a) || !is_nan(b))) return {copy_sign(infinity<T>, c) * a, copy_sign(infinity<T>, c) * b};
  if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
    a = box(a), b = box(b);
    return {infinity<T> * (a * c + b * d), infinity<T> * (b * c - a * d)};
  }
  if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
    c = box(c), d = box(d);
    return {T(0) * (a * c + b * d), T(0) * (b * c - a * d)};
  }
  return nans;
}

/// floor(log2(max(|c|, |d|))) for numbers that are neither 0 nor infinite; then the scale stays 1.
template <class T> DPEP_INLINE integer_of<T> exponent_of_larger(T c, T d) {
  T larger = magnitude(c) > magnitude(d) ? magnitude(c) : magnitude(d);
  larger = is_nan(larger) ? T(1) : larger;
  const bool usable = (larger > 0) & (larger < infinity<T>);
  constexpr int mantissa = format<T>::mantissa_bits;
  const bool denormal = larger < std::numeric_limits<T>::min();
  const T normal = denormal ? larger * T(integer_of<T>{1} << (mantissa + 1)) : larger;
  const integer_of<T> exponent = (bits(normal) >> mantissa) - format<T>::exponent_bias - (denormal ? mantissa + 1 : 0);
  return usable ? exponent : 0;
}

/// x * 2^n for |n| up to twice what an exponent holds.
template <class T> DPEP_INLINE T times_power_of_two(T x, integer_of<T> n) {
  const integer_of<T> half = n >> 1, bias = format<T>::exponent_bias;
  const T step1 = number(integer_of<T>((half + bias) << format<T>::mantissa_bits));
  const T step2 = number(integer_of<T>((n - half + bias) << format<T>::mantissa_bits));
  return x * step1 * step2;
}

/// The divisor is scaled to about 1 first, so that |c + i d|^2 neither overflows nor vanishes.
template <class T> struct quotient_parts {
  complex<T> quotient;
  T x, y, norm;  // the scaled divisor
};
template <class T> DPEP_INLINE quotient_parts<T> divide_in_parts(T a, T b, T c, T d) {
  const auto exponent = exponent_of_larger(c, d);
  const T x = times_power_of_two(c, -exponent), y = times_power_of_two(d, -exponent);
  const T norm = x * x + y * y;
  const complex<T> quotient = {times_power_of_two((a * x + b * y) / norm, -exponent),
                               times_power_of_two((b * x - a * y) / norm, -exponent)};
  return {quotient, x, y, norm};
}
/// The formula: right unless both parts are NaN. Loops over it vectorise.
template <class T> DPEP_INLINE complex<T> divide_by_formula(T a, T b, T c, T d) {
  return divide_in_parts(a, b, c, d).quotient;
}
template <class T> DPEP_INLINE complex<T> divide(T a, T b, T c, T d) {
  const auto [quotient, x, y, norm] = divide_in_parts(a, b, c, d);
  if (is_nan(quotient.real) && is_nan(quotient.imaginary)) return divide_again(a, b, x, y, norm, quotient);
  return quotient;
}

}  // namespace dpep::device
