// The deferred queue's mutex, recursive: evaluation releases nodes and arrays, whose destructors lock it again.
#pragma once

#include <optional>

#include "array/graph/deferred_queue.hpp"
#include "backend/common/fork_guard.hpp"

namespace dpep::array {

class deferred_queue::lock {
public:
  explicit lock(deferred_queue &q) : queue_(q), outer_(current_) {
    if (outer_ == &q) return;
    no_fork_.emplace();
    q.mutex_.lock();
    current_ = &q;
  }
  ~lock() {
    if (outer_ == &queue_) return;
    queue_.write_dump();
    const event overdue = queue_.take_excess_batch();
    current_ = outer_;
    queue_.mutex_.unlock();
    no_fork_.reset();
    if (overdue) [[unlikely]]
      wait_for(overdue);
  }
  lock(const lock &) = delete;

  static bool is_held(const deferred_queue &q) noexcept { return current_ == &q; }

private:
  // Called without the mutex, because a host task that the event depends on may lock it.
  static void wait_for(const event &) noexcept;
  inline static thread_local constinit const deferred_queue *current_ = nullptr;
  deferred_queue &queue_;
  const deferred_queue *const outer_;
  std::optional<backend::fork_guard> no_fork_;
};

template <class F> void deferred_queue::in_turn(F submit) {
  const lock held(*this);
  set_last(submit(behind_last()));
  extend_batch(0);
}

}  // namespace dpep::array
