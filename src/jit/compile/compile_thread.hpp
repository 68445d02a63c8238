// Compiling on another thread, where the interpreter's main thread may be interrupted: LLVM's code generator has passes
// that take seconds for large kernels, and cannot be left in the middle.
#pragma once

#include <functional>
#include <memory>

namespace dpep::jit {

/// Calls `job`, which owns all that it uses. On the interpreter's main thread this waits for another one to do it; an
/// interrupt is thrown at once, and the job ended at its next check_abandoned().
void run_aside(std::function<void()> job);

/// Throws an interruption when the main thread gave this thread's job up. On the main thread, when it compiles itself,
/// it throws what a signal raises.
void check_abandoned();

}  // namespace dpep::jit
