// Ctrl-C in programs with an interpreter: how its main thread gets out of waits, compilations and kernels.
#pragma once

#include <exception>
#include <span>
#include <string>

#include <dpep/event.hpp>
#include <dpep/queue.hpp>

namespace dpep::interrupts {

/// An interpreter's functions for the signals that it handles. All are called on the process's first thread only, with
/// or without the interpreter's lock, and only after a SIGINT.
struct listener {
  void (*check)();                             // handles pending signals; throws what that raises
  bool (*ends_kernels)() noexcept;             // whether a SIGINT is pending that will raise; leaves it pending
  bool (*owns)(const void *handler) noexcept;  // whether SIGINT's handler is the interpreter's: any thread
};

/// Once, before the first kernel.
DPEP_API void listen(const listener &);

/// Thrown by `check`. It passes through the runtime unchanged and is not reported as an error of a task.
struct interruption {
  std::exception_ptr raised;
  std::string unfinished;  // as the function of that name has it, where the wait was for an event
};

/// Whether the calling thread is the interpreter's main one.
DPEP_API bool concern_this_thread() noexcept;
/// Throws an interruption if the calling thread is the interpreter's main one and a signal ended what it does.
DPEP_API void check();
/// Whether the calling thread should return to the interpreter, which then handles a SIGINT.
DPEP_API bool pending() noexcept;

/// Call before a long wait or computation: SIGINT is noticed, too, after the interpreter installed its handler anew.
DPEP_API void prepare() noexcept;
/// Its counterpart: what was wanted is done. Work that an earlier interrupt left is done at exit, too.
DPEP_API void waited() noexcept;
/// As event::wait; on the interpreter's main thread it may throw an interruption, and the work goes on.
DPEP_API void wait(const event &);
/// The same for a copy from or to memory that may be gone when this returns: an interrupted one is ended, and its
/// memory not touched any more. Copies by GPUs are waited for.
DPEP_API void finish_copy(const event &);

/// Ends kernels among these and in their way, those that run and those that have not begun: they are complete soon,
/// without an error, and what they would have written is undefined. Array work, copies and host tasks go on, and so
/// does everything on GPUs. At the end of the process nothing of it is waited for any more, unless another wait
/// succeeded since.
DPEP_API void stop_kernels(std::span<const event>) noexcept;
DPEP_API void stop_kernels(const queue &) noexcept;

/// Which kernels of those events go on although nobody waits for them any more, as a sentence for the user; empty where
/// kernels can be ended (CPUs).
DPEP_API std::string unfinished(std::span<const event>);
DPEP_API std::string unfinished(const queue &);

}  // namespace dpep::interrupts
