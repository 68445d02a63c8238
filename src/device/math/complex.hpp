// Multiplication and division of complex numbers as C99's Annex G defines them; the functions that compilers call for
// `a * b` and `a / b`.
//
// Infinities remain where the formula alone gives NaN + i NaN. The branches are taken for such values only.
#pragma once

#include "device/math/number.hpp"

namespace dpep::device {

/// A complex number. Its copy constructor is not trivial on purpose: calling conventions would otherwise pack two
/// floats into one register, and loops over packed parts do not vectorise, even when everything is inlined.
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
/// A complex number of type T from parts in double precision.
template <class T> DPEP_INLINE complex<T> narrow(double real, double imaginary) { return {T(real), T(imaginary)}; }

DPEP_INLINE float copy_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
DPEP_INLINE double copy_sign(double x, double sign) { return __builtin_copysign(x, sign); }
template <class T> DPEP_INLINE bool is_nan(T x) { return x != x; }
template <class T> DPEP_INLINE bool is_infinite(T x) { return magnitude(x) == infinity<T>; }
template <class T> DPEP_INLINE bool is_finite(T x) { return magnitude(x) < infinity<T>; }
/// 1 with the sign of x for an infinite x, otherwise 0 with that sign. Applied to both parts of an infinite complex
/// number, it gives a finite number of the same direction, as in Annex G.
template <class T> DPEP_INLINE T box(T x) { return copy_sign(is_infinite(x) ? T(1) : T(0), x); }
template <class T> DPEP_INLINE T zero_for_nan(T x) { return is_nan(x) ? copy_sign(T(0), x) : x; }

/// The product as in Annex G, where the plain formula gave NaN + i NaN.
template <class T> static complex<T> multiply_special(T a, T b, T c, T d, complex<T> nans) {
  bool special = false;
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  if (is_infinite(a) || is_infinite(b)) {
    a = box(a), b = box(b), c = zero_for_nan(c), d = zero_for_nan(d);
    special = true;
  }
  if (is_infinite(c) || is_infinite(d)) {
    c = box(c), d = box(d), a = zero_for_nan(a), b = zero_for_nan(b);
    special = true;
  }
  if (!special && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
    a = zero_for_nan(a), b = zero_for_nan(b), c = zero_for_nan(c), d = zero_for_nan(d);
    special = true;
  }
  if (!special) return nans;
  return {infinity<T> * (a * c - b * d), infinity<T> * (a * d + b * c)};
}

/// The plain formula, which Annex G changes only where both parts are NaN. Loops over it vectorise.
template <class T> DPEP_INLINE complex<T> multiply_by_formula(T a, T b, T c, T d) {
#pragma clang fp contract(off)  // z * conj(z) is real to the last bit
  return {a * c - b * d, a * d + b * c};
}
template <class T> DPEP_INLINE complex<T> multiply(T a, T b, T c, T d) {
  const complex<T> product = multiply_by_formula(a, b, c, d);
  if (is_nan(product.real) && is_nan(product.imaginary)) return multiply_special(a, b, c, d, product);
  return product;
}

/// The quotient as in Annex G, where the plain formula gave NaN + i NaN; c + i d and its norm are scaled as in
/// quotient_parts.
template <class T> static complex<T> divide_special(T a, T b, T c, T d, T norm, complex<T> nans) {
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

/// floor(log2(max(|c|, |d|))), or 0 where the maximum is 0, infinite or NaN and no scaling is possible.
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

/// x * 2^n for |n| up to twice the largest exponent.
template <class T> DPEP_INLINE T times_power_of_two(T x, integer_of<T> n) {
  const integer_of<T> half = n >> 1, bias = format<T>::exponent_bias;
  const T step1 = number(integer_of<T>((half + bias) << format<T>::mantissa_bits));
  const T step2 = number(integer_of<T>((n - half + bias) << format<T>::mantissa_bits));
  return x * step1 * step2;
}

/// A quotient and its divisor, scaled to about 1 so that |x + i y|^2 neither overflows nor underflows.
template <class T> struct quotient_parts {
  complex<T> quotient;
  T x, y, norm;  // the scaled divisor x + i y and the square of its modulus
};
template <class T> DPEP_INLINE quotient_parts<T> divide_in_parts(T a, T b, T c, T d) {
  const auto exponent = exponent_of_larger(c, d);
  const T x = times_power_of_two(c, -exponent), y = times_power_of_two(d, -exponent);
  const T norm = x * x + y * y;
  const complex<T> quotient = {times_power_of_two((a * x + b * y) / norm, -exponent),
                               times_power_of_two((b * x - a * y) / norm, -exponent)};
  return {quotient, x, y, norm};
}
/// The plain formula, which Annex G changes only where both parts are NaN. Loops over it vectorise.
template <class T> DPEP_INLINE complex<T> divide_by_formula(T a, T b, T c, T d) {
  return divide_in_parts(a, b, c, d).quotient;
}
template <class T> DPEP_INLINE complex<T> divide(T a, T b, T c, T d) {
  const auto [quotient, x, y, norm] = divide_in_parts(a, b, c, d);
  if (is_nan(quotient.real) && is_nan(quotient.imaginary)) return divide_special(a, b, x, y, norm, quotient);
  return quotient;
}

}  // namespace dpep::device
