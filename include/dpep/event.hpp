// An event: one submitted task, its completion and its times.
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

/// Nanoseconds of the steady clock, on every device; zero while not reached.
struct event_times {
  std::uint64_t submit = 0, start = 0, end = 0;
};

class DPEP_API event : public handle {
public:
  using handle::handle;
  event() noexcept = default;  // stands for work that is complete already

  event_status status() const;
  /// Of the device that runs the task; the default device's for a default-constructed event, and for what was complete
  /// before anybody could ask.
  backend_kind backend() const noexcept;
  /// Blocks until complete. The calling thread runs the task itself where that is sooner.
  /// Errors of the task are its queue's to report (queue::wait). Throws errc::invalid, as all waiting does, in a host
  /// task that the event stands for or waits for: it would wait for ever.
  void wait() const;
  static void wait(std::span<const event> events);
  /// As wait, until `go_on` says no; it is asked about every 20 ms. Returns whether the task is complete. What it
  /// throws ends the waiting, too.
  bool wait_while(const std::function<bool()> &go_on) const;
  static bool wait_while(std::span<const event> events, const std::function<bool()> &go_on);
  /// As wait, and then as queue::throw_asynchronous of its queue: pending errors of other tasks come with it. (A task
  /// that failed always has an event that knows its queue, however short it was.)
  void wait_and_throw() const;
  /// Throws errc::invalid when the queue was made without profiling. Does not wait.
  event_times times() const;
  /// The events that this one was told to wait for and that are not complete yet.
  std::vector<event> wait_list() const;
  /// Holds `owner` until the task is complete; not at all when it is. It is let go on whichever thread finds it
  /// complete, so what must die in a certain place (Python objects) brings a deleter that puts it there.
  void keep_alive(std::shared_ptr<void> owner) const;
};

/// An event that the program completes, for work that dpep does not run.
class DPEP_API user_event : public event {
public:
  user_event();
  void complete() const noexcept;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::event);
