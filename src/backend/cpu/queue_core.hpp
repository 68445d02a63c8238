// The state that a queue and its tasks share: above all the list of pending tasks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "backend/common/queue_progress.hpp"
#include "backend/common/task.hpp"
#include "backend/cpu/executor.hpp"

namespace dpep::backend::cpu {

/// A task in its queue's list of pending tasks.
class pending_task : public backend::task {
public:
  /// Makes the task depend on the event, unless that is complete. Only before the task is released to run.
  virtual void depend_on(event &) = 0;
  /// The kernel's name or the kind of work, and the completed fraction, 0 to 1.
  virtual std::pair<std::string, double> progress() const = 0;

protected:
  using backend::task::task;

private:
  friend class queue_core;
  // guarded by the queue's mutex
  pending_task *previous_pending_ = nullptr, *next_pending_ = nullptr;
  std::uint64_t submission_index_ = 0;
};

/// Reference-counted by the queue and its tasks, which may outlive the queue.
class queue_core final : public object {
public:
  queue_core(std::shared_ptr<executor> threads, ref<error_slot> errors, const queue_options &options);
  ~queue_core() override;

  const std::shared_ptr<executor> threads;
  const ref<error_slot> errors;
  const queue_options options;

  /// Number of pending tasks: submitted and not complete. At 0, the effects of all tasks are visible to the caller.
  std::size_t pending() const noexcept { return pending_.load(std::memory_order_acquire); }

  /// Whether a barrier is pending, which later submissions must not overtake.
  bool has_barrier() const noexcept { return has_barrier_.load(std::memory_order_acquire); }
  bool empty() const noexcept;
  /// Appends a task to the pending list. It depends on the pending barrier, and on an in-order queue on the last task.
  void add(pending_task &);
  /// Appends a barrier, on which later tasks depend. It depends on all pending tasks if `after_all`.
  void add_barrier(pending_task &, bool after_all);
  std::vector<ref<event>> pending_tasks() const;
  /// Waits for the tasks that are pending now.
  void wait() noexcept;
  /// The queue's progress; empty if no task is pending.
  std::optional<busy_queue> progress() const;

  /// In-order queues: held while a task is appended, or while work runs inline because no task is pending.
  std::mutex submission_mutex;

private:
  friend class task;  // a task leaves the list and becomes complete in one step, under the mutex
  void link(pending_task &) noexcept;
  void unlink(pending_task &) noexcept;

  std::uint64_t id_ = 0;
  mutable std::mutex mutex_;  // guards the list of pending tasks, which holds a reference to each, in submission order
  pending_task *first_ = nullptr, *last_ = nullptr, *barrier_ = nullptr;
  std::uint64_t submitted_ = 0;
  std::atomic<std::size_t> pending_{0};
  std::atomic<bool> has_barrier_{false};
};

}  // namespace dpep::backend::cpu
