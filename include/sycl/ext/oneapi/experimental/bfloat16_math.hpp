// Mathematical functions of bfloat16 (extension sycl_ext_oneapi_bfloat16_math_functions).
//
// They are computed in float and rounded.
#pragma once

#include <sycl/builtins/math.hpp>
#include <sycl/builtins/relational.hpp>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/marray.hpp>

#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1

namespace sycl::ext::oneapi::experimental {

namespace detail {

/// Applies `f` to the elements of marrays of one size.
template <class F, std::size_t N, class... A> auto map_bfloat16(F f, const marray<bfloat16, N> &first, const A &...a) {
  marray<decltype(f(first[0], a[0]...)), N> result;
  for (std::size_t i = 0; i < N; i++) result[i] = f(first[i], a[i]...);
  return result;
}

}  // namespace detail

inline bool isnan(bfloat16 x) { return sycl::isnan(static_cast<float>(x)); }
template <std::size_t N> marray<bool, N> isnan(const marray<bfloat16, N> &x) {
  return detail::map_bfloat16([](bfloat16 e) { return experimental::isnan(e); }, x);
}

#define DPEP_BFLOAT16_1(NAME)                                                                                          \
  inline bfloat16 NAME(bfloat16 x) { return sycl::NAME(static_cast<float>(x)); }                                       \
  template <std::size_t N> marray<bfloat16, N> NAME(const marray<bfloat16, N> &x) {                                    \
    return detail::map_bfloat16([](bfloat16 e) { return experimental::NAME(e); }, x);                                  \
  }
#define DPEP_BFLOAT16_2(NAME)                                                                                          \
  inline bfloat16 NAME(bfloat16 x, bfloat16 y) { return sycl::NAME(static_cast<float>(x), static_cast<float>(y)); }    \
  template <std::size_t N> marray<bfloat16, N> NAME(const marray<bfloat16, N> &x, const marray<bfloat16, N> &y) {      \
    return detail::map_bfloat16([](bfloat16 e, bfloat16 f) { return experimental::NAME(e, f); }, x, y);                \
  }
DPEP_BFLOAT16_1(ceil)
DPEP_BFLOAT16_1(cos)
DPEP_BFLOAT16_1(exp)
DPEP_BFLOAT16_1(exp10)
DPEP_BFLOAT16_1(exp2)
DPEP_BFLOAT16_1(fabs)
DPEP_BFLOAT16_1(floor)
DPEP_BFLOAT16_1(log)
DPEP_BFLOAT16_1(log10)
DPEP_BFLOAT16_1(log2)
DPEP_BFLOAT16_1(rint)
DPEP_BFLOAT16_1(rsqrt)
DPEP_BFLOAT16_1(sin)
DPEP_BFLOAT16_1(sqrt)
DPEP_BFLOAT16_1(tanh)
DPEP_BFLOAT16_1(trunc)
DPEP_BFLOAT16_2(fmax)
DPEP_BFLOAT16_2(fmin)
#undef DPEP_BFLOAT16_1
#undef DPEP_BFLOAT16_2

/// x * y + z. The product is exact in float, so it is rounded twice: to float and to bfloat16.
inline bfloat16 fma(bfloat16 x, bfloat16 y, bfloat16 z) {
  return sycl::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
}
template <std::size_t N>
marray<bfloat16, N> fma(const marray<bfloat16, N> &x, const marray<bfloat16, N> &y, const marray<bfloat16, N> &z) {
  return detail::map_bfloat16([](bfloat16 e, bfloat16 f, bfloat16 g) { return experimental::fma(e, f, g); }, x, y, z);
}

}  // namespace sycl::ext::oneapi::experimental
