// Events: the completion and the timestamps of submitted tasks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dpep/device.hpp>
#include <dpep/object.hpp>

namespace dpep {

enum class event_status { submitted, running, complete };

/// A task's timestamps, in nanoseconds of std::chrono::steady_clock on every device. Zero until reached.
struct event_times {
  std::uint64_t submit = 0, start = 0, end = 0;
};

/// A handle of one submitted task.
class DPEP_API event : public handle {
public:
  using handle::handle;
  /// An event that is complete.
  event() noexcept = default;

  event_status status() const;
  /// The back end of the device that runs the task; the default device's for an empty event. A task that completes
  /// during its submission may have an empty event.
  backend_kind backend() const noexcept;
  /// Blocks until the task is complete. The calling thread runs the task itself if that is sooner.
  /// Errors of the task are not thrown here but by the queue's next wait (queue::wait). All waiting functions throw
  /// errc::invalid if the calling thread runs a host task without which the event cannot complete: a deadlock.
  void wait() const;
  static void wait(std::span<const event> events);
  /// As wait, but returns early once `keep_waiting`, which is called about every 20 ms, returns false. Exceptions of
  /// `keep_waiting` are passed on. Returns whether the task is complete.
  bool wait_while(const std::function<bool()> &keep_waiting) const;
  static bool wait_while(std::span<const event> events, const std::function<bool()> &keep_waiting);
  /// Waits, then calls queue::throw_asynchronous of the event's queue, and of the queues on whose tasks tasks of that
  /// queue have depended, directly or through a third queue. Pending errors of their other tasks are delivered, too.
  /// (A failed task never has an empty event, however short it was.)
  void wait_and_throw() const;
  /// Throws errc::invalid if the queue was made without profiling. Does not wait.
  event_times times() const;
  /// The dependencies of this event that are not complete yet.
  std::vector<event> wait_list() const;
  /// Holds `owner` until the task is complete; does nothing if it is complete. The thread that detects completion
  /// releases it, which may be any thread. Objects that need a certain thread or lock for their destruction (Python
  /// objects) need a deleter that provides it.
  void keep_alive(std::shared_ptr<void> owner) const;

  /// Events are equal if they are handles of one task, or copies of one empty event. Empty events without an identity
  /// are equal.
  friend bool operator==(const event &a, const event &b) noexcept {
    return a.get() == b.get() && (a.get() || a.identity_ == b.identity_);
  }
  std::size_t hash() const noexcept { return std::hash<const void *>()(get()) ^ (get() ? 0 : identity_); }

protected:
  /// Gives an empty event an identity, which its copies share.
  void identify() noexcept;

private:
  std::uint64_t identity_ = 0;  // of an empty event
};

/// An event that the program completes, for work that dpep does not execute.
class DPEP_API user_event : public event {
public:
  user_event();
  void complete() const noexcept;
};

}  // namespace dpep

template <> struct std::hash<dpep::event> {
  std::size_t operator()(const dpep::event &x) const noexcept { return x.hash(); }
};
