// exp, exp2, expm1, sinh, cosh, tanh, sin, cos and tan of complex numbers, branch-free; special values as in C99's
// Annex G.
//
// e^x may overflow where e^x sin(y) does not, so it is a factor and an exponent that is applied last. Floats are
// computed in double precision, which has enough range and digits.
#pragma once

#include "device/math/complex.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/sinh_cosh.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::device {

/// Bounds of x: outside, e^x sin(y) is zero or infinite for every y.
template <class T> constexpr double largest_exponent = sizeof(T) == 4 ? 400 : 1459;
template <class T> constexpr double least_exponent = sizeof(T) == 4 ? -400 : -1300;

/// value * 2^exponent as a part of a result, where value is sin(y) or cos(y), or up to 2^61 times as large.
template <class T> DPEP_INLINE T apply_exponent(double value, std::int64_t exponent) {
  if constexpr (sizeof(T) == 4)
    return T(value * power_of_two<double>(exponent));
  else
    return times_power_of_two(value, exponent);
}

/// A number factor * 2^exponent. The factor includes up to 2^60 of a positive power, so that at most 2^2046 is left.
struct scaled_factor {
  double factor;
  std::int64_t exponent;
};
DPEP_INLINE scaled_factor take_exponent(double factor, std::int64_t exponent) {
  std::int64_t taken = exponent < 60 ? exponent : 60;
  taken = taken > 0 ? taken : 0;
  return {factor * power_of_two<double>(taken), exponent - taken};
}
/// e^x for finite x; unspecified for infinity and NaN.
template <class T> DPEP_INLINE scaled_factor exp_in_parts(double x) {
  using c = exp_constants<double>;
  double y = x < largest_exponent<T> ? x : largest_exponent<T>;
  y = flush_below(y > least_exponent<T> ? y : least_exponent<T>, 0x1p-60);
  const double shifted = y * c::log2_e + format<double>::round_magic;
  const double n = shifted - format<double>::round_magic;
  const double r = (y - n * c::ln2_high) - n * c::ln2_low;
  return take_exponent(exp_of_small(r), rounded(shifted));
}

/// modulus * (cos(y) + i sin(y)), with Annex G's special values. The modulus is e^x or 2^x, the direction has cos(y)
/// and sin(y).
template <class T>
DPEP_INLINE complex<T> exp_of_parts(scaled_factor modulus, sine_cosine<double> direction, double x, double y) {
  const double factor = is_finite(x) ? modulus.factor : x < 0 ? 0.0 : x;
  const std::int64_t exponent = is_finite(x) ? modulus.exponent : 0;
  const bool has_direction = is_finite(y), vanishes = x == -infinity<double>;
  const double undirected = vanishes ? 0.0 : x == infinity<double> ? x : nan<double>;
  T real = apply_exponent<T>(factor * direction.cosine, exponent);
  T imaginary = apply_exponent<T>(factor * direction.sine, exponent);
  real = has_direction ? real : T(undirected);
  imaginary = both(!has_direction, vanishes) ? T(0) : imaginary;
  imaginary = y == 0 ? T(y) : imaginary;
  return {real, imaginary};
}

template <class T> DPEP_INLINE complex<T> exp(complex<T> z) {
  return exp_of_parts<T>(exp_in_parts<T>(z.real), sin_cos(z.imaginary), z.real, z.imaginary);
}

/// e^(z log 2). The angle y log(2) is in two parts, as long as it has digits after the binary point.
template <class T> DPEP_INLINE complex<T> exp2(complex<T> z) {
  using c = exp_constants<double>;
  constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
  const double limit = largest_exponent<T> * 1.4427, least = least_exponent<T> * 1.4427;
  double x = z.real < limit ? double(z.real) : limit;
  x = flush_below(x > least ? x : least, 0x1p-60);
  const double shifted = x + format<double>::round_magic;
  const double r = (x - (shifted - format<double>::round_magic)) * c::ln2;

  const double y = z.imaginary;
  const double angle = y * c::ln2;
  const bool in_two_parts = both(magnitude(y) < 0x1p26, magnitude(y) > 0x1p-500);
  const double y_or_0 = in_two_parts ? y : 0.0;
  const double angle_low = y_or_0 * ln2_low - residual(in_two_parts ? angle : 0.0, y_or_0, c::ln2);
  const auto [sine, cosine] = sin_cos(angle);
  const sine_cosine<double> direction = {sine + angle_low * cosine, cosine - angle_low * sine};
  return exp_of_parts<T>(take_exponent(exp_of_small(r), rounded(shifted)), direction, z.real, y);
}

