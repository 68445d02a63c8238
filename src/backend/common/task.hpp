// A task: a submitted command that is its own event. This file has what is the same for all back ends: dependencies and
// successors, host functions, callbacks, kept objects, waits. A back end derives its task, which adds the execution.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "backend/common/clock.hpp"
#include "backend/common/fork_guard.hpp"
#include "backend/common/futex_waiters.hpp"
#include "backend/common/small_vector.hpp"

namespace dpep::backend {

class task : public event {
public:
  event_status status() const noexcept override;
  bool wait_until(deadline latest) noexcept override { return wait_for(state::complete, nanoseconds_of(latest)); }
  bool waits_for_caller() const override { return any_waits_for_caller({ref<event>::share(const_cast<task *>(this))}); }
  void when_complete(std::function<void()>) override;
  event_times times() const noexcept override;
  bool profiled() const noexcept override { return profiled_; }
  void keep_alive(std::shared_ptr<void> &&) override;
  std::vector<ref<event>> wait_list() const override;

  /// Whether one of the events cannot be complete before the host task that the calling thread runs.
  static bool any_waits_for_caller(std::vector<ref<event>>);

protected:
  enum class state : std::uint32_t {
    blocked,
    ready,    // to be taken by a thread; GPUs' tasks omit this state
    running,  // also: in a stream of a GPU
    complete
  };
  /// The successors and callbacks that a state change releases.
  struct followers {
    small_vector<ref<task>, 2> successors;
    std::vector<std::function<void()>> callbacks;
  };
  struct properties {
    bool profiled = false;
    bool fork_safe = false;  // takes its lock under a fork_guard; false if tasks are waited for before a fork
    std::uint64_t submit_time = 0;
  };

  explicit task(const properties &p) : profiled_(p.profiled), fork_safe_(p.fork_safe), submit_(p.submit_time) {}

  // -- Dependencies. A task is blocked by its creator, until `unblock`, and by each event that it depends on. The first
  // two functions must be called under a fork_guard.

  /// Adds a dependency to the wait list; does not block the task.
  void add_dependency(event &);
  /// Blocks the task until `other` releases its successors.
  void block_on(task &other);
  /// Blocks the task until the event, of any back end, is complete.
  void block_on(event &);
  /// Removes one blocker; the last one starts the task.
  void unblock() noexcept;
  /// Executes the task, or has it executed: no blocker is left.
  virtual void start() noexcept = 0;
  /// The dependency with this index, or null beyond the last one.
  ref<event> dependency(std::size_t index) const;
  small_vector<ref<event>, 2> take_dependencies() noexcept;
  /// Calls `visit` with each of the events and each event that these depend on, except complete ones, until it returns
  /// true. Returns whether it did.
  static bool any_pending(std::vector<ref<event>>, const std::function<bool(const ref<event> &)> &visit);

  // -- Host tasks

  /// Makes this a host task of a queue of that priority, before other threads see it.
  void set_host_function(std::function<void()> f, queue_priority priority) {
    is_host_task_ = true;
    has_low_priority_ = priority == queue_priority::low;
    host_ = std::move(f);
  }
  bool is_host_task() const noexcept { return is_host_task_; }
  /// Has the function called on a host thread, and then `end_host_task`.
  void post_host_task() noexcept;
  virtual void end_host_task() noexcept {}

  // -- States

  state load_state() const noexcept { return state_.load(std::memory_order_acquire); }
  bool is_complete() const noexcept { return load_state() == state::complete; }
  void set_state(state) noexcept;
  /// Blocks the calling thread until the task has reached the state; returns whether it did before the deadline.
  bool wait_for(state, std::uint64_t deadline = never) noexcept;
  static std::uint64_t nanoseconds_of(deadline d) noexcept { return d == deadline::max() ? never : nanoseconds(d); }
  fork_safe_lock lock() const { return fork_safe_lock(mutex_, fork_safe_); }
  /// Releases the objects that are kept alive. Called before the task is complete.
  void release_owners() noexcept;
  /// Sets the state, unless the task is further; returns the successors, and if complete the callbacks. Requires the
  /// lock.
  followers reach(state) noexcept;
  /// Wakes waiting threads, calls the callbacks and unblocks the successors. Must not hold the lock.
  void notify(const followers &) noexcept;
  /// `reach` and `notify`.
  void advance(state) noexcept;

  const bool profiled_, fork_safe_;
  std::atomic<state> state_{state::blocked};
  futex_waiters waiters_;  // for changes of state_
  const std::uint64_t submit_;
  std::atomic<std::uint64_t> start_{0}, end_{0};
  mutable std::mutex mutex_;

private:
  friend class task_list;
  bool add_successor(task &);
  void run_host_task() noexcept;

  std::atomic<std::uint32_t> blockers_{1};
  // guarded by mutex_
  bool successors_released_ = false, owners_released_ = false;
  small_vector<ref<event>, 2> dependencies_;
  small_vector<ref<task>, 2> successors_;
  std::vector<std::function<void()>> callbacks_;
  std::vector<std::shared_ptr<void>> owners_;

  bool is_host_task_ = false, has_low_priority_ = false;
  std::function<void()> host_;
  task *next_ = nullptr;  // in a task_list
};

/// Tasks that a thread will start one after another. Not recursively, because a task that ends starts its successors:
/// dependency chains of any length must not consume stack.
class task_list {
public:
  bool empty() const noexcept { return !first_; }
  void push(task &t) noexcept {
    t.retain();
    t.next_ = nullptr;
    (last_ ? last_->next_ : first_) = &t;
    last_ = &t;
  }
  template <class Task> ref<Task> pop() noexcept {
    task *const t = first_;
    first_ = t->next_;
    if (!first_) last_ = nullptr;
    return ref<Task>::adopt(static_cast<Task *>(t));
  }

private:
  task *first_ = nullptr, *last_ = nullptr;
};

}  // namespace dpep::backend
