// Runs compilations so that Ctrl-C interrupts the interpreter's main thread at once: LLVM's code generator has passes
// that take seconds for large kernels and cannot be cancelled in the middle.
#pragma once

#include <functional>
#include <memory>

namespace dpep::jit {

/// Calls `job`, which must own everything it uses. On the interpreter's main thread, runs it on another thread and
/// waits; an interrupt is then thrown at once, and cancels the job at its next check_cancelled().
void run_on_compile_thread(std::function<void()> job);

/// On a compile thread, throws interrupts::interruption if the main thread has cancelled the job. On other threads,
/// calls interrupts::check.
void check_cancelled();

}  // namespace dpep::jit
