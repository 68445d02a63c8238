// Loops over the device library's functions and over libmvec's vector functions, which run.py times through ctypes.
//
// Compiled as the JIT compiles kernels for the host: -O3, the host's instructions, its widest vectors.
#include <cmath>
#include <immintrin.h>

#define DPEP_DEVICE_FUSED 1
#include "device/math/arctangent.hpp"
#include "device/math/complex_inverse.hpp"
#include "device/math/complex_parts.hpp"
#include "device/math/complex_pow.hpp"
#include "device/math/cube_root.hpp"
#include "device/math/error_function.hpp"
#include "device/math/exp.hpp"
#include "device/math/gamma.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/inverse_hyperbolic.hpp"
#include "device/math/log.hpp"
#include "device/math/logaddexp.hpp"
#include "device/math/pow.hpp"
#include "device/math/remainder.hpp"
#include "device/math/sinh_cosh.hpp"
#include "device/math/trigonometry.hpp"

namespace device = dpep::device;

// functions that libmvec has as well
// clang-format off
#define UNARY_FUNCTIONS(X) \
  X(exp) X(exp2) X(log) X(log2) X(log10) X(expm1) X(log1p) X(sinh) X(cosh) X(tanh) \
  X(asinh) X(acosh) X(atanh) X(atan) X(asin) X(acos) X(cbrt) X(erf) X(erfc)
// clang-format on
#define BINARY_FUNCTIONS(X) X(pow) X(atan2)

#define CIRCULAR_FUNCTIONS(X) X(sin) X(cos) X(tan)

/// A loop that computes blocks by the formula for moderate arguments, as block kernels do.
template <class T, class Any, class Moderate>
[[gnu::always_inline]] inline void each_block(const T *x, T *__restrict result, long count, Any any,
                                              Moderate moderate) {
  constexpr long size = 2048 / sizeof(T);
  bool large = false;
  for (long begin = 0; begin < count; begin += size, x += size, result += size) {
    device::turn_counts<T> counts;
    if (!large) {
#pragma clang loop interleave_count(1)
      for (long i = 0; i < size; ++i) result[i] = moderate(x[i], counts);
      if (!counts.any_large()) continue;
      counts = {};
    }
#pragma clang loop interleave_count(1)
    for (long i = 0; i < size; ++i) result[i] = any(x[i], counts);
    large = counts.any_large();
  }
}

#define UNARY(function)                                                                                                \
  extern "C" void dpep_##function##_float(const float *x, const float *, float *__restrict result, long count) {       \
    for (long i = 0; i < count; ++i) result[i] = device::function(x[i]);                                               \
  }                                                                                                                    \
  extern "C" void dpep_##function##_double(const double *x, const double *, double *__restrict result, long count) {   \
    for (long i = 0; i < count; ++i) result[i] = device::function(x[i]);                                               \
  }
UNARY_FUNCTIONS(UNARY)
#define CIRCULAR_LOOP(function, type)                                                                                  \
  extern "C" void dpep_##function##_##type(const type *x, const type *, type *__restrict result, long count) {         \
    each_block(                                                                                                        \
        x, result, count, [](auto x, auto &counts) { return device::function<device::arguments::any>(x, counts); },    \
        [](auto x, auto &counts) { return device::function<device::arguments::moderate>(x, counts); });                \
  }
#define CIRCULAR(function) CIRCULAR_LOOP(function, float) CIRCULAR_LOOP(function, double)
CIRCULAR_FUNCTIONS(CIRCULAR)
UNARY(tgamma)
UNARY(lgamma)
#define BINARY(function)                                                                                               \
  extern "C" void dpep_##function##_float(const float *x, const float *y, float *__restrict result, long count) {      \
    for (long i = 0; i < count; ++i) result[i] = device::function(x[i], y[i]);                                         \
  }                                                                                                                    \
  extern "C" void dpep_##function##_double(const double *x, const double *y, double *__restrict result, long count) {  \
    for (long i = 0; i < count; ++i) result[i] = device::function(x[i], y[i]);                                         \
  }
