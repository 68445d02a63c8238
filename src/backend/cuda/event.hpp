// A task, which is its own event: blocked until all that it waits for is in a stream (or done, where that is
// elsewhere), then in a stream, then complete.
//
// Streams keep the order of what is in them. What cannot be put into a stream yet, because it waits for a host task or
// for another back end, is held back here, and whatever must come after it with it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/queue_core.hpp"
#include "backend/native.hpp"
#include "backend/common/recycler.hpp"

namespace dpep::backend::cuda {

class task final : public event, public native_event {
  enum class state : std::uint32_t { blocked, placed, complete };

public:
  /// What goes into a stream when the task's turn comes; a host task has none.
  using work = std::function<void(stream_handle)>;

  static ref<task> make(ref<queue_core> core, std::uint64_t submitted) {
    return ref<task>::adopt(new task(std::move(core), submitted));
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
  void add_unfinished(std::string &message) const override {
    if (status() != event_status::complete) core_->add_unfinished(message);
  }
  std::uintptr_t native() override;
  error_slot *errors() const noexcept override { return core_->errors.get(); }

  // Setting up, by the queue:

  /// Marks the start in the stream, where times are wanted.
  void begin_in(stream_handle);
  /// Everything of the task is in the stream now. Its end is marked (an event recorded) when somebody asks, or before
  /// something else comes into the stream; at once only where times are wanted, other lanes wait for it, or others use
  /// the stream, too.
  void end_in(stream_handle, bool quiet = false);
  /// Something else is about to come into the stream, from who holds so many references to this task: its end is
  /// marked, unless nobody else knows it. Under the queue's mutex, in the context.
  void be_followed(std::uint32_t known);
  /// Instead: waits for these events, then does the work in the lane.
  void hold_back(std::span<const ref<event>> after, lane &, work);
  /// Instead: waits until these events are complete, then runs the function on a host thread.
  void run_on_host(std::span<const ref<event>> after, std::function<void()>);
  /// Instead: stands for what others recorded in their event.
  void adopt(event_handle);
  /// All lanes go on after it.
  void make_barrier() noexcept { is_barrier_ = true; }

  /// Whether it is in a stream, or complete: others can be put behind it.
  bool is_placed() const noexcept { return state_.load(std::memory_order_acquire) >= state::placed; }
  /// Makes what comes next in the stream wait for it.
  void order_before(stream_handle);
  bool poll() noexcept;  // whether complete
  /// That it was put into; null for a host task.
  stream_handle stream() const noexcept { return stream_; }
  /// Of all that the queue put into streams, in order.
  std::uint64_t position() const noexcept { return place_; }

  static void *operator new(std::size_t) { return recycler<task>::take(); }
  static void operator delete(void *block) noexcept { recycler<task>::give(block); }

  ~task() override;

private:
  task(ref<queue_core> core, std::uint64_t submitted)
      : core_(std::move(core)), timed_(core_->options.profiling), submit_(submitted) {}

  card &device() const noexcept { return *core_->device; }
  bool is_complete() const noexcept { return state_.load(std::memory_order_acquire) == state::complete; }
  void block_on(std::span<const ref<event>> after, bool until_complete);
  void unblock() noexcept;
  void place() noexcept;
  void when_placed(std::function<void()>);
  void say_placed() noexcept;
  result mark_end() noexcept;
  result record_end() noexcept;
  void check_mark(result);
  void be_watched(no_fork_lock &) noexcept;
  void do_host_task() noexcept;
  void take_times() noexcept;
  void be_blocked_no_more() noexcept;
  void finish(result) noexcept;

  const ref<queue_core> core_;
  const bool timed_;
  std::atomic<state> state_{state::blocked};
  const std::uint64_t submit_;
  std::uint64_t start_ = 0, end_ = 0;

  mutable std::mutex mutex_;  // guards these
  mutable std::condition_variable changed_;
  event_handle started_ = nullptr, done_ = nullptr;
  std::vector<ref<event>> waiting_for_;
  std::vector<std::function<void()>> on_placed_, on_complete_;
  std::vector<std::shared_ptr<void>> kept_;
  bool drops_owners_ = false, watched_ = false, finishing_ = false;
  bool lent_ = false;     // others know `done_`
  bool adopted_ = false;  // it is theirs

  std::atomic<std::uint32_t> blockers_{1};
  lane *lane_ = nullptr;            // of one held back
  stream_handle stream_ = nullptr;  // that it is in
  std::uint64_t place_ = 0;         // of all that the queue put into streams
  work work_;
  std::function<void()> host_;
  bool is_host_ = false, is_barrier_ = false;
};

}  // namespace dpep::backend::cuda
