// Roots, exponentials, logarithms, trigonometric and special functions of real and complex elements.
#pragma once

#include "device/elements/parts.hpp"
#include "device/math/arctangent.hpp"
#include "device/math/cube_root.hpp"
#include "device/math/error_function.hpp"
#include "device/math/exp.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/inverse_hyperbolic.hpp"
#include "device/math/log.hpp"
#include "device/math/pow.hpp"
#include "device/math/scaling.hpp"
#include "device/math/sinh_cosh.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::elements {

#define DPEP_REAL_FUNCTION(name)                                                                                       \
  template <any_float T> DPEP_INLINE T name(T x) { return back<T>(device::name(wide(x))); }
#define DPEP_REAL_FUNCTION_OF_TWO(name)                                                                                \
  template <any_float T> DPEP_INLINE T name(T x, T y) { return back<T>(device::name(wide(x), wide(y))); }
DPEP_REAL_FUNCTION(exp)
DPEP_REAL_FUNCTION(exp2)
DPEP_REAL_FUNCTION(expm1)
DPEP_REAL_FUNCTION(log)
DPEP_REAL_FUNCTION(log2)
DPEP_REAL_FUNCTION(log10)
DPEP_REAL_FUNCTION(log1p)
DPEP_REAL_FUNCTION(cbrt)
DPEP_REAL_FUNCTION(sin)
DPEP_REAL_FUNCTION(cos)
DPEP_REAL_FUNCTION(tan)
DPEP_REAL_FUNCTION(asin)
DPEP_REAL_FUNCTION(acos)
DPEP_REAL_FUNCTION(atan)
DPEP_REAL_FUNCTION(sinh)
DPEP_REAL_FUNCTION(cosh)
DPEP_REAL_FUNCTION(tanh)
DPEP_REAL_FUNCTION(asinh)
DPEP_REAL_FUNCTION(acosh)
DPEP_REAL_FUNCTION(atanh)
DPEP_REAL_FUNCTION(erf)
DPEP_REAL_FUNCTION(erfc)
DPEP_REAL_FUNCTION_OF_TWO(pow)
DPEP_REAL_FUNCTION_OF_TWO(hypot)
DPEP_REAL_FUNCTION_OF_TWO(atan2)
#undef DPEP_REAL_FUNCTION
#undef DPEP_REAL_FUNCTION_OF_TWO

namespace detail {
DPEP_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
DPEP_INLINE double square_root(double x) { return __builtin_sqrt(x); }
DPEP_INLINE float library_tgamma(float x) { return __builtin_tgammaf(x); }
DPEP_INLINE double library_tgamma(double x) { return __builtin_tgamma(x); }
extern "C" double lgamma_r(double, int *);
extern "C" float lgammaf_r(float, int *);
DPEP_INLINE float library_lgamma(float x) {
  int sign;  // lgamma leaves it in a variable that threads share
  return lgammaf_r(x, &sign);
}
DPEP_INLINE double library_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
}  // namespace detail

template <any_float T> DPEP_INLINE T sqrt(T x) { return back<T>(detail::square_root(wide(x))); }
template <any_float T> DPEP_INLINE T rsqrt(T x) { return back<T>(1 / detail::square_root(wide(x))); }
template <any_float T> DPEP_INLINE T tgamma(T x) { return back<T>(detail::library_tgamma(wide(x))); }
template <any_float T> DPEP_INLINE T lgamma(T x) { return back<T>(detail::library_lgamma(wide(x))); }

/// log(exp(x) + exp(y)).
template <any_float T> DPEP_INLINE T logaddexp(T x, T y) {
  const auto a = wide(x), b = wide(y);
  const auto larger = maximum(a, b), difference = device::magnitude(a - b);
  const auto result = larger + device::log1p(device::exp(-difference));
  return back<T>(a == b ? a + decltype(a)(0x1.62e42fefa39efp-1) : result);  // equal infinities have no difference
}

