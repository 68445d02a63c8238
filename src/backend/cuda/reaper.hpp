// The reaper thread: polls tasks that have completion callbacks, and releases owners of completed tasks.
#pragma once

#include "backend/cuda/event.hpp"

namespace dpep::backend::cuda {

/// Polls the task until it is complete; its completion runs the callbacks. Waits for it if no memory is left.
void reaper_watch(ref<task>) noexcept;

/// Calls the queue's `reap` from time to time until nothing is left to release. Not urgent. Returns false if no memory
/// is left.
bool reaper_add_queue(ref<queue_core>) noexcept;

/// Discards the reaper's state in a forked child, which has no reaper thread: the work is the parent's.
void reset_reaper_after_fork() noexcept;

}  // namespace dpep::backend::cuda
