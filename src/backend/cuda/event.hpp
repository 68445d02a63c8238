// A task of the CUDA back end: blocked, then in a stream, then complete.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "backend/common/recycler.hpp"
#include "backend/cuda/queue_core.hpp"
#include "backend/native.hpp"

namespace dpep::backend::cuda {

class task final : public stream_task, public native_event {
public:
  /// Puts the work of a task that was held back into a stream.
  using work = std::function<void(stream_handle)>;

  static ref<task> make(ref<queue_core> core, std::uint64_t submit_time) {
    return ref<task>::adopt(new task(std::move(core), submit_time));
  }
  static ref<task> make_host_task(ref<queue_core> core, std::uint64_t submit_time, std::function<void()> function) {
    const queue_priority priority = core->options.priority;
    ref<task> t = make(std::move(core), submit_time);
    t->set_host_function(std::move(function), priority);
    return t;
  }

  backend_kind kind() const noexcept override { return backend_kind::cuda; }
  event_status status() const noexcept override;
  bool wait_until(deadline) noexcept override;
  void when_complete(std::function<void()>) override;
  event_times times() const noexcept override;
  void keep_alive(std::shared_ptr<void> &&) override;
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
  /// Sets the work of a task that is held back, and the stream that it enters. `start_after` follows.
  void set_work(queue_stream &where, work what) {
    target_ = &where;
    work_ = std::move(what);
  }
  // 3. for a host task, start_after.
  // 4.
  /// Represents an event that another library has recorded.
  void adopt(event_handle);

  /// All streams of the queue continue after this task.
  void make_barrier() noexcept { is_barrier_ = true; }
  void ensure_end_recorded(std::uint32_t owned_references) override;
  void order_before(stream_handle) override;
  bool poll() noexcept override;

  static void *operator new(std::size_t) { return recycler<task>::allocate(); }
  static void operator delete(void *block) noexcept { recycler<task>::deallocate(block); }

  ~task() override;

private:
  task(ref<queue_core> core, std::uint64_t submit_time)
      : stream_task({core->options.profiling, /*fork_safe=*/true, submit_time}), core_(std::move(core)) {}

  device_context &device() const noexcept { return *core_->device; }
  void end_host_task() noexcept override;
  void enqueue() noexcept override;
  bool end_failed_work(bool &queue_retired) noexcept;
  result ensure_end_event() noexcept;
  result record_end() noexcept;
  void check_record(result);
  void watch() noexcept;
  void read_times() noexcept;
  void finish(result) noexcept;

  const ref<queue_core> core_;
  // guarded by the task's lock
  event_handle start_event_ = nullptr, end_event_ = nullptr;
  bool finishing_ = false;
  bool exported_ = false;    // other libraries have the handle end_event_
  bool is_adopted_ = false;  // end_event_ belongs to another library

  std::atomic<bool> in_reaper_{false};
  stream_handle stream_ = nullptr;  // set before the task is in a stream, and read by other threads only once it is
  // of a task that is held back
  queue_stream *target_ = nullptr;
  work work_;
  bool is_barrier_ = false;
};

}  // namespace dpep::backend::cuda