namespace detail {
DPEP_INLINE _Complex float number(complex<float> x) { return __builtin_complex(x.real, x.imaginary); }
DPEP_INLINE _Complex double number(complex<double> x) { return __builtin_complex(x.real, x.imaginary); }
DPEP_INLINE complex<float> parts(_Complex float x) { return {__real__ x, __imag__ x}; }
DPEP_INLINE complex<double> parts(_Complex double x) { return {__real__ x, __imag__ x}; }
}  // namespace detail

#define DPEP_COMPLEX_FUNCTION(name)                                                                                    \
  DPEP_INLINE complex<float> name(complex<float> x) { return detail::parts(__builtin_c##name##f(detail::number(x))); } \
  DPEP_INLINE complex<double> name(complex<double> x) { return detail::parts(__builtin_c##name(detail::number(x))); }
DPEP_COMPLEX_FUNCTION(exp)
DPEP_COMPLEX_FUNCTION(log)
DPEP_COMPLEX_FUNCTION(sqrt)
DPEP_COMPLEX_FUNCTION(sin)
DPEP_COMPLEX_FUNCTION(cos)
DPEP_COMPLEX_FUNCTION(tan)
DPEP_COMPLEX_FUNCTION(asin)
DPEP_COMPLEX_FUNCTION(acos)
DPEP_COMPLEX_FUNCTION(atan)
DPEP_COMPLEX_FUNCTION(sinh)
DPEP_COMPLEX_FUNCTION(cosh)
DPEP_COMPLEX_FUNCTION(tanh)
DPEP_COMPLEX_FUNCTION(asinh)
DPEP_COMPLEX_FUNCTION(acosh)
DPEP_COMPLEX_FUNCTION(atanh)
#undef DPEP_COMPLEX_FUNCTION

DPEP_INLINE complex<float> pow(complex<float> x, complex<float> y) {
  return detail::parts(__builtin_cpowf(detail::number(x), detail::number(y)));
}
DPEP_INLINE complex<double> pow(complex<double> x, complex<double> y) {
  return detail::parts(__builtin_cpow(detail::number(x), detail::number(y)));
}
template <class T> DPEP_INLINE complex<T> exp2(complex<T> x) {
  constexpr T ln2 = T(0x1.62e42fefa39efp-1);
  return exp(complex<T>{x.real * ln2, x.imaginary * ln2});
}
/// e^x cos(y) - 1 as expm1(x) cos(y) - 2 sin(y/2)^2, which keeps the digits of small numbers.
template <class T> DPEP_INLINE complex<T> expm1(complex<T> x) {
  const T half_sine = device::sin(x.imaginary / 2);
  const complex<T> power = exp(x);
  const T real = device::expm1(x.real) * device::cos(x.imaginary) - 2 * half_sine * half_sine;
  return {isfinite(x) ? real : power.real - 1, power.imaginary};
}
template <class T> DPEP_INLINE complex<T> log2(complex<T> x) {
  const complex<T> natural = log(x);
  constexpr T scale = T(0x1.71547652b82fep0);
  return {natural.real * scale, natural.imaginary * scale};
}
template <class T> DPEP_INLINE complex<T> log10(complex<T> x) {
  const complex<T> natural = log(x);
  constexpr T scale = T(0x1.bcb7b1526e50ep-2);
  return {natural.real * scale, natural.imaginary * scale};
}
/// The real part is log(|1 + x|) = log1p(2 a + a^2 + b^2) / 2 near 0.
template <class T> DPEP_INLINE complex<T> log1p(complex<T> x) {
  const complex<T> moved = {1 + x.real, x.imaginary};
  const bool small = device::magnitude(x.real) < T(0.5) && device::magnitude(x.imaginary) < T(0.5);
  const T near = device::log1p(x.real * (2 + x.real) + x.imaginary * x.imaginary) / 2;
  const complex<T> far = log(moved);
  return {small ? near : far.real, far.imaginary};
}

}  // namespace dpep::elements
