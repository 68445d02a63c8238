// Defines one of the tables of loops.hpp. The includer sets DPEP_DEVICE_FUSED, and LOOP_TARGET: clang's target string.
#include <cstdint>
#include <limits>

#include "math/loops.hpp"

#define APPLY_TARGET_(text) _Pragma(#text)
#define APPLY_TARGET(features)                                                                                         \
  APPLY_TARGET_(clang attribute push(__attribute__((target(features))), apply_to = function))
APPLY_TARGET(LOOP_TARGET)

#include "device/math/arctangent.hpp"
#include "device/math/exp.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/log.hpp"
#include "device/math/pow.hpp"
#include "device/math/scaling.hpp"
#include "device/math/trigonometry.hpp"

namespace dpep::test {
namespace {

#define UNARY_LOOP(function)                                                                                           \
  template <class T> void function##_loop(const T *x, const T *, T *__restrict result, std::size_t count) {            \
    for (std::size_t i = 0; i < count; ++i) result[i] = device::function(x[i]);                                        \
  }
UNARY_LOOP(exp)
UNARY_LOOP(exp2)
UNARY_LOOP(exp10)
UNARY_LOOP(log)
UNARY_LOOP(log2)
UNARY_LOOP(log10)
UNARY_LOOP(sin)
UNARY_LOOP(cos)
UNARY_LOOP(tan)
UNARY_LOOP(expm1)
UNARY_LOOP(log1p)
UNARY_LOOP(tanh)
UNARY_LOOP(atan)
UNARY_LOOP(asin)
UNARY_LOOP(acos)
#define BINARY_LOOP(function)                                                                                          \
  template <class T> void function##_loop(const T *x, const T *y, T *__restrict result, std::size_t count) {           \
    for (std::size_t i = 0; i < count; ++i) result[i] = device::function(x[i], y[i]);                                  \
  }
BINARY_LOOP(pow)
BINARY_LOOP(atan2)
BINARY_LOOP(hypot)

template <class T>
constexpr loop<T> loops[] = {{"exp", exp_loop<T>},     {"exp2", exp2_loop<T>},   {"exp10", exp10_loop<T>},
                             {"log", log_loop<T>},     {"log2", log2_loop<T>},   {"log10", log10_loop<T>},
                             {"sin", sin_loop<T>},     {"cos", cos_loop<T>},     {"tan", tan_loop<T>},
                             {"expm1", expm1_loop<T>}, {"log1p", log1p_loop<T>}, {"tanh", tanh_loop<T>},
                             {"atan", atan_loop<T>},   {"asin", asin_loop<T>},   {"acos", acos_loop<T>},
                             {"pow", pow_loop<T>},     {"atan2", atan2_loop<T>}, {"hypot", hypot_loop<T>}};

}  // namespace
}  // namespace dpep::test

#pragma clang attribute pop
