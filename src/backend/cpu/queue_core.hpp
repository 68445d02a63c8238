// What a queue's tasks share with it, the line of those that are pending before all.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "backend/common/activities.hpp"
#include "backend/backend.hpp"
#include "backend/cpu/executor.hpp"

namespace dpep::backend::cpu {

class task;

/// Tasks keep it when the queue is gone.
class queue_core final : public object {
public:
  queue_core(std::shared_ptr<executor> threads, ref<error_slot> errors, const queue_options &options);
  ~queue_core() override;

  const std::shared_ptr<executor> threads;
  const ref<error_slot> errors;
  const queue_options options;

  /// Tasks submitted and not complete. Zero: everything is done and visible to the reader.
  std::size_t pending() const noexcept { return pending_.load(std::memory_order_acquire); }

  /// Nothing submitted may overtake an incomplete barrier.
  bool has_barrier() const noexcept { return barred_.load(std::memory_order_acquire); }
  bool empty() const noexcept;
  /// Puts a task at the end of the line, behind the barrier if there is one, and in order behind the task before it.
  void enlist(task &);
  /// The same for a barrier: behind everything in the line (`after_all`), and what comes later behind it.
  void enlist_barrier(task &, bool after_all);
  std::vector<ref<event>> line() const;
  /// Waits for what is in the line now.
  void wait() noexcept;
  /// Whether something in the line cannot be complete before the host task that the calling thread runs.
  bool waits_for_caller() const;
  /// What is in the line; nothing when it is empty.
  std::optional<busy_queue> busy() const;

  std::mutex turn;  // in-order queues: held while work is put in line, or done at once because the line is empty

private:
  friend class task;  // leaves the line and is complete in one step, under the mutex
  void link(task &) noexcept;
  void unlink(task &) noexcept;

  std::uint64_t id_ = 0;
  mutable std::mutex mutex_;  // guards the line: pending tasks in the order of submission, each with a reference
  task *first_ = nullptr, *last_ = nullptr, *barrier_ = nullptr;
  std::uint64_t submitted_ = 0;
  std::atomic<std::size_t> pending_{0};
  std::atomic<bool> barred_{false};
};

}  // namespace dpep::backend::cpu
