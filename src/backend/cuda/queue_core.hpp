// What a queue and its tasks share: streams, the error slot, and which kernels are in flight.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <source_location>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/device_context.hpp"
#include "backend/cuda/launch_notes.hpp"

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
  // Guarded by the queue's keeps_mutex_, as the next two are.
  std::deque<kept> keeps;
  std::uint32_t kept_since_look = 0;  // by who submits, which looks itself when there are many
  bool looked_lately = false;         // by who submits, since the watcher came by
  ref<task> mark;                     // the watcher's: when it is complete, what is kept up to there is let go
  // The same for who submits, which is an event alone. Guarded by the queue's mutex.
  event_handle milestone = nullptr;
  std::uint64_t milestone_place = 0;
};

class queue_core final : public object, public card::user {
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
  std::uint64_t placed = 0;         // tasks
  ref<task> newest;                 // of a queue in order, or the last barrier
  std::vector<ref<task>> blocked;   // of a queue out of order: not yet in a stream
  bool retired = false;             // nothing more is submitted
  bool lent;                        // others put work into the first lane's stream whenever they like
  failures failures_here{*device};  // of kernels in these streams
  bool is_lent(stream_handle s) const noexcept { return lent && s == lanes.front().stream; }

  /// Before something comes into the lane's stream, or into all: what came last there gets an end of its own, if
  /// anybody may ask for it. Under the mutex, in the context.
  void close(lane &);
  void close_all();

  /// When the queue is gone: its tasks are let go as they complete, and the streams with the last who knows them.
  void retire() noexcept;
  /// A task that was held back came into a stream after the queue was retired.
  void placed_late() noexcept { be_looked_after(); }

  /// Holds the owner until the stream has come to that place. Not under the mutex.
  void keep(stream_handle, std::uint64_t place, std::shared_ptr<void> owner);
  /// The stream has come to that place.
  void let_go(stream_handle, std::uint64_t place) noexcept;
  /// Lets go what is complete; returns whether there is more to come. For the watcher.
  bool look_after_kept() noexcept;

  /// Before a kernel goes to a stream. Under the mutex.
  void note_launch(const loaded_code &, stream_handle, std::size_t dimensions, source_line);
  /// The last one did not go there, as the context is lost.
  void withdraw_launch(stream_handle stream) { notes_.withdraw(stream, placed + 1); }
  /// Whether kernels were launched that print: the driver writes their output when somebody waits in its own way.
  bool prints() const noexcept { return prints_.load(std::memory_order_relaxed); }
  /// When a stream was found to have come to that place: whatever assertions said meanwhile is reported.
  void report_failures(stream_handle, std::uint64_t place) noexcept;
  /// When the driver answered with an error: reports it, and once only where the device is lost.
  void report_error(result) noexcept;

  /// Of all that share the device: kernels that may have made it fail.
  void add_suspects(std::string &who) override { notes_.add_suspects(who, "; or "); }
  /// As backend::event::add_unfinished, for all of the queue.
  void add_unfinished(std::string &message);

private:
  void be_looked_after() noexcept;
  bool let_go_of_last() noexcept;
  lane &lane_of(stream_handle) noexcept;
  bool put_away(lane &, std::uint64_t place, std::shared_ptr<void> owner);
  void look_while_submitting(lane &) noexcept;

  std::mutex keeps_mutex_;
  bool looked_after_ = false;  // by the watcher

  launch_notes notes_;
  std::atomic<bool> loss_reported_{false};
  std::atomic<bool> prints_{false};
};

}  // namespace dpep::backend::cuda
