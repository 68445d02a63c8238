// The host threads' handlers for a fork.
#pragma once

#include "backend/common/host_threads.hpp"

namespace dpep::backend::cpu::host_threads {

using backend::host_threads::post;
using backend::host_threads::priority;

// Before a fork, after it in the parent, and in the child, which starts with no threads.
void lock();
void unlock();
void reset();

}  // namespace dpep::backend::cpu::host_threads
