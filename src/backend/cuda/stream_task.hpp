// The interface of tasks for queues and the reaper: work that is in a stream, or will be.
#pragma once

#include <cstdint>

#include "backend/common/queued_task.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class stream_task : public queued_task {
public:
  /// Called before further work enters the stream: records the end event, unless the caller's `owned_references` are
  /// the only ones to this task. Requires the queue's mutex and the current context.
  virtual void ensure_end_recorded(std::uint32_t owned_references) = 0;
  /// Makes later work in the stream wait for this task, which must be in a stream or complete.
  virtual void order_before(stream_handle) = 0;
  /// Queries the driver; returns whether the task is complete.
  virtual bool poll() noexcept = 0;

protected:
  using queued_task::queued_task;
};

}  // namespace dpep::backend::cuda
