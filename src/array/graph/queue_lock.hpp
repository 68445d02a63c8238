// The stream's mutex, which the thread that holds it may ask for again: evaluation drops nodes and arrays, whose
// destructors want it.
#pragma once

#include <optional>

#include "array/graph/deferred_queue.hpp"
#include "backend/common/forks.hpp"

namespace dpep::array {

class stream::entry {
public:
  explicit entry(stream &s) : stream_(s), outer_(here) {
    if (outer_ == &s) return;
    no_fork_.emplace();
    s.mutex_.lock();
    here = &s;
  }
  ~entry() {
    if (outer_ == &stream_) return;
    stream_.write_dump();
    const event overdue = stream_.take_overdue();
    here = outer_;
    stream_.mutex_.unlock();
    no_fork_.reset();
    if (overdue) [[unlikely]]
      wait_for(overdue);
  }
  entry(const entry &) = delete;

  static bool inside(const stream &s) noexcept { return here == &s; }

private:
  // Not under the mutex: what is waited for may be a host task that wants it.
  static void wait_for(const event &) noexcept;
  inline static thread_local constinit const stream *here = nullptr;
  stream &stream_;
  const stream *const outer_;
  std::optional<backend::no_fork_meanwhile> no_fork_;
};

template <class F> void stream::in_turn(F submit) {
  const entry here(*this);
  const bool ordered = queue_object_.options.in_order || !last_;
  come_last(replace_last([&] { return submit(ordered ? dependencies{} : dependencies{&last_, 1}); }));
  limit_flights(0);
}

}  // namespace dpep::array
