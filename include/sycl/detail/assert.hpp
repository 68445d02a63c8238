// assert() in kernels: where the C library's macro ends in the device pass.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__

#include <cassert>

#include <dpep/device_builtins.hpp>

extern "C" [[gnu::noreturn]] inline void __assert_fail(const char *text, const char *file, unsigned line,
                                                       const char *function) noexcept {
  __dpep_assert_fail(text, file, line, function);
}

#endif
