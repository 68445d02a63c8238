// Tasks of devices whose drivers have queues of their own, such as CUDA's streams. A task is blocked until all its
// dependencies are in such a queue, or complete if they run elsewhere; then its work is put into one.
//
// A driver's queue keeps the order of its work. A task that depends on a host task or on another back end cannot enter
// one yet: it is held back, as are all tasks that must follow it.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "backend/common/task.hpp"

namespace dpep::backend {

class queued_task : public task {
public:
  /// Whether the task is in the driver's queue, or complete: the driver can order work after it.
  bool is_enqueued() const noexcept {
    const state s = load_state();
    return s == state::complete || (s == state::running && !is_host_task());
  }
  /// Submission index within dpep's queue, once the task is in the driver's; 0 for other tasks.
  std::uint64_t submission_index() const noexcept { return is_enqueued() ? submission_index_ : 0; }

  /// Starts the task as soon as these events allow it: a host task when they are complete, other tasks when the events
  /// of the same back end are in the driver's queue, and all other events complete.
  void start_after(std::span<const ref<event>>);

protected:
  using task::task;

  /// Posts a host task; has other tasks enqueued, and those that become ready by that.
  void start() noexcept final;
  /// Puts the work into the driver's queue. Nothing blocks the task any longer.
  virtual void enqueue() noexcept = 0;

  std::uint64_t submission_index_ = 0;  // set before the task is enqueued, and read by other threads only once it is
};

/// Whether a task of type `Task` that depends on this event must be held back: the event is not complete, and the
/// driver cannot order work after it.
template <class Task> bool must_hold_back_for(const dpep::event &e) {
  const auto *const dependency = static_cast<const event *>(e.get());
  if (!dependency) return false;
  if (const auto *const queued = dynamic_cast<const Task *>(dependency)) return !queued->is_enqueued();
  return dependency->status() != event_status::complete;
}

/// The order of a queue's submissions, and the tasks that are held back.
class submission_order {
public:
  explicit submission_order(bool in_order) : in_order_(in_order) {}

  std::mutex mutex;                       // guards the following members and the order of submission
  ref<queued_task> newest;                // in-order queue: the last task; out-of-order queue: the last barrier
  std::vector<ref<queued_task>> blocked;  // tasks that are not in the driver's queue yet

  /// Whether the next task must be held back whatever it depends on. Requires the mutex.
  bool holds_back() const noexcept { return newest && !newest->is_enqueued(); }
  /// Makes a submitted task the newest one if later tasks must follow it. Requires the mutex.
  void add_newest(const ref<queued_task> &t, bool is_barrier) {
    if (in_order_ || is_barrier) newest = t;
  }
  /// Adds a task to the blocked ones, and the events that it depends on to `wait_for`. Requires the mutex.
  void hold_back(const ref<queued_task> &, std::span<const dpep::event> after, bool is_barrier,
                 std::vector<ref<event>> &wait_for);
  /// Removes the task from the blocked ones. Requires the mutex.
  void release(const queued_task &) noexcept;
  /// Waits until the tasks that are held back now are complete.
  void wait_for_blocked();
  /// Appends the blocked tasks and the newest one. Requires the mutex.
  void append_to(std::vector<ref<event>> &) const;

private:
  const bool in_order_;
};

}  // namespace dpep::backend
