// Faults of kernels, and the state of a thread that runs kernels, which signal handlers read.
#pragma once

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <string>

namespace dpep::backend::cpu {

/// The cause that ended a kernel.
struct fault {
  enum class kind { none, memory, stack, arithmetic, illegal, assertion, interrupted } what = kind::none;
  std::uintptr_t address = 0;  // memory: the accessed address
  bool write = false, jump = false, known_address = false;
  bool integer = false;  // arithmetic: a division, not a floating-point trap
  std::string text;      // assertion
  // The work-item: an index in each dimension, slowest dimension first. 0 dimensions: unknown.
  std::uint32_t dimensions = 0;
  std::array<std::uint64_t, 3> item;
  std::string describe() const;
};

namespace detail {

/// The guard's state for one thread. The variable is initial-exec TLS, so that a signal handler may read it.
struct guard_state {
  std::jmp_buf *target = nullptr;  // of a fault, while inside a kernel; else null
  fault *report = nullptr;
  bool prepared = false;               // prepare_thread was called
  bool is_interpreter_thread = false;  // see interrupts.hpp
  std::atomic<std::uint32_t> runs{0};  // kernels that this thread has started, if it is the interpreter's
  std::atomic<const std::atomic<bool> *> stop{nullptr};  // the running kernel's stop flag
};
extern thread_local constinit guard_state guard [[gnu::tls_model("initial-exec")]];

/// Gives the calling thread a signal stack, and registers it as one whose kernels can be interrupted. Before its first
/// kernel.
void prepare_thread();

}  // namespace detail

}  // namespace dpep::backend::cpu
