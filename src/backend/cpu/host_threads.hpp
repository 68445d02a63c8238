// What a fork needs of the threads for host tasks.
#pragma once

#include "backend/common/host_threads.hpp"

namespace dpep::backend::cpu::host_threads {

using backend::host_threads::post;

// Around a fork: no thread is inside while it happens, and the child starts with none.
void lock();
void unlock();
void forget();

}  // namespace dpep::backend::cpu::host_threads
