// Failed checks in kernels: where assert() and the standard library's own end in the device pass.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__

#include <cassert>
#include <stdexcept>

#include <dpep/device_builtins.hpp>

extern "C" [[gnu::noreturn]] inline void __assert_fail(const char *text, const char *file, unsigned line,
                                                       const char *function) noexcept {
  __dpep_assert_fail(text, file, line, function);
}

// libstdc++'s: the checks of _GLIBCXX_ASSERTIONS, which many distributions switch on for what they build, and the
// functions that containers call instead of throwing in place. Kernels cannot throw; they end with the message.
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
