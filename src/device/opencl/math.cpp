// Mathematical and common functions of floating-point numbers: those of the SYCL headers.
#include "device/opencl/types.hpp"

#include <sycl/builtins/common.hpp>
#include <sycl/builtins/math.hpp>

namespace {

namespace scalar = sycl::detail::math;

/// The type that a function computes in: halves are computed as floats.
template <class T> struct computed {
  using type = T;
};
template <> struct computed<half> {
  using type = float;
};
template <class T> using wide = typename computed<T>::type;

}  // namespace

#define DPEP_OF_1(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x) { return static_cast<T>(sycl::NAME(static_cast<wide<T>>(x))); }
#define DPEP_OF_2(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x, T y) { return static_cast<T>(sycl::NAME(static_cast<wide<T>>(x), static_cast<wide<T>>(y))); }
#define DPEP_OF_3(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x, T y, T z) {                                                                                  \
    return static_cast<T>(sycl::NAME(static_cast<wide<T>>(x), static_cast<wide<T>>(y), static_cast<wide<T>>(z)));      \
  }
#define DPEP_WITH_INTEGER(NAME, T)                                                                                     \
  DPEP_OPENCL T NAME(T x, int n) { return static_cast<T>(sycl::NAME(static_cast<wide<T>>(x), n)); }

// clang-format off
#define DPEP_ALL_1(T)                                                                                                 \
  DPEP_OF_1(acos, T) DPEP_OF_1(acosh, T) DPEP_OF_1(acospi, T) DPEP_OF_1(asin, T) DPEP_OF_1(asinh, T)                  \
  DPEP_OF_1(asinpi, T) DPEP_OF_1(atan, T) DPEP_OF_1(atanh, T) DPEP_OF_1(atanpi, T) DPEP_OF_1(cbrt, T)                 \
  DPEP_OF_1(ceil, T) DPEP_OF_1(cos, T) DPEP_OF_1(cosh, T) DPEP_OF_1(cospi, T) DPEP_OF_1(erf, T) DPEP_OF_1(erfc, T)    \
  DPEP_OF_1(exp, T) DPEP_OF_1(exp10, T) DPEP_OF_1(exp2, T) DPEP_OF_1(expm1, T) DPEP_OF_1(fabs, T)                     \
  DPEP_OF_1(floor, T) DPEP_OF_1(lgamma, T) DPEP_OF_1(log, T) DPEP_OF_1(log10, T) DPEP_OF_1(log1p, T)                  \
  DPEP_OF_1(log2, T) DPEP_OF_1(logb, T) DPEP_OF_1(rint, T) DPEP_OF_1(round, T) DPEP_OF_1(rsqrt, T) DPEP_OF_1(sin, T)  \
  DPEP_OF_1(sinh, T) DPEP_OF_1(sinpi, T) DPEP_OF_1(sqrt, T) DPEP_OF_1(tan, T) DPEP_OF_1(tanh, T) DPEP_OF_1(tanpi, T)  \
  DPEP_OF_1(tgamma, T) DPEP_OF_1(trunc, T) DPEP_OF_1(degrees, T) DPEP_OF_1(radians, T) DPEP_OF_1(sign, T)
#define DPEP_ALL_2(T)                                                                                                 \
  DPEP_OF_2(atan2, T) DPEP_OF_2(atan2pi, T) DPEP_OF_2(copysign, T) DPEP_OF_2(fdim, T) DPEP_OF_2(fmax, T)              \
  DPEP_OF_2(fmin, T) DPEP_OF_2(fmod, T) DPEP_OF_2(hypot, T) DPEP_OF_2(maxmag, T) DPEP_OF_2(minmag, T)                 \
  DPEP_OF_2(pow, T) DPEP_OF_2(powr, T) DPEP_OF_2(remainder, T) DPEP_OF_2(max, T) DPEP_OF_2(min, T)                    \
  DPEP_OF_2(step, T)
// clang-format on
#define DPEP_ALL_3(T)                                                                                                  \
  DPEP_OF_3(fma, T) DPEP_OF_3(clamp, T) DPEP_OF_3(mix, T) DPEP_OF_3(smoothstep, T) DPEP_OPENCL T mad(T a, T b, T c) {  \
    return a * b + c;                                                                                                  \
  }
#define DPEP_ALL_WITH_INTEGER(T) DPEP_WITH_INTEGER(ldexp, T) DPEP_WITH_INTEGER(pown, T) DPEP_WITH_INTEGER(rootn, T)

