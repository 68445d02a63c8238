// Failed checks in kernels: the functions in which assert() and the standard library's checks end in the device pass.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__

#include <cassert>
#include <stdexcept>

#include <dpep/device_builtins.hpp>

extern "C" [[gnu::noreturn]] inline void __assert_fail(const char *text, const char *file, unsigned line,
                                                       const char *function) noexcept {
  __dpep_assert_fail(text, file, line, function);
}

// The functions of libstdc++: the checks of _GLIBCXX_ASSERTIONS, which many distributions enable in their builds, and
// the functions that containers call to throw. Kernels cannot throw; they end with the message.
namespace std {
inline void __glibcxx_assert_fail(const char *file, int line, const char *function, const char *condition) noexcept {
  __dpep_assert_fail(condition, file, static_cast<unsigned>(line), function);
}
inline void __throw_out_of_range_fmt(const char *format, ...) {
  __dpep_assert_fail(format, "", 0, "std::out_of_range");
}
inline void __throw_out_of_range(const char *text) { __dpep_assert_fail(text, "", 0, "std::out_of_range"); }
inline void __throw_length_error(const char *text) { __dpep_assert_fail(text, "", 0, "std::length_error"); }
inline void __throw_logic_error(const char *text) { __dpep_assert_fail(text, "", 0, "std::logic_error"); }
}  // namespace std

#endif
