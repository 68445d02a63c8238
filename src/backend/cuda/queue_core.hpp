// What a queue and its tasks share: streams, the error slot, and which kernels are in flight.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <source_location>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/card.hpp"
#include "backend/cuda/code.hpp"

namespace dpep::backend::cuda {

class task;

/// One stream of the queue, and the last task that went to it. Tasks hold what they share with their queue, so that
/// they outlive it, and `last` and `newest` hold tasks: a circle, which is taken apart when the queue is retired.
struct lane {
  stream_handle stream = nullptr;
  ref<task> last;

  // What tasks keep alive, which a stream gives back in order. Not with the tasks: they, and their events, are used
  // again as soon as nobody knows them, and events that are at hand are faster.
  struct kept {
    std::uint64_t place;
    std::shared_ptr<void> owner;
  };
  std::deque<kept> keeps;  // guarded by the queue's keeps_mutex_
  ref<task> mark;          // the watcher's: when it is complete, what is kept up to there is let go
};

class queue_core final : public object {
public:
  /// With streams of its own, or in order in this one, which stays others'.
  queue_core(std::shared_ptr<card>, ref<error_slot>, const queue_options &, stream_handle adopted = nullptr);
  ~queue_core() override;

  const std::shared_ptr<card> device;
  const ref<error_slot> errors;
  const queue_options options;
  const bool owns_streams;

  std::mutex mutex;         // guards what follows, and the order of submission
  std::vector<lane> lanes;  // one for a queue in order
  std::size_t next_lane = 0;
  std::uint64_t placed = 0;        // tasks
  ref<task> newest;                // of a queue in order, or the last barrier
  std::vector<ref<task>> blocked;  // of a queue out of order: not yet in a stream
  bool retired = false;            // nothing more is submitted

  /// When the queue is gone: its tasks are let go as they complete, and the streams with the last who knows them.
  void retire() noexcept;
  /// A task that was held back came into a stream after the queue was retired.
  void placed_late() noexcept { be_looked_after(); }

  /// Holds the owner until the stream has come to that place.
  void keep(stream_handle, std::uint64_t place, std::shared_ptr<void> owner);
  /// The stream has come to that place.
  void let_go(stream_handle, std::uint64_t place) noexcept;
  /// Lets go what is complete; returns whether there is more to come. For the watcher.
  bool look_after_kept() noexcept;

  /// Before a kernel goes to a stream.
  void note_launch(const loaded_code &, std::size_t dimensions, const std::source_location &);
  /// Whether kernels were launched that print: the driver writes their output when somebody waits in its own way.
  bool prints() const noexcept { return prints_.load(std::memory_order_relaxed); }
  /// When a task was found complete: whatever assertions said meanwhile is reported.
  void report_failures() noexcept;
  /// When the driver answered with an error: says once which kernels may have caused it.
  void report_loss(result) noexcept;

private:
  void be_looked_after() noexcept;
  bool let_go_of_last() noexcept;

  struct launch_note {
    ref<const code> kernel;
    std::size_t dimensions = 1;
    std::source_location where;
  };
  static std::string name_of(const launch_note &);

  std::mutex keeps_mutex_;
  bool looked_after_ = false;  // by the watcher

  std::mutex notes_mutex_;
  std::array<launch_note, 8> notes_;  // the last ones, in a ring
  std::size_t noted_ = 0;
  std::vector<launch_note> asserting_;  // kernels with assertions that were launched
  bool loss_reported_ = false;
  std::atomic<bool> prints_{false};
};

}  // namespace dpep::backend::cuda
