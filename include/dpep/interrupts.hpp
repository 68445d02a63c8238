// Ctrl-C (SIGINT) in an interpreter such as Python: ends its main thread's waits, compilations and kernels.
#pragma once

#include <exception>
#include <span>
#include <string>

#include <dpep/event.hpp>
#include <dpep/queue.hpp>

namespace dpep::interrupts {

/// The interpreter's signal functions. Except `owns_handler`, they are called only after a SIGINT, on the process's
/// first thread, with or without the interpreter's lock.
struct interpreter_hooks {
  /// Handles pending signals; throws the exception that they raise.
  void (*handle_signals)();
  /// Whether a pending SIGINT will raise an exception. Leaves it pending. Called in a signal handler.
  bool (*will_raise)() noexcept;
  /// Whether this handler of SIGINT is the interpreter's. Called on any thread.
  bool (*owns_handler)(const void *handler) noexcept;
};

/// Registers the interpreter. Call once, before the first kernel.
DPEP_API void set_interpreter_hooks(const interpreter_hooks &);

/// The exception that `check` throws. It passes through the runtime unchanged and is not reported as a task's error.
struct interruption {
  std::exception_ptr raised;
  std::string unfinished_kernels;  // describe_unfinished_kernels of the event that was waited for
};

/// Whether the calling thread is the interpreter's main thread.
DPEP_API bool on_interpreter_thread() noexcept;
/// Handles a SIGINT on the interpreter's main thread; throws an interruption if that raises an exception.
DPEP_API void check();
/// Whether the calling thread is the interpreter's main thread and should return to it, so that it handles a SIGINT.
DPEP_API bool pending() noexcept;

/// Installs dpep's SIGINT handler before the interpreter's, unless it is installed. Call before each long wait or
/// computation, since the interpreter may have installed its handler again.
DPEP_API void install_handler() noexcept;
/// Reports that a wait succeeded: work that an earlier interrupt left behind is again waited for at exit.
DPEP_API void wait_succeeded() noexcept;
/// As event::wait, but may throw an interruption on the interpreter's main thread. The task goes on then.
DPEP_API void wait(const event &);
/// As wait, for a copy from or to memory that the caller may free afterwards. An interrupted copy on a CPU is ended and
/// does not access its memory any more. A copy by a GPU is waited for.
DPEP_API void finish_copy(const event &);

/// Ends the kernels on CPUs that these events wait for, running or not started. They become complete soon, without an
/// error; the content of the memory that they write is undefined. Array operations, copies, host tasks and all tasks of
/// GPUs go on. The process's exit does not wait for them, unless another wait succeeds in between.
DPEP_API void stop_kernels(std::span<const event>) noexcept;
DPEP_API void stop_kernels(const queue &) noexcept;

/// A sentence for the user about the kernels of these events that go on although the wait for them has ended. Empty for
/// devices whose kernels can be ended (CPUs).
DPEP_API std::string describe_unfinished_kernels(std::span<const event>);
DPEP_API std::string describe_unfinished_kernels(const queue &);

}  // namespace dpep::interrupts
