// oneapi::mkl::vm: mathematical functions of the elements of vectors of float or double.
//
// The functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, vector math). They
// are kernels with SYCL's functions, which run on every device; no library is needed.
#pragma once

#include <cstdint>
#include <vector>

#include <oneapi/mkl/detail/blas_call.hpp>
#include <sycl/accessor.hpp>
#include <sycl/builtins.hpp>

namespace oneapi::mkl::vm {

/// The wanted accuracy. All functions have one accuracy, that of SYCL's.
enum class mode : std::uint32_t { not_defined = 0, la = 1, ha = 2, ep = 3 };

namespace detail {

inline void check(std::int64_t n, const char *function, bool enough) {
  if (n < 0) throw invalid_argument("vm", function, "n must not be negative");
  if (!enough && n > 0)
    throw invalid_argument("vm", function, "a vector has fewer than n elements, or is a null pointer");
}

/// y[i] = f(inputs[i]...) in USM memory.
template <class F, class T, class... Inputs>
sycl::event map(sycl::queue &queue, std::int64_t n, T *y, const std::vector<sycl::event> &after, const char *function,
                const Inputs *...inputs) {
  check(n, function, y && (... && inputs));
  return queue.parallel_for(sycl::range<1>(static_cast<std::size_t>(n)), after,
                            [=](sycl::id<1> i) { y[i] = F()(inputs[i]...); });
}
/// The same in buffers.
template <class F, class T, class... Inputs>
sycl::event map(sycl::queue &queue, std::int64_t n, sycl::buffer<T, 1> &y, const char *function,
                sycl::buffer<Inputs, 1> &...inputs) {
  const auto is_enough = [&](const auto &b) { return static_cast<std::int64_t>(b.size()) >= n; };
  check(n, function, is_enough(y) && (... && is_enough(inputs)));
  return queue.submit([&](sycl::handler &h) {
    const sycl::accessor to(y, h, sycl::read_write);  // y may be an input, too
    const auto launch = [&](auto... from) {
      h.parallel_for(sycl::range<1>(static_cast<std::size_t>(n)), [=](sycl::id<1> i) { to[i] = F()(from[i]...); });
    };
    launch(sycl::accessor(inputs, h, sycl::read_only)...);
  });
}

}  // namespace detail

// clang-format off
/// name, expression of x
#define DPEP_MKL_VM_1(X) \
  X(abs, sycl::fabs(x)) X(sqr, x * x) X(inv, T(1) / x) X(sqrt, sycl::sqrt(x)) X(invsqrt, T(1) / sycl::sqrt(x)) \
  X(cbrt, sycl::cbrt(x)) X(exp, sycl::exp(x)) X(exp2, sycl::exp2(x)) X(exp10, sycl::exp10(x)) \
  X(expm1, sycl::expm1(x)) X(ln, sycl::log(x)) X(log2, sycl::log2(x)) X(log10, sycl::log10(x)) \
  X(log1p, sycl::log1p(x)) X(sin, sycl::sin(x)) X(cos, sycl::cos(x)) X(tan, sycl::tan(x)) X(asin, sycl::asin(x)) \
  X(acos, sycl::acos(x)) X(atan, sycl::atan(x)) X(sinpi, sycl::sinpi(x)) X(cospi, sycl::cospi(x)) \
  X(tanpi, sycl::tanpi(x)) X(asinpi, sycl::asinpi(x)) X(acospi, sycl::acospi(x)) X(atanpi, sycl::atanpi(x)) \
  X(sinh, sycl::sinh(x)) X(cosh, sycl::cosh(x)) X(tanh, sycl::tanh(x)) X(asinh, sycl::asinh(x)) \
  X(acosh, sycl::acosh(x)) X(atanh, sycl::atanh(x)) X(erf, sycl::erf(x)) X(erfc, sycl::erfc(x)) \
  X(tgamma, sycl::tgamma(x)) X(lgamma, sycl::lgamma(x)) X(floor, sycl::floor(x)) X(ceil, sycl::ceil(x)) \
  X(trunc, sycl::trunc(x)) X(round, sycl::round(x)) X(rint, sycl::rint(x)) X(nearbyint, sycl::rint(x)) \
  X(frac, x - sycl::trunc(x))
/// name, expression of x and z
#define DPEP_MKL_VM_2(X) \
  X(add, x + z) X(sub, x - z) X(mul, x * z) X(div, x / z) X(pow, sycl::pow(x, z)) X(powr, sycl::powr(x, z)) \
  X(hypot, sycl::hypot(x, z)) X(atan2, sycl::atan2(x, z)) X(fmod, sycl::fmod(x, z)) \
  X(remainder, sycl::remainder(x, z)) X(copysign, sycl::copysign(x, z)) X(nextafter, sycl::nextafter(x, z)) \
  X(fmax, sycl::fmax(x, z)) X(fmin, sycl::fmin(x, z)) X(fdim, sycl::fdim(x, z))
// clang-format on

#define DPEP_MKL_VM_FUNCTION(name, expression)                                                                         \
  namespace detail {                                                                                                   \
  struct name##_of {                                                                                                   \
    template <class T> T operator()(T x) const { return expression; }                                                  \
  };                                                                                                                   \
  }                                                                                                                    \
  template <mkl::detail::real T>                                                                                       \
  sycl::event name(sycl::queue &queue, std::int64_t n, const T *a, T *y, const std::vector<sycl::event> &depends = {}, \
                   mode = mode::not_defined) {                                                                         \
    return detail::map<detail::name##_of>(queue, n, y, depends, #name, a);                                             \
  }                                                                                                                    \
  template <mkl::detail::real T>                                                                                       \
  sycl::event name(sycl::queue &queue, std::int64_t n, sycl::buffer<T, 1> &a, sycl::buffer<T, 1> &y,                   \
                   mode = mode::not_defined) {                                                                         \
    return detail::map<detail::name##_of>(queue, n, y, #name, a);                                                      \
  }
DPEP_MKL_VM_1(DPEP_MKL_VM_FUNCTION)
#undef DPEP_MKL_VM_FUNCTION
#undef DPEP_MKL_VM_1

#define DPEP_MKL_VM_FUNCTION(name, expression)                                                                         \
  namespace detail {                                                                                                   \
  struct name##_of {                                                                                                   \
    template <class T> T operator()(T x, T z) const { return expression; }                                             \
  };                                                                                                                   \
  }                                                                                                                    \
  template <mkl::detail::real T>                                                                                       \
  sycl::event name(sycl::queue &queue, std::int64_t n, const T *a, const T *b, T *y,                                   \
                   const std::vector<sycl::event> &depends = {}, mode = mode::not_defined) {                           \
    return detail::map<detail::name##_of>(queue, n, y, depends, #name, a, b);                                          \
  }                                                                                                                    \
  template <mkl::detail::real T>                                                                                       \
  sycl::event name(sycl::queue &queue, std::int64_t n, sycl::buffer<T, 1> &a, sycl::buffer<T, 1> &b,                   \
                   sycl::buffer<T, 1> &y, mode = mode::not_defined) {                                                  \
    return detail::map<detail::name##_of>(queue, n, y, #name, a, b);                                                   \
  }
DPEP_MKL_VM_2(DPEP_MKL_VM_FUNCTION)
#undef DPEP_MKL_VM_FUNCTION
#undef DPEP_MKL_VM_2

}  // namespace oneapi::mkl::vm
