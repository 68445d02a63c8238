// Waits until an atomic changes, with a deadline, which std::atomic::wait lacks.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/common/clock.hpp"

namespace dpep::backend {

/// A deadline that is never reached. Deadlines are nanoseconds of the steady clock.
constexpr std::uint64_t never = ~std::uint64_t{0};

/// The number of threads that wait for a change of one word, so that `wake` costs only a load if there are none.
class futex_waiters {
public:
  /// Waits until the word differs from `seen`, or until the deadline.
  template <class Word> void wait(const std::atomic<Word> &word, Word seen, std::uint64_t deadline) noexcept {
    static_assert(sizeof word == sizeof(std::uint32_t));
    for (int i = 0; i < 4; ++i) {  // about as long as a futex wait takes
      if (word.load(std::memory_order_acquire) != seen) return;
      std::this_thread::yield();
    }
    // Sequentially consistent, as are the store of the word and the load in `wake`: either this thread sees the change,
    // or the waking thread sees the counter.
    count_.fetch_add(1);
    while (word.load() == seen && (deadline == never || now() < deadline))
      sleep(&word, static_cast<int>(seen), deadline);
    count_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Wakes all waiting threads. Call after a sequentially consistent store to the word.
  template <class Word> void wake(const std::atomic<Word> &word) noexcept {
    if (count_.load() != 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

private:
  static void sleep(const void *word, int seen, std::uint64_t deadline) noexcept {
    const timespec until{static_cast<std::time_t>(deadline / 1'000'000'000),
                         static_cast<long>(deadline % 1'000'000'000)};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, deadline == never ? nullptr : &until, nullptr,
            FUTEX_BITSET_MATCH_ANY);  // the form of FUTEX_WAIT with an absolute deadline
  }

  std::atomic<std::uint32_t> count_{0};
};

}  // namespace dpep::backend