BINARY_FUNCTIONS(BINARY)
BINARY(logaddexp)
BINARY(fmod)
BINARY(floored_remainder)

// real and imaginary parts interleaved; count: of complex numbers
#define COMPLEX_LOOP(function, type)                                                                                   \
  extern "C" void dpep_complex_##function##_##type(const type *z, const type *, type *__restrict result, long count) { \
    for (long i = 0; i < count; ++i) {                                                                                 \
      const auto w = device::function(device::complex<type>(z[2 * i], z[2 * i + 1]));                                  \
      result[2 * i] = w.real;                                                                                          \
      result[2 * i + 1] = w.imaginary;                                                                                 \
    }                                                                                                                  \
  }
#define COMPLEX(function) COMPLEX_LOOP(function, float) COMPLEX_LOOP(function, double)
COMPLEX(exp)
COMPLEX(log)
COMPLEX(sqrt)
COMPLEX(sin)
COMPLEX(tanh)
COMPLEX(asin)
COMPLEX(acosh)
COMPLEX(atanh)

// libmvec's functions under their vector ABI names, as gcc -Ofast calls them.
#ifdef __AVX512F__
using floats = __m512;
using doubles = __m512d;
#define LIBMVEC(arguments, count, name) _ZGVeN##count##arguments##_##name
constexpr long float_count = 16, double_count = 8;
#define FLOAT_COUNT 16
#define DOUBLE_COUNT 8
#else
using floats = __m256;
using doubles = __m256d;
#define LIBMVEC(arguments, count, name) _ZGVdN##count##arguments##_##name
constexpr long float_count = 8, double_count = 4;
#define FLOAT_COUNT 8
#define DOUBLE_COUNT 4
#endif
#define LIBMVEC_NAME(arguments, count, name) LIBMVEC(arguments, count, name)

template <class V, class T> V load(const T *from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T> void store(T *to, V v) { __builtin_memcpy(to, &v, sizeof v); }

#define LIBMVEC_UNARY(function)                                                                                        \
  extern "C" floats LIBMVEC_NAME(v, FLOAT_COUNT, function##f)(floats);                                                 \
  extern "C" doubles LIBMVEC_NAME(v, DOUBLE_COUNT, function)(doubles);                                                 \
  extern "C" void libmvec_##function##_float(const float *x, const float *, float *result, long count) {               \
    for (long i = 0; i < count; i += float_count)                                                                      \
      store(result + i, LIBMVEC_NAME(v, FLOAT_COUNT, function##f)(load<floats>(x + i)));                               \
  }                                                                                                                    \
  extern "C" void libmvec_##function##_double(const double *x, const double *, double *result, long count) {           \
    for (long i = 0; i < count; i += double_count)                                                                     \
      store(result + i, LIBMVEC_NAME(v, DOUBLE_COUNT, function)(load<doubles>(x + i)));                                \
  }
UNARY_FUNCTIONS(LIBMVEC_UNARY)
CIRCULAR_FUNCTIONS(LIBMVEC_UNARY)
#define LIBMVEC_BINARY(function)                                                                                       \
  extern "C" floats LIBMVEC_NAME(vv, FLOAT_COUNT, function##f)(floats, floats);                                        \
  extern "C" doubles LIBMVEC_NAME(vv, DOUBLE_COUNT, function)(doubles, doubles);                                       \
  extern "C" void libmvec_##function##_float(const float *x, const float *y, float *result, long count) {              \
    for (long i = 0; i < count; i += float_count)                                                                      \
      store(result + i, LIBMVEC_NAME(vv, FLOAT_COUNT, function##f)(load<floats>(x + i), load<floats>(y + i)));         \
  }                                                                                                                    \
  extern "C" void libmvec_##function##_double(const double *x, const double *y, double *result, long count) {          \
    for (long i = 0; i < count; i += double_count)                                                                     \
      store(result + i, LIBMVEC_NAME(vv, DOUBLE_COUNT, function)(load<doubles>(x + i), load<doubles>(y + i)));         \
  }
BINARY_FUNCTIONS(LIBMVEC_BINARY)
