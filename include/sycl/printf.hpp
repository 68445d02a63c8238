// sycl::ext::oneapi::experimental::printf: formatted output from kernels.
#pragma once

#include <cstdio>

#include <sycl/detail/device_functions.hpp>

namespace sycl::ext::oneapi::experimental {

/// Like the C library's printf. Returns 0 in kernels, whose output appears when the device writes it.
template <class... Arguments> int printf(const char *format, Arguments... arguments) {
#ifdef __SYCL_DEVICE_ONLY__
  return __dpep_printf(format, arguments...);
#else
  return std::printf(format, arguments...);
#endif
}

}  // namespace sycl::ext::oneapi::experimental
