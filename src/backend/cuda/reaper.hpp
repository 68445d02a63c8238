// The reaper thread: polls tasks that have completion callbacks, and releases owners of completed tasks.
#pragma once

#include "backend/cuda/stream_task.hpp"

namespace dpep::backend::cuda {

/// An object with something to release when its work is complete.
class reaped_object : public object {
public:
  /// Releases what is complete; returns whether anything is left.
  virtual bool reap() noexcept = 0;
};

/// Polls the task until it is complete; its completion runs the callbacks. Waits for it if no memory is left.
void reaper_watch(ref<stream_task>) noexcept;

/// Calls `reap` from time to time until nothing is left to release. Not urgent. Returns false if no memory is left.
bool reaper_add(ref<reaped_object>) noexcept;

/// Discards the reaper's state in a forked child, which has no reaper thread: the work is the parent's.
void reset_reaper_after_fork() noexcept;

}  // namespace dpep::backend::cuda
