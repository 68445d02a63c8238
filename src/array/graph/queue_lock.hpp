// The deferred queue's mutex, recursive: evaluation releases nodes and arrays, whose destructors lock it again.
#pragma once

#include <optional>

#include "array/graph/deferred_queue.hpp"
#include "backend/common/fork_guard.hpp"

namespace dpep::array {

class deferred_queue::lock {
public:
  explicit lock(deferred_queue &s) : stream_(s), outer_(here) {
    if (outer_ == &s) return;
    no_fork_.emplace();
    s.mutex_.lock();
    here = &s;
  }
  ~lock() {
    if (outer_ == &stream_) return;
    stream_.write_dump();
    const event overdue = stream_.take_excess_batch();
    here = outer_;
    stream_.mutex_.unlock();
    no_fork_.reset();
    if (overdue) [[unlikely]]
      wait_for(overdue);
  }
  lock(const lock &) = delete;

  static bool is_held(const deferred_queue &s) noexcept { return here == &s; }

private:
  // Not under the mutex: what is waited for may be a host task that wants it.
  static void wait_for(const event &) noexcept;
  inline static thread_local constinit const deferred_queue *here = nullptr;
  deferred_queue &stream_;
  const deferred_queue *const outer_;
  std::optional<backend::fork_guard> no_fork_;
};

template <class F> void deferred_queue::in_turn(F submit) {
  const lock held(*this);
  const bool ordered = queue_object_.options.in_order || !last_;
  set_last(replace_last([&] { return submit(ordered ? dependencies{} : dependencies{&last_, 1}); }));
  extend_batch(0);
}

}  // namespace dpep::array
