// The state that a queue and its tasks share: streams, the error slot, retained owners and incomplete launches.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <source_location>
#include <vector>

#include "backend/backend.hpp"
#include "backend/common/launch_records.hpp"
#include "backend/cuda/code.hpp"
#include "backend/cuda/device_context.hpp"
#include "backend/cuda/failure_channel.hpp"
#include "backend/cuda/reaper.hpp"
#include "backend/cuda/stream_task.hpp"

namespace dpep::backend::cuda {

/// One stream of the queue and the last task in it. Tasks hold a reference to the queue's core, so that they can
/// outlive the queue; `last` and `submission_order::newest` are references back. `queue_core::retire` breaks this
/// cycle.
struct queue_stream {
  stream_handle handle = nullptr;
  ref<stream_task> last;

  // Owners that tasks keep alive, in submission order, since the stream completes in that order. They are not stored in
  // the tasks: tasks and their events can then be recycled as soon as they are unreferenced, and recycled events are
  // faster.
  struct retained_owner {
    std::uint64_t index;  // submission index of the task
    std::shared_ptr<void> owner;
  };
  // Guarded by queue_core::retained_mutex_, as are the next two members.
  std::deque<retained_owner> retained;
  std::uint32_t retained_since_reap = 0;  // owners added since the submitting thread last released some
  bool reaped_on_submit = false;          // the submitting thread released owners since the reaper's last visit
  ref<stream_task> reap_task;             // used by the reaper only: when complete, owners up to it can be released
  // The same for the submitting thread, which needs an event only. Guarded by the mutex of queue_core::order.
  event_handle reap_event = nullptr;
  std::uint64_t reap_event_index = 0;  // submission index at which reap_event was recorded; 0: recording failed
};

class queue_core final : public reaped_object, public device_context::client {
public:
  /// Creates streams, or uses the stream `adopted`, which another library owns and which makes the queue in-order.
  queue_core(std::shared_ptr<device_context>, ref<error_slot>, const queue_options &, stream_handle adopted = nullptr);
  ~queue_core() override;

  const std::shared_ptr<device_context> device;
  const ref<error_slot> errors;
  const queue_options options;
  const bool owns_streams;

  submission_order order;             // its mutex also guards the following members
  std::vector<queue_stream> streams;  // one for an in-order queue
  std::size_t next_stream = 0;
  std::uint64_t enqueued_tasks = 0;   // the last task's submission index
  bool retired = false;               // the queue is destroyed: no further submissions
  bool exported;                      // other libraries may put work into the first stream at any time
  failure_channel failures{*device};  // of kernels in these streams
  bool is_exported(stream_handle s) const noexcept { return exported && s == streams.front().handle; }

  /// Called before new work enters the stream, or all streams: records the end of the last task there, if there are
  /// references to it other than the queue's and the one of `replaced` (launch_command). Requires the mutex and the
  /// current context.
  void ensure_end_recorded(queue_stream &, const dpep::event *replaced = nullptr);
  void ensure_all_ends_recorded();

  /// Called when the queue is destroyed: tasks are released as they complete. Streams are destroyed with the last
  /// reference to them.
  void retire() noexcept;
  /// Has the reaper release owners, and the tasks of a retired queue, until none are left.
  void schedule_reaper() noexcept;

  /// Keeps the owner until the stream has completed the task with this submission index. Must not hold the mutex.
  void retain_until(stream_handle, std::uint64_t index, std::shared_ptr<void> &&owner);
  /// Releases the stream's owners up to this submission index.
  void release_up_to(stream_handle, std::uint64_t index) noexcept;
  /// Releases owners whose tasks are complete; returns whether any are left. Called by the reaper.
  bool reap() noexcept override;

  /// Records a launch before it enters the stream. Requires the mutex.
  void record_launch(const loaded_code &, stream_handle, std::size_t dimensions, source_line);
  /// Removes the record of the last launch, which failed because the context is lost.
  void remove_launch(stream_handle stream) { launches_.remove(stream, enqueued_tasks + 1); }
  /// Whether kernels that print were launched: the driver writes their output only in its own synchronising calls.
  bool prints() const noexcept { return prints_.load(std::memory_order_relaxed); }
  /// Marks the stream complete up to this submission index, and reports the assertion that failed meanwhile.
  void report_failures(stream_handle, std::uint64_t index) noexcept;
  /// Reports an error result of the driver; a lost device is reported once.
  void report_error(result) noexcept;

  /// Appends the kernels of this queue that may have caused a fault.
  void append_incomplete_kernels(std::string &text) override { launches_.append_incomplete_kernels(text, "; or "); }
  /// As backend::event::append_unfinished_kernels, for all tasks of the queue.
  void append_unfinished_kernels(std::string &message) { launches_.append_unfinished_kernels(message, device->name); }

private:
  void destroy_streams() noexcept;
  bool release_last_tasks() noexcept;
  queue_stream &find_stream(stream_handle) noexcept;
  bool add_retained(queue_stream &, std::uint64_t index, std::shared_ptr<void> &&owner);
  void reap_on_submit(queue_stream &) noexcept;
  void add_to_reaper() noexcept;

  std::mutex retained_mutex_;
  bool reaper_scheduled_ = false;

  launch_records launches_;
  std::atomic<bool> loss_reported_{false};
  std::atomic<bool> prints_{false};
};

}  // namespace dpep::backend::cuda
