// Sleeping until an atomic changes or time is up: std::atomic::wait has no deadline.
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

namespace dpep::backend::cpu {

constexpr std::uint64_t never = ~std::uint64_t{0};  // a deadline, in nanoseconds of the steady clock

/// The threads that sleep on one word. Whoever changes the word wakes them; that is one load when there are none.
class sleepers {
public:
  /// Returns when the word is not `seen` any more, or at the deadline.
  template <class Word> void wait(const std::atomic<Word> &word, Word seen, std::uint64_t deadline) noexcept {
    static_assert(sizeof word == sizeof(std::uint32_t));
    for (int i = 0; i < 4; ++i) {  // as long as going to sleep takes
      if (word.load(std::memory_order_acquire) != seen) return;
      std::this_thread::yield();
    }
    // Both sequentially consistent, like the change and the load in wake: one of the two threads sees the other.
    count_.fetch_add(1);
    while (word.load() == seen && (deadline == never || now() < deadline))
      sleep(&word, static_cast<int>(seen), deadline);
    count_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// After the word has been changed by a sequentially consistent store.
  template <class Word> void wake(const std::atomic<Word> &word) noexcept {
    if (count_.load() != 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

private:
  static void sleep(const void *word, int seen, std::uint64_t deadline) noexcept {
    const timespec until{static_cast<std::time_t>(deadline / 1'000'000'000),
                         static_cast<long>(deadline % 1'000'000'000)};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, deadline == never ? nullptr : &until, nullptr,
            FUTEX_BITSET_MATCH_ANY);  // of all forms of waiting, the one whose deadline is absolute
  }

  std::atomic<std::uint32_t> count_{0};
};

}  // namespace dpep::backend::cpu
