// A task of the CUDA back end, which is its own event. It is blocked until all its dependencies are in a stream (or
// complete, if they run elsewhere), then in a stream, then complete.
//
// A stream keeps the order of its work. A task that depends on a host task or on another back end cannot enter a stream
// yet: it is deferred here, as are all tasks that must follow it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/common/recycler.hpp"
#include "backend/cuda/queue_core.hpp"
#include "backend/native.hpp"

namespace dpep::backend::cuda {

class task final : public event, public native_event {
  enum class state : std::uint32_t { blocked, enqueued, complete };

public:
  /// Puts a deferred task's work into a stream.
  using work = std::function<void(stream_handle)>;

  static ref<task> make(ref<queue_core> core, std::uint64_t submit_time) {
    return ref<task>::adopt(new task(std::move(core), submit_time));
  }

  backend_kind kind() const noexcept override { return backend_kind::cuda; }
  event_status status() const noexcept override;
  bool wait_until(deadline) noexcept override;
  bool waits_for_caller() const override;
  void when_complete(std::function<void()>) override;
  event_times times() const noexcept override;
  bool profiled() const noexcept override { return timed_; }
  void keep_alive(std::shared_ptr<void>) override;
  std::vector<ref<event>> wait_list() const override;
  void append_unfinished_kernels(std::string &message) const override {
    if (status() != event_status::complete) core_->append_unfinished_kernels(message);
  }
  std::uintptr_t native() override;
  error_slot *errors() const noexcept override { return core_->errors.get(); }

  // The queue sets a task up with one of four sequences:
  // 1. begin_in_stream, then work in that stream, then end_in_stream.

  /// Records the start event if the queue profiles.
  void begin_in_stream(stream_handle);
  /// Called when all work of the task is in the stream. The end event is recorded on demand, or before further work
  /// enters the stream; immediately only if the queue profiles, if other streams wait for the task, or if other
  /// libraries use the stream and the task is not `ordering_only`.
  void end_in_stream(stream_handle, bool ordering_only = false);
  // 2.
  /// Waits for these events, then puts the work into the stream.
  void defer(std::span<const ref<event>> after, queue_stream &, work);
  // 3.
  /// Waits until these events are complete, then runs the function on a host thread.
  void run_on_host(std::span<const ref<event>> after, std::function<void()>);
  // 4.
  /// Represents an event that another library has recorded.
  void adopt(event_handle);

  /// All streams of the queue continue after this task.
  void make_barrier() noexcept { is_barrier_ = true; }
  /// Called before further work enters the stream: records the end event, unless the caller's `owned_references` are
  /// the only ones to this task. Requires the queue's mutex and the current context.
  void ensure_end_recorded(std::uint32_t owned_references);

  /// Whether the task is in a stream, or complete: a stream can be made to wait for it.
  bool is_enqueued() const noexcept { return state_.load(std::memory_order_acquire) >= state::enqueued; }
  /// Makes later work in the stream wait for this task.
  void order_before(stream_handle);
  /// Queries the driver; returns whether the task is complete.
  bool poll() noexcept;
  /// The stream that holds the task; null for a host task.
  stream_handle stream() const noexcept { return stream_; }
  /// Submission index within the queue; 0 while not in a stream.
  std::uint64_t submission_index() const noexcept { return submission_index_; }

  static void *operator new(std::size_t) { return recycler<task>::allocate(); }
  static void operator delete(void *block) noexcept { recycler<task>::deallocate(block); }

  ~task() override;

private:
  task(ref<queue_core> core, std::uint64_t submit_time)
      : core_(std::move(core)), timed_(core_->options.profiling), submit_(submit_time) {}

  device_context &device() const noexcept { return *core_->device; }
  bool is_complete() const noexcept { return state_.load(std::memory_order_acquire) == state::complete; }
  void block_on(std::span<const ref<event>> after, bool until_complete);
  void unblock() noexcept;
  void enqueue() noexcept;
  void when_enqueued(std::function<void()>);
  void notify_enqueued() noexcept;
  result ensure_end_event() noexcept;
  result record_end() noexcept;
  void check_record(result);
  void add_to_reaper(fork_safe_lock &) noexcept;
  void do_host_task() noexcept;
  void read_times() noexcept;
  void remove_from_blocked() noexcept;
  void finish(result) noexcept;

  const ref<queue_core> core_;
  const bool timed_;
  std::atomic<state> state_{state::blocked};
  const std::uint64_t submit_;
  std::uint64_t start_ = 0, end_ = 0;

  mutable std::mutex mutex_;  // guards the members up to is_adopted_
  mutable std::condition_variable changed_;
  event_handle start_event_ = nullptr, end_event_ = nullptr;
  std::vector<ref<event>> waiting_for_;
  std::vector<std::function<void()>> on_enqueued_, on_complete_;
  std::vector<std::shared_ptr<void>> owners_;
  bool owners_released_ = false, in_reaper_ = false, finishing_ = false;
  bool exported_ = false;    // other libraries have the handle end_event_
  bool is_adopted_ = false;  // end_event_ belongs to another library

  std::atomic<std::uint32_t> blockers_{1};
  queue_stream *target_ = nullptr;  // of a deferred task
  stream_handle stream_ = nullptr;  // the stream that holds the task
  std::uint64_t submission_index_ = 0;
  work work_;
  std::function<void()> host_;
  bool is_host_ = false, is_barrier_ = false;
};

}  // namespace dpep::backend::cuda
