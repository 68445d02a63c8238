// Forks while other threads are at work: the child has none of the threads that others wait for, or that hold locks.
#pragma once

namespace dpep::backend {

/// Held where a thread has locks of ours, or makes what others wait for: a fork in another thread waits until nobody
/// holds it. By the same thread as often as it likes. Who holds it does not ask for Python's lock: a fork has that.
class no_fork_meanwhile {
public:
  no_fork_meanwhile() noexcept;
  no_fork_meanwhile(const no_fork_meanwhile &) = delete;
  ~no_fork_meanwhile();
};

namespace forks {

/// The calling thread's work is waited for before a fork, so it is never held up by one.
void always_admit_this_thread() noexcept;

/// For who has to do something before a fork: from here on nobody begins to hold `no_fork_meanwhile` before the fork is
/// done, but threads that are always admitted.
void close() noexcept;

}  // namespace forks
}  // namespace dpep::backend
