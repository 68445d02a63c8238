// Delays fork() while other threads work: the child has none of the threads that hold locks or produce results.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace dpep::backend {

/// Held while a thread holds locks of dpep's, or works on something that other threads wait for: a fork in another
/// thread waits until no thread has a guard. Recursive. While holding it, do not acquire Python's GIL: a thread that
/// forks holds the GIL.
class fork_guard {
public:
  fork_guard() noexcept;
  fork_guard(const fork_guard &) = delete;
  ~fork_guard();

  /// Exempts the calling thread from waiting for a fork, because the forking thread waits for its work.
  static void exempt_this_thread() noexcept;
  /// Makes all other threads wait before they acquire a guard, except exempt ones, until the coming fork is done. For
  /// fork handlers that must do something with no guard held.
  static void block_new() noexcept;
  /// Sets the function with which fork handlers wait for running tasks, after block_new().
  static void set_wait(void (*wait_for_tasks)()) noexcept;
  /// Makes the coming forks block new guards and wait for running tasks before they call the handlers that are
  /// registered so far: for libraries with handlers that expect no thread to be inside the library. Handlers are called
  /// in the reverse order of their registration.
  static void precede_registered_handlers() noexcept;
};

/// A lock_guard whose mutex no child inherits locked.
class fork_safe_lock {
public:
  /// Without `guarded`, a plain lock, for callers that prevent forks in another way.
  explicit fork_safe_lock(std::mutex &m, bool guarded = true) : mutex_(&m) {
    if (guarded) guard_.emplace();
    m.lock();
  }
  fork_safe_lock(const fork_safe_lock &) = delete;
  ~fork_safe_lock() { unlock(); }
  void unlock() noexcept {
    if (mutex_) std::exchange(mutex_, nullptr)->unlock();
    guard_.reset();
  }

private:
  std::mutex *mutex_;
  std::optional<fork_guard> guard_;
};

}  // namespace dpep::backend
