// oneapi::mkl::blas: BLAS on USM memory and buffers, in row-major and column-major layout.
//
// The functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, BLAS routines). They
// only fill a dpep::blas::call; libdpep checks it and calls the device's library.
#pragma once

#include <vector>

#include <oneapi/mkl/detail/blas_call.hpp>

namespace oneapi::mkl::blas {

#define DPEP_MKL_SUBMIT(name, T, ...)                                                                                  \
  dpep::blas::call made{.what = dpep::blas::function::name, .type = detail::type_of<T>, __VA_ARGS__};                  \
  made.row_major = is_row_major;                                                                                       \
  return DPEP_MKL_EVENT(dpep::blas::submit(queue, made, DPEP_MKL_DEPENDENCY_LIST))

namespace column_major {
inline constexpr bool is_row_major = false;
}
namespace row_major {
inline constexpr bool is_row_major = true;
}

#include <oneapi/mkl/detail/define_usm.inc>
namespace column_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}
namespace row_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}
#include <oneapi/mkl/detail/undefine.inc>

#include <oneapi/mkl/detail/define_buffer.inc>
namespace column_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}
namespace row_major {
#include <oneapi/mkl/detail/blas_functions.inc>
}
#include <oneapi/mkl/detail/undefine.inc>

#undef DPEP_MKL_SUBMIT

using namespace column_major;

}  // namespace oneapi::mkl::blas