/// e^x cos(y) - 1 = (e^x - 1) cos(y) - (1 - cos(y)), which cancels only where the result is small beside both.
template <class T> DPEP_INLINE complex<T> expm1(complex<T> z) {
  const double x = z.real, y = z.imaginary;
  const auto direction = sin_cos(z.imaginary);
  const auto whole = exp_of_parts<T>(exp_in_parts<T>(x), direction, x, y);
  const auto [sine, cosine] = direction;
  const double versine = cosine < 0 ? 1 - cosine : sine * sine / (1 + cosine);
  const double near = expm1(x < 50 ? x : 50.0) * cosine - versine;
  const double vanished = x == -infinity<double> ? -1.0 : near;
  return {x < 50 ? T(vanished) : whole.real, whole.imaginary};
}

/// sinh(x) and cosh(x) for any x, divided by 2^exponent.
struct hyperbolic_functions {
  double sine, cosine;
  std::int64_t exponent;
};
DPEP_INLINE hyperbolic_functions sinh_cosh(double x, double largest) {
  const double positive = magnitude(x);
  const auto parts = hyperbolic_in_parts(positive < largest ? flush_below(positive, 0x1p-54) : largest);
  double sine = positive < 0x1p-54 ? positive : parts.sine;
  sine = is_finite(x) ? sine : positive;
  return {flip_sign(sine, x), is_finite(x) ? parts.cosine : positive, parts.exponent};
}

template <class T> DPEP_INLINE complex<T> sinh(complex<T> z) {
  const double x = z.real, y = z.imaginary;
  const auto [sinh_x, cosh_x, exponent] = sinh_cosh(x, largest_exponent<T>);
  const auto [sine, cosine] = sin_cos(z.imaginary);
  T real = apply_exponent<T>(sinh_x * cosine, exponent);
  T imaginary = apply_exponent<T>(cosh_x * sine, exponent);
  const bool keeps_real = both(!is_finite(y), either(x == 0, is_infinite(x)));
  // the sign of an infinite real part is unspecified where y is infinite or NaN: glibc's is positive
  real = keeps_real ? (x == 0 ? z.real : magnitude(z.real)) : real;
  imaginary = y == 0 ? z.imaginary : imaginary;
  return {real, imaginary};
}

template <class T> DPEP_INLINE complex<T> cosh(complex<T> z) {
  const double x = z.real, y = z.imaginary;
  const auto [sinh_x, cosh_x, exponent] = sinh_cosh(x, largest_exponent<T>);
  const auto [sine, cosine] = sin_cos(z.imaginary);
  T real = apply_exponent<T>(cosh_x * cosine, exponent);
  T imaginary = apply_exponent<T>(sinh_x * sine, exponent);
  real = both(!is_finite(y), is_infinite(x)) ? infinity<T> : real;
  imaginary = either(y == 0, both(x == 0, !is_finite(y))) ? flip_sign(sign_of(z.real), z.imaginary) : imaginary;
  return {real, imaginary};
}

/// (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2): no sum cancels.
template <class T> DPEP_INLINE complex<T> tanh(complex<T> z) {
  const double x = z.real, y = z.imaginary;
  const auto [sinh_x, cosh_x, exponent] = sinh_cosh(magnitude(x) < 400 ? x : flip_sign(400.0, x), 400.0);
  const auto [sine, cosine] = sin_cos(z.imaginary);
  const double s = flush_below(sinh_x, 0x1p-200);
  const double reciprocal = 1 / (s * s + cosine * cosine);
  // exponent >= 1 implies sinh(x) > 2^58
  double real = magnitude(x) > 20 ? flip_sign(1.0, x) : sinh_x * cosh_x * reciprocal;
  double imaginary = times_power_of_two(sine * cosine * reciprocal, -2 * exponent);
  const bool has_direction = is_finite(y);
  real = either(is_nan(x), both(!has_direction, is_finite(x))) ? nan<double> : real;
  real = x == 0 ? x : real;
  imaginary = is_nan(x) ? nan<double> : imaginary;
  imaginary = both(!has_direction, is_infinite(x)) ? 0.0 : imaginary;
  imaginary = y == 0 ? y : imaginary;
  return narrow<T>(real, imaginary);
}

/// sin(z) = -i sinh(i z), cos(z) = cosh(i z), tan(z) = -i tanh(i z). For sin and tan, that exchanges the parts of the
/// argument and of the result.
template <class T> DPEP_INLINE complex<T> sin(complex<T> z) {
  const auto w = sinh(complex<T>{z.imaginary, z.real});
  return {w.imaginary, w.real};
}
template <class T> DPEP_INLINE complex<T> cos(complex<T> z) { return cosh(complex<T>{-z.imaginary, z.real}); }
template <class T> DPEP_INLINE complex<T> tan(complex<T> z) {
  const auto w = tanh(complex<T>{z.imaginary, z.real});
  return {w.imaginary, w.real};
}

}  // namespace dpep::device
