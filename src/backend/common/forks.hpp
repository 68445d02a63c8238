// Forks while other threads are at work: the child has none of the threads that others wait for, or that hold locks.
#pragma once

#include <mutex>
#include <optional>

namespace dpep::backend {

/// Held where a thread has locks of ours, or makes what others wait for: a fork in another thread waits until nobody
/// holds it. By the same thread as often as it likes. Who holds it does not ask for Python's lock: a fork has that.
class no_fork_meanwhile {
public:
  no_fork_meanwhile() noexcept;
  no_fork_meanwhile(const no_fork_meanwhile &) = delete;
  ~no_fork_meanwhile();
};

/// A lock that no child inherits locked.
class no_fork_lock {
public:
  explicit no_fork_lock(std::mutex &m) : mutex_(m) {
    whole_.emplace();
    mutex_.lock();
  }
  no_fork_lock(const no_fork_lock &) = delete;
  ~no_fork_lock() {
    if (whole_) unlock();
  }
  void unlock() noexcept {
    mutex_.unlock();
    whole_.reset();
  }

private:
  std::mutex &mutex_;
  std::optional<no_fork_meanwhile> whole_;
};

namespace forks {

/// The calling thread's work is waited for before a fork, so it is never held up by one.
void always_admit_this_thread() noexcept;

/// For who has to do something before a fork: from here on nobody begins to hold `no_fork_meanwhile` before the fork is
/// done, but threads that are always admitted.
void close() noexcept;

}  // namespace forks
}  // namespace dpep::backend
