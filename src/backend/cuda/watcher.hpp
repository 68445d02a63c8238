// A thread that looks after tasks whose completion somebody wants to be told of, and after what others keep alive.
#pragma once

#include "backend/cuda/event.hpp"

namespace dpep::backend::cuda {

/// Polls the task until it is complete; completion calls back by itself.
void watch(ref<task>) noexcept;

/// Lets go, now and then, what tasks of the queue keep alive, until there is nothing left. That has time.
void watch_kept(ref<queue_core>) noexcept;

/// In a forked child, which has not the thread: what was watched is the parent's.
void forget_watched() noexcept;

}  // namespace dpep::backend::cuda
