// Roots, exponentials, logarithms, trigonometric and special functions of real and complex elements.
#pragma once

#include "device/elements/parts.hpp"
#include "device/math/arctangent.hpp"
#include "device/math/bessel.hpp"
#include "device/math/beta.hpp"
#include "device/math/complex_exp.hpp"
#include "device/math/complex_inverse.hpp"
#include "device/math/complex_log.hpp"
#include "device/math/complex_parts.hpp"
#include "device/math/complex_pow.hpp"
#include "device/math/cube_root.hpp"
#include "device/math/digamma.hpp"
#include "device/math/error_function.hpp"
#include "device/math/exp.hpp"
#include "device/math/gamma.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/incomplete_gamma.hpp"
#include "device/math/inverse_error.hpp"
#include "device/math/inverse_hyperbolic.hpp"
#include "device/math/log.hpp"
#include "device/math/logaddexp.hpp"
#include "device/math/logistic.hpp"
#include "device/math/modified_bessel.hpp"
#include "device/math/pow.hpp"
#include "device/math/scaled_error.hpp"
#include "device/math/scaling.hpp"
#include "device/math/sinh_cosh.hpp"
#include "device/math/trigonometry.hpp"
#include "device/math/zeta.hpp"

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
DPEP_REAL_FUNCTION(tgamma)
DPEP_REAL_FUNCTION(lgamma)
DPEP_REAL_FUNCTION(exp10)
DPEP_REAL_FUNCTION(erfinv)
DPEP_REAL_FUNCTION(erfcinv)
DPEP_REAL_FUNCTION(erfcx)
DPEP_REAL_FUNCTION(ndtr)
DPEP_REAL_FUNCTION(ndtri)
DPEP_REAL_FUNCTION(log_ndtr)
DPEP_REAL_FUNCTION(expit)
DPEP_REAL_FUNCTION(logit)
DPEP_REAL_FUNCTION(log_expit)
DPEP_REAL_FUNCTION(digamma)
DPEP_REAL_FUNCTION(riemann_zeta)
DPEP_REAL_FUNCTION(i0)
DPEP_REAL_FUNCTION(i0e)
DPEP_REAL_FUNCTION(i1)
DPEP_REAL_FUNCTION(i1e)
DPEP_REAL_FUNCTION(j0)
DPEP_REAL_FUNCTION(j1)
DPEP_REAL_FUNCTION(y0)
DPEP_REAL_FUNCTION(y1)
DPEP_REAL_FUNCTION_OF_TWO(pow)
DPEP_REAL_FUNCTION_OF_TWO(hypot)
DPEP_REAL_FUNCTION_OF_TWO(atan2)
DPEP_REAL_FUNCTION_OF_TWO(logaddexp)
DPEP_REAL_FUNCTION_OF_TWO(gammainc)
DPEP_REAL_FUNCTION_OF_TWO(gammaincc)
DPEP_REAL_FUNCTION_OF_TWO(zeta)
DPEP_REAL_FUNCTION_OF_TWO(beta)
DPEP_REAL_FUNCTION_OF_TWO(betaln)
#undef DPEP_REAL_FUNCTION
#undef DPEP_REAL_FUNCTION_OF_TWO

namespace detail {
DPEP_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
DPEP_INLINE double square_root(double x) { return __builtin_sqrt(x); }
/// The number whose powers with exponents n + 1/2 are those of x by IEEE 754: they ignore the sign of 0 and infinity.
template <class T> DPEP_INLINE T base_of_half_powers(T x) {
  return (x == -device::infinity<T> ? device::infinity<T> : x) + T(0);
}
}  // namespace detail

template <any_float T> DPEP_INLINE T sqrt(T x) { return back<T>(detail::square_root(wide(x))); }
template <any_float T> DPEP_INLINE T rsqrt(T x) { return back<T>(1 / detail::square_root(wide(x))); }
template <any_float T> DPEP_INLINE T pow_half(T x) {
  return back<T>(detail::square_root(detail::base_of_half_powers(wide(x))));
}
template <any_float T> DPEP_INLINE T pow_minus_half(T x) {
  return back<T>(1 / detail::square_root(detail::base_of_half_powers(wide(x))));
}
template <any_float T> DPEP_INLINE T pow_3_halves(T x) {
  const auto base = detail::base_of_half_powers(wide(x));
  return back<T>(base * detail::square_root(base));
}
template <any_float T> DPEP_INLINE T pow_minus_3_halves(T x) {
  // base * sqrt(base) could be infinite where the result is a number
  const auto reciprocal = 1 / detail::base_of_half_powers(wide(x));
  return back<T>(reciprocal * detail::square_root(reciprocal));
}

#define DPEP_COMPLEX_FUNCTION(name)                                                                                    \
  template <class T> DPEP_INLINE complex<T> name(complex<T> x) { return device::name(x); }
DPEP_COMPLEX_FUNCTION(exp)
DPEP_COMPLEX_FUNCTION(exp2)
DPEP_COMPLEX_FUNCTION(expm1)
DPEP_COMPLEX_FUNCTION(log)
DPEP_COMPLEX_FUNCTION(log2)
DPEP_COMPLEX_FUNCTION(log10)
DPEP_COMPLEX_FUNCTION(log1p)
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
template <class T> DPEP_INLINE complex<T> pow(complex<T> x, complex<T> y) { return device::pow(x, y); }

}  // namespace dpep::elements
