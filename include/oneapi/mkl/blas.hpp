// oneapi::mkl::blas: BLAS on USM memory and buffers, in row-major and column-major layout.
//
// The functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, BLAS routines). They
// only fill a dpep::blas::call; libdpep checks it and calls the device's library.
#pragma once

#include <vector>

#include <oneapi/mkl/detail/blas_call.hpp>

namespace oneapi::mkl::blas {

#define DPEP_MKL_EVENT sycl::event
#define DPEP_MKL_IN(T) const T *
#define DPEP_MKL_OUT(T) T *
#define DPEP_MKL_SCALAR(T) detail::scalar<T>
#define DPEP_MKL_DEPENDENCIES const std::vector<sycl::event> &dependencies
#define DPEP_MKL_AFTER , DPEP_MKL_DEPENDENCIES = {}
#define DPEP_MKL_SUBMIT(name, T, ...)                                                                                  \
  dpep::blas::call made{.what = dpep::blas::function::name, .type = detail::type_of<T>, __VA_ARGS__};                  \
  made.row_major = is_row_major;                                                                                       \
  return dpep::blas::submit(queue, made, sycl::detail::to_dpep(dependencies))
namespace column_major {
inline constexpr bool is_row_major = false;
#include <oneapi/mkl/detail/blas_functions.inc>
}  // namespace column_major
namespace row_major {
inline constexpr bool is_row_major = true;
#include <oneapi/mkl/detail/blas_functions.inc>
}  // namespace row_major
#undef DPEP_MKL_EVENT
#undef DPEP_MKL_IN
#undef DPEP_MKL_OUT
#undef DPEP_MKL_SCALAR
#undef DPEP_MKL_DEPENDENCIES
#undef DPEP_MKL_AFTER
#undef DPEP_MKL_SUBMIT

#define DPEP_MKL_EVENT void
#define DPEP_MKL_IN(T) sycl::buffer<T, 1> &
#define DPEP_MKL_OUT(T) sycl::buffer<T, 1> &
#define DPEP_MKL_SCALAR(T) detail::value<T>
#define DPEP_MKL_AFTER
#define DPEP_MKL_SUBMIT(name, T, ...)                                                                                  \
  dpep::blas::call made{.what = dpep::blas::function::name, .type = detail::type_of<T>, __VA_ARGS__};                  \
  made.row_major = is_row_major;                                                                                       \
  dpep::blas::submit(queue, made)
namespace column_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}  // namespace column_major
namespace row_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}  // namespace row_major
#undef DPEP_MKL_EVENT
#undef DPEP_MKL_IN
#undef DPEP_MKL_OUT
#undef DPEP_MKL_SCALAR
#undef DPEP_MKL_AFTER
#undef DPEP_MKL_SUBMIT

using namespace column_major;

}  // namespace oneapi::mkl::blas
