// Leaving kernels that run: a signal to the thread, whose handler jumps out of the kernel's own code.
#pragma once

#include <atomic>

#include "backend/backend.hpp"
#include "backend/cpu/guard.hpp"
#include "backend/common/code_ranges.hpp"

namespace dpep::backend::cpu {

/// For kernels that nobody stops by name; the program's main thread may still be called out of them.
inline constinit const std::atomic<bool> not_stopped{false};

/// The mark that a kernel was left because of an interrupt: nothing to report.
std::exception_ptr interrupted_mark() noexcept;
inline bool is_report(const std::exception_ptr &e) noexcept { return e && e != interrupted_mark(); }

namespace interrupts {

/// Around a kernel's run: whose end is asked for by `stop`.
class kernel_run {
public:
  explicit kernel_run(const std::atomic<bool> *stop) noexcept : state_(detail::guard) {
    state_.stop.store(stop, std::memory_order_relaxed);
    // once in a while, since it is a system call
    if (state_.listens && stop && state_.runs++ % 1024 == 0) [[unlikely]]
      listen_for_interrupts();
  }
  ~kernel_run() { state_.stop.store(nullptr, std::memory_order_relaxed); }
  kernel_run(const kernel_run &) = delete;

private:
  detail::guard_state &state_;
};

/// A thread that may run kernels; its state is known until the thread ends.
void add_thread(detail::guard_state &);
void remove_thread(detail::guard_state &) noexcept;

/// Calls threads out of a task's kernel until it is complete; its `stop` was set before.
void call_out(ref<event> task, const std::atomic<bool> &stop) noexcept;

/// Whether pieces of work are dropped: the process ends after an interrupt.
bool dropping() noexcept;
void begin_exit() noexcept;

void lock() noexcept;  // around a fork
void unlock() noexcept;
void forget() noexcept;  // in the child

}  // namespace interrupts
}  // namespace dpep::backend::cpu
