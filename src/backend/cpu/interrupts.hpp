// Interruption of running kernels: a signal to the thread, whose handler jumps out of the kernel's code.
#pragma once

#include <atomic>

#include "backend/backend.hpp"
#include "backend/common/cancellation.hpp"
#include "backend/common/code_ranges.hpp"
#include "backend/cpu/guard_state.hpp"

namespace dpep::backend::cpu {

/// The stop flag of kernels that cannot be stopped by their task. They may still be interrupted on the interpreter's
/// main thread.
inline constinit const std::atomic<bool> never_stopped{false};

/// Marks a kernel that was ended by an interrupt, which is not reported as an error.
std::exception_ptr interrupted_mark() noexcept;
inline bool is_reportable(const std::exception_ptr &e) noexcept { return e && e != interrupted_mark(); }

namespace interrupts {

/// Whether the thread that sends signals monitors the kernels of the interpreter's main thread.
inline constinit std::atomic<bool> monitored{false};
/// Starts that. It ends by itself when the interpreter's main thread has run no kernel for a while.
void monitor() noexcept;

/// Makes the kernel that this thread runs interruptible for its lifetime, through the flag `stop`.
class kernel_run {
public:
  explicit kernel_run(const std::atomic<bool> *stop) noexcept : state_(detail::guard) {
    if (!state_.prepared) [[unlikely]]  // else a thread's first kernel could not be interrupted
      detail::prepare_thread();
    state_.stop.store(stop, std::memory_order_relaxed);
    if (!state_.is_interpreter_thread || !stop) return;
    state_.runs.store(state_.runs.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (!monitored.load(std::memory_order_relaxed)) [[unlikely]]
      monitor();
  }
  ~kernel_run() { state_.stop.store(nullptr, std::memory_order_relaxed); }
  kernel_run(const kernel_run &) = delete;

private:
  detail::guard_state &state_;
};

/// Registers a thread that may run kernels, until it ends.
void add_thread(detail::guard_state &);
void remove_thread(detail::guard_state &) noexcept;

/// Interrupts the threads that run the task's kernel, until the task is complete. `stop` must be set before.
void interrupt_kernel(ref<event> task, const std::atomic<bool> &stop) noexcept;

/// The same without a task, until end_interrupt; false if there is no memory for that. Not from a kernel.
bool interrupt_kernels(const std::atomic<bool> &stop) noexcept;
void end_interrupt(const std::atomic<bool> &stop) noexcept;
/// Whether this is the interpreter's thread, and it will raise an exception because of a SIGINT.
bool must_stop() noexcept;

/// Whether tasks skip their remaining work, because the process exits after an interrupt.
bool dropping() noexcept;
void begin_exit() noexcept;

// The handlers of process.cpp for a fork: before it, after it in the parent, and in the child.
void lock() noexcept;
void unlock() noexcept;
void reset() noexcept;

}  // namespace interrupts
}  // namespace dpep::backend::cpu
