// oneapi::mkl::lapack: LAPACK on column-major matrices in USM memory and buffers.
//
// The functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, LAPACK routines).
// They only fill a dpep::lapack::call; libdpep checks it and calls the device's library.
#pragma once

#include <dpep/lapack.hpp>

#include <oneapi/mkl/detail/blas_call.hpp>

namespace oneapi::mkl {

namespace detail {

constexpr char letter(job j) { return j == job::N ? 'N' : 'V'; }
constexpr char letter(jobsvd j) { return j == jobsvd::N ? 'N' : j == jobsvd::A ? 'A' : j == jobsvd::O ? 'O' : 'S'; }

}  // namespace detail

namespace lapack {

// The number of elements of type T that the function of this name needs as its scratchpad.

template <detail::number T>
std::int64_t getrf_scratchpad_size(sycl::queue &queue, std::int64_t m, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(
      queue,
      {.what = dpep::lapack::function::getrf, .type = detail::type_of<T>, .m = m, .n = n, .operands = {{.step = lda}}});
}
template <detail::number T> std::int64_t getri_scratchpad_size(sycl::queue &queue, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(
      queue, {.what = dpep::lapack::function::getri, .type = detail::type_of<T>, .n = n, .operands = {{.step = lda}}});
}
template <detail::number T>
std::int64_t getrs_scratchpad_size(sycl::queue &queue, transpose trans, std::int64_t n, std::int64_t nrhs,
                                   std::int64_t lda, std::int64_t ldb) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::getrs,
                                               .type = detail::type_of<T>,
                                               .transposed = detail::letter(trans),
                                               .n = n,
                                               .k = nrhs,
                                               .operands = {{.step = lda}, {}, {.step = ldb}}});
}
template <detail::number T>
std::int64_t potrf_scratchpad_size(sycl::queue &queue, uplo upper_lower, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::potrf,
                                               .type = detail::type_of<T>,
                                               .triangle = detail::letter(upper_lower),
                                               .n = n,
                                               .operands = {{.step = lda}}});
}
template <detail::number T>
std::int64_t potrs_scratchpad_size(sycl::queue &queue, uplo upper_lower, std::int64_t n, std::int64_t nrhs,
                                   std::int64_t lda, std::int64_t ldb) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::potrs,
                                               .type = detail::type_of<T>,
                                               .triangle = detail::letter(upper_lower),
                                               .n = n,
                                               .k = nrhs,
                                               .operands = {{.step = lda}, {.step = ldb}}});
}
template <detail::number T>
std::int64_t geqrf_scratchpad_size(sycl::queue &queue, std::int64_t m, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(
      queue,
      {.what = dpep::lapack::function::geqrf, .type = detail::type_of<T>, .m = m, .n = n, .operands = {{.step = lda}}});
}
template <detail::real T>
std::int64_t orgqr_scratchpad_size(sycl::queue &queue, std::int64_t m, std::int64_t n, std::int64_t k,
                                   std::int64_t lda) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::orgqr,
                                               .type = detail::type_of<T>,
                                               .m = m,
                                               .n = n,
                                               .k = k,
                                               .operands = {{.step = lda}}});
}
template <detail::complex T>
std::int64_t ungqr_scratchpad_size(sycl::queue &queue, std::int64_t m, std::int64_t n, std::int64_t k,
                                   std::int64_t lda) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::orgqr,
                                               .type = detail::type_of<T>,
                                               .m = m,
                                               .n = n,
                                               .k = k,
                                               .operands = {{.step = lda}}});
}
template <detail::real T>
std::int64_t syevd_scratchpad_size(sycl::queue &queue, job jobz, uplo upper_lower, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::syevd,
                                               .type = detail::type_of<T>,
                                               .triangle = detail::letter(upper_lower),
                                               .job = detail::letter(jobz),
                                               .n = n,
                                               .operands = {{.step = lda}}});
}
template <detail::complex T>
std::int64_t heevd_scratchpad_size(sycl::queue &queue, job jobz, uplo upper_lower, std::int64_t n, std::int64_t lda) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::syevd,
                                               .type = detail::type_of<T>,
                                               .triangle = detail::letter(upper_lower),
                                               .job = detail::letter(jobz),
                                               .n = n,
                                               .operands = {{.step = lda}}});
}
template <detail::number T>
std::int64_t gesvd_scratchpad_size(sycl::queue &queue, jobsvd jobu, jobsvd jobvt, std::int64_t m, std::int64_t n,
                                   std::int64_t lda, std::int64_t ldu, std::int64_t ldvt) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::gesvd,
                                               .type = detail::type_of<T>,
                                               .job = detail::letter(jobu),
                                               .second_job = detail::letter(jobvt),
                                               .m = m,
                                               .n = n,
                                               .operands = {{.step = lda}, {}, {.step = ldu}, {.step = ldvt}}});
}
template <detail::number T>
std::int64_t gels_scratchpad_size(sycl::queue &queue, transpose trans, std::int64_t m, std::int64_t n,
                                  std::int64_t nrhs, std::int64_t lda, std::int64_t ldb) {
  return dpep::lapack::scratchpad_size(queue, {.what = dpep::lapack::function::gels,
                                               .type = detail::type_of<T>,
                                               .transposed = detail::letter(trans),
                                               .m = m,
                                               .n = n,
                                               .k = nrhs,
                                               .operands = {{.step = lda}, {.step = ldb}}});
}

#define DPEP_MKL_SUBMIT(name, T, ...)                                                                                  \
  return DPEP_MKL_EVENT(                                                                                               \
      dpep::lapack::submit(queue, {.what = dpep::lapack::function::name, .type = detail::type_of<T>, __VA_ARGS__},     \
                           DPEP_MKL_DEPENDENCY_LIST))
#include <oneapi/mkl/detail/define_usm.inc>
#include <oneapi/mkl/detail/lapack_functions.inc>
#include <oneapi/mkl/detail/undefine.inc>

#include <oneapi/mkl/detail/define_buffer.inc>
#include <oneapi/mkl/detail/lapack_functions.inc>
#include <oneapi/mkl/detail/undefine.inc>
#undef DPEP_MKL_SUBMIT

}  // namespace lapack
}  // namespace oneapi::mkl
