// Defines one of the tables of loops.hpp. The includer sets DPEP_DEVICE_FUSED, and LOOP_TARGET: clang's target string.
#include <cstdint>
#include <limits>

#include "math/loops.hpp"

#define APPLY_TARGET_(text) _Pragma(#text)
#define APPLY_TARGET(features)                                                                                         \
  APPLY_TARGET_(clang attribute push(__attribute__((target(features))), apply_to = function))
APPLY_TARGET(LOOP_TARGET)

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
#include "device/math/logistic.hpp"
#include "device/math/pow.hpp"
#include "device/math/remainder.hpp"
#include "device/math/scaled_error.hpp"
#include "device/math/scaling.hpp"
#include "device/math/sinh_cosh.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::test {
namespace {

// Functions of one argument, and of two.
// clang-format off
#define UNARY_FUNCTIONS(X) \
  X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sin) X(cos) X(tan) X(expm1) X(log1p) X(sinh) X(cosh) \
  X(tanh) X(asinh) X(acosh) X(atanh) X(atan) X(asin) X(acos) X(cbrt) X(erf) X(erfc) X(tgamma) X(lgamma) X(expit) \
  X(logit) X(log_expit) X(ndtr)
#define BINARY_FUNCTIONS(X) \
  X(pow) X(atan2) X(hypot) X(fmod) X(floored_remainder) X(floor_divide) X(nextafter) X(logaddexp)
// clang-format on

#define UNARY_LOOP(function)                                                                                           \
  template <class T> void function##_loop(const T *x, const T *, T *__restrict result, std::size_t count) {            \
    for (std::size_t i = 0; i < count; ++i) result[i] = device::function(x[i]);                                        \
  }
UNARY_FUNCTIONS(UNARY_LOOP)
#define BINARY_LOOP(function)                                                                                          \
  template <class T> void function##_loop(const T *x, const T *y, T *__restrict result, std::size_t count) {           \
    for (std::size_t i = 0; i < count; ++i) result[i] = device::function(x[i], y[i]);                                  \
  }
BINARY_FUNCTIONS(BINARY_LOOP)

// Functions of one complex number.
// clang-format off
#define COMPLEX_FUNCTIONS(X) \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(sin) X(cos) X(tan) X(sinh) X(cosh) X(tanh) \
  X(asin) X(acos) X(atan) X(asinh) X(acosh) X(atanh) X(sign) X(reciprocal) X(square) X(proj)
// clang-format on
#define COMPLEX_LOOP(function)                                                                                         \
  template <class T> void complex_##function##_loop(const T *z, const T *, T *__restrict result, std::size_t count) {  \
    for (std::size_t i = 0; i < count; ++i) {                                                                          \
      const auto w = device::function(device::complex<T>(z[2 * i], z[2 * i + 1]));                                     \
      result[2 * i] = w.real;                                                                                          \
      result[2 * i + 1] = w.imaginary;                                                                                 \
    }                                                                                                                  \
  }
COMPLEX_FUNCTIONS(COMPLEX_LOOP)
template <class T> void complex_pow_loop(const T *z, const T *w, T *__restrict result, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto power =
        device::pow(device::complex<T>(z[2 * i], z[2 * i + 1]), device::complex<T>(w[2 * i], w[2 * i + 1]));
    result[2 * i] = power.real;
    result[2 * i + 1] = power.imaginary;
  }
}

#define TABLE_ROW(function) {#function, function##_loop<T>},
#define COMPLEX_TABLE_ROW(function) {#function, complex_##function##_loop<T>},
template <class T> constexpr loop<T> loops[] = {UNARY_FUNCTIONS(TABLE_ROW) BINARY_FUNCTIONS(TABLE_ROW)};
template <class T> constexpr loop<T> complex_loops[] = {COMPLEX_FUNCTIONS(COMPLEX_TABLE_ROW) COMPLEX_TABLE_ROW(pow)};

}  // namespace
}  // namespace dpep::test

#pragma clang attribute pop

namespace dpep::test {
namespace {

/// The tables of this file. Compiled without LOOP_TARGET, so that every processor can call it.
loop_tables tables_of(std::string_view processor, bool runs_here) {
  return {processor, runs_here, loops<float>, loops<double>, complex_loops<float>, complex_loops<double>};
}

}  // namespace
}  // namespace dpep::test
