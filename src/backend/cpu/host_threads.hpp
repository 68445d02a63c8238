// Threads for host tasks: as many as are needed, because a host task may block until another one is done.
#pragma once

#include "backend/cpu/executor.hpp"

namespace dpep::backend::cpu::host_threads {

/// Runs the job on one of the threads, soon, whatever the others are blocked on. A thread that has nothing to do for
/// a while ends.
void post(job) noexcept;

// Around a fork: no thread is inside while it happens, and the child starts with none.
void lock();
void unlock();
void forget();

}  // namespace dpep::backend::cpu::host_threads
