// The fault guard: a kernel that faults ends, and the process goes on. Faults are invalid memory accesses, division by
// zero, stack overflow and failed assertions.
#pragma once

#include <csetjmp>
#include <cstdint>

#include "backend/cpu/guard_state.hpp"

namespace dpep::backend::cpu {

/// Installs the signal handlers, once. Signals that no kernel has caused are passed to the previous handlers.
void install_fault_handlers();

/// Calls `body`. Returns false and fills `report` if it faulted. Destructors in `body` do not run then.
template <class Body> [[gnu::noinline]] bool guarded(fault &report, Body &&body) {
  detail::guard_state &state = detail::guard;
  if (!state.prepared) [[unlikely]]
    detail::prepare_thread();
  std::jmp_buf here;
  std::jmp_buf *const outer_target = state.target;
  fault *const outer_report = state.report;
  // _setjmp does not save the signal mask, which would be a system call; the handlers do not change the mask
  if (_setjmp(here) == 0) {
    state.report = &report;
    state.target = &here;
    asm volatile("" ::: "memory");  // armed before the body, disarmed after it
    body();
    asm volatile("" ::: "memory");
    state.target = outer_target;
    state.report = outer_report;
    return true;
  }
  detail::guard.target = outer_target;
  detail::guard.report = outer_report;
  return false;
}

/// Sets the work-item that the following failure belongs to. Kernels call it before the functions below. As in
/// dpep::geometry, dimension 0 varies fastest.
void note_item(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint32_t dimensions) noexcept;

/// Ends the kernel on this thread with a failed assertion. Outside a kernel, prints the message to stderr and aborts.
[[noreturn]] void fail_assertion(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;

/// The same for an exception that a Python kernel raises; `text` is the exception as Python prints it.
[[noreturn]] void fail_python(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;
/// The text has numbers in place of its first two `{}`.
[[noreturn]] void fail_python_with(const char *text, std::int64_t first, std::int64_t second, const char *file,
                                   std::uint32_t line, const char *function) noexcept;

}  // namespace dpep::backend::cpu
