// The interface of tasks for queues and the reaper: work that is in a stream, or will be.
#pragma once

#include <cstdint>

#include "backend/common/task.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class stream_task : public backend::task {
public:
  /// Called before further work enters the stream: records the end event, unless the caller's `owned_references` are
  /// the only ones to this task. Requires the queue's mutex and the current context.
  virtual void ensure_end_recorded(std::uint32_t owned_references) = 0;
  /// Makes later work in the stream wait for this task, which must be in a stream or complete.
  virtual void order_before(stream_handle) = 0;
  /// Queries the driver; returns whether the task is complete.
  virtual bool poll() noexcept = 0;

  /// Whether the task is in a stream, or complete: a stream can be made to wait for it.
  bool is_enqueued() const noexcept {
    const state s = load_state();
    return s == state::complete || (s == state::running && !is_host_task());
  }
  /// Submission index within the queue, once the task is in a stream; 0 for other tasks.
  std::uint64_t submission_index() const noexcept { return is_enqueued() ? submission_index_ : 0; }

protected:
  using backend::task::task;

  std::uint64_t submission_index_ = 0;  // set before the task is in a stream, and read by other threads only once it is
};

}  // namespace dpep::backend::cuda