// Functions with results in memory. Halves go through a float.
#define DPEP_ALL_WITH_RESULTS(T)                                                                                       \
  DPEP_OPENCL T fract(T x, T *whole) {                                                                                 \
    wide<T> w;                                                                                                         \
    const T rest = static_cast<T>(scalar::fract(static_cast<wide<T>>(x), &w));                                         \
    *whole = static_cast<T>(w);                                                                                        \
    return rest;                                                                                                       \
  }                                                                                                                    \
  DPEP_OPENCL T modf(T x, T *whole) {                                                                                  \
    wide<T> w;                                                                                                         \
    const T rest = static_cast<T>(scalar::modf(static_cast<wide<T>>(x), &w));                                          \
    *whole = static_cast<T>(w);                                                                                        \
    return rest;                                                                                                       \
  }                                                                                                                    \
  DPEP_OPENCL T sincos(T x, T *cosine) {                                                                               \
    *cosine = static_cast<T>(scalar::cos(static_cast<wide<T>>(x)));                                                    \
    return static_cast<T>(scalar::sin(static_cast<wide<T>>(x)));                                                       \
  }                                                                                                                    \
  DPEP_OPENCL T frexp(T x, int *exponent) {                                                                            \
    int e;                                                                                                             \
    const T mantissa = static_cast<T>(scalar::frexp(static_cast<wide<T>>(x), &e));                                     \
    *exponent = e;                                                                                                     \
    return mantissa;                                                                                                   \
  }                                                                                                                    \
  DPEP_OPENCL T remquo(T x, T y, int *quotient) {                                                                      \
    int q;                                                                                                             \
    const T rest = static_cast<T>(scalar::remquo(static_cast<wide<T>>(x), static_cast<wide<T>>(y), &q));               \
    *quotient = q;                                                                                                     \
    return rest;                                                                                                       \
  }                                                                                                                    \
  DPEP_OPENCL T lgamma_r(T x, int *sign) {                                                                             \
    int s;                                                                                                             \
    const T result = static_cast<T>(scalar::lgamma_r(static_cast<wide<T>>(x), &s));                                    \
    *sign = s;                                                                                                         \
    return result;                                                                                                     \
  }                                                                                                                    \
  DPEP_OPENCL int ilogb(T x) { return scalar::ilogb(static_cast<wide<T>>(x)); }

DPEP_FLOAT_TYPES(DPEP_ALL_1)
DPEP_FLOAT_TYPES(DPEP_ALL_2)
DPEP_FLOAT_TYPES(DPEP_ALL_3)
DPEP_FLOAT_TYPES(DPEP_ALL_WITH_INTEGER)
DPEP_FLOAT_TYPES(DPEP_ALL_WITH_RESULTS)

DPEP_OPENCL float nextafter(float x, float y) { return scalar::nextafter(x, y); }
DPEP_OPENCL double nextafter(double x, double y) { return scalar::nextafter(x, y); }
DPEP_OPENCL half nextafter(half x, half y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  const ushort bits = __builtin_bit_cast(ushort, x);
  if (x == 0) return __builtin_bit_cast(half, static_cast<ushort>(y > 0 ? 1 : 0x8001));
  return __builtin_bit_cast(half, static_cast<ushort>((x < y) == (x > 0) ? bits + 1 : bits - 1));
}
DPEP_OPENCL float nan(uint code) { return scalar::nan(code); }
DPEP_OPENCL double nan(ulong code) { return scalar::nan(code); }
DPEP_OPENCL half nan(ushort code) { return __builtin_bit_cast(half, static_cast<ushort>(0x7e00 | (code & 0x1ff))); }

// native_ and half_ functions.
#define DPEP_FAST_1(NAME)                                                                                              \
  DPEP_OPENCL float native_##NAME(float x) { return sycl::native::NAME(x); }                                           \
  DPEP_OPENCL float half_##NAME(float x) { return sycl::half_precision::NAME(x); }
DPEP_FAST_1(cos)
DPEP_FAST_1(exp)
DPEP_FAST_1(exp10)
DPEP_FAST_1(exp2)
DPEP_FAST_1(log)
DPEP_FAST_1(log10)
DPEP_FAST_1(log2)
DPEP_FAST_1(recip)
DPEP_FAST_1(rsqrt)
DPEP_FAST_1(sin)
DPEP_FAST_1(sqrt)
DPEP_FAST_1(tan)
DPEP_OPENCL float native_divide(float x, float y) { return sycl::native::divide(x, y); }
DPEP_OPENCL float half_divide(float x, float y) { return sycl::half_precision::divide(x, y); }
DPEP_OPENCL float native_powr(float x, float y) { return sycl::native::powr(x, y); }
DPEP_OPENCL float half_powr(float x, float y) { return sycl::half_precision::powr(x, y); }
