// Leaves a kernel that faults, instead of the process: null pointers, division by zero, stack overflow, failed asserts.
#pragma once

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <string>

namespace dpep::backend::cpu {

/// What ended a kernel.
struct fault {
  enum class kind { none, memory, stack, arithmetic, illegal, assertion, interrupted } what = kind::none;
  std::uintptr_t address = 0;  // memory: what was touched
  bool write = false, jump = false, known_address = false;
  bool integer = false;  // arithmetic: a division, not a floating-point trap
  std::string text;      // assertion
  // Which work-item's: an index in each dimension, the slowest first; none: it is not known.
  std::uint32_t dimensions = 0;
  std::array<std::uint64_t, 3> item;
  std::string describe() const;
};

namespace detail {

/// Of each thread: where to go on a fault, while inside a kernel. Initial-exec, so that a signal handler may read it.
struct guard_state {
  std::jmp_buf *target = nullptr;
  fault *report = nullptr;
  bool prepared = false;  // this thread can survive a stack overflow
  bool listens = false;   // the interpreter's main thread (interrupts.hpp)
  std::uint32_t runs = 0;
  std::atomic<const std::atomic<bool> *> stop{nullptr};  // of the kernel that runs: set when it is to end
};
extern thread_local constinit guard_state guard [[gnu::tls_model("initial-exec")]];

void prepare_thread();  // a signal stack for this thread, which others may then call out of kernels

}  // namespace detail

/// Installs the signal handlers, once. Signals that are not a kernel's go to whoever had the handler before.
void install_fault_handlers();

/// Calls `body`; false when it faulted, and then `report` says how. Nothing in `body` may need a destructor to run.
template <class Body> [[gnu::noinline]] bool guarded(fault &report, Body &&body) {
  detail::guard_state &state = detail::guard;
  if (!state.prepared) [[unlikely]]
    detail::prepare_thread();
  std::jmp_buf here;
  std::jmp_buf *const outer_target = state.target;
  fault *const outer_report = state.report;
  // _setjmp does not save the signal mask, which would be a system call; the handlers run without changing it
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

/// What ends the kernel next is this work-item's: kernels call it before any of the following. As in dpep::geometry,
/// dimension 0 varies fastest.
void note_item(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint32_t dimensions) noexcept;

/// Ends the kernel that runs on this thread. Outside a kernel it says why on stderr and aborts.
[[noreturn]] void fail_assertion(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;

/// The same, for what a Python kernel raises: `text` is the exception, as Python would print it.
[[noreturn]] void fail_python(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;
[[noreturn]] void fail_index(std::int64_t index, std::int64_t length, std::uint32_t axis, const char *file,
                             std::uint32_t line, const char *function) noexcept;

}  // namespace dpep::backend::cpu
