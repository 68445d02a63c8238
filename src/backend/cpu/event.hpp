// A task of the CPU back end, which is its own event: its work, its dependencies and its successors.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/common/recycler.hpp"
#include "backend/cpu/futex_waiters.hpp"
#include "backend/cpu/queue_core.hpp"
#include "backend/cpu/small_vector.hpp"
#include "backend/cpu/work.hpp"

namespace dpep::backend::cpu {

class task final : public event {
public:
  static ref<task> make(ref<queue_core> core) { return ref<task>::adopt(new task(std::move(core))); }

  // The queue sets a task up with these calls, in this order:
  template <class Work, class... Arguments> void set_work(std::size_t units, Arguments &&...arguments) {
    work_.emplace<Work>(std::forward<Arguments>(arguments)...);
    units_ = units;
  }
  void depend_on(event &);
  void depend_on(std::span<const dpep::event>);
  void release_to_run();  // starts the task as soon as all dependencies are complete

  /// Replaces that sequence for work that the submitting thread has executed.
  void complete_at_once(std::uint64_t submit, std::uint64_t start, std::uint64_t end) noexcept;
  void set_submit_time(std::uint64_t t) noexcept { submit_.store(t, std::memory_order_relaxed); }

  backend_kind kind() const noexcept override { return backend_kind::native_cpu; }
  event_status status() const noexcept override;
  bool wait_until(deadline) noexcept override;
  bool waits_for_caller() const override;
  void when_complete(std::function<void()>) override;
  event_times times() const noexcept override;
  bool profiled() const noexcept override { return profiled_; }
  void keep_alive(std::shared_ptr<void>) override;
  std::vector<ref<event>> wait_list() const override;
  error_slot *errors() const noexcept override { return core_->errors.get(); }

  /// The host task that the calling thread runs, or null.
  static const task *running_here() noexcept { return dynamic_cast<const task *>(current_host_task); }
  /// The kernel's name or the kind of work, and the completed fraction, 0 to 1.
  std::pair<std::string, double> progress() const;
  /// Whether the predicate holds for this task, or for one that cannot start before this task is complete.
  bool blocks_any(const std::function<bool(const task &)> &predicate) const;
  void stop_kernels() noexcept;
  void stop_copy() noexcept;

  static void *operator new(std::size_t) { return recycler<task>::allocate(); }
  static void operator delete(void *block) noexcept { recycler<task>::deallocate(block); }

private:
  friend class queue_core;
  enum class state : std::uint32_t { blocked, ready, running, complete };

  explicit task(ref<queue_core> core) : core_(std::move(core)), profiled_(core_->options.profiling) {}

  state load_state() const noexcept { return state_.load(std::memory_order_acquire); }
  void set_state(state) noexcept;
  bool claim() noexcept;
  bool add_successor(task &);
  void unblock() noexcept;

  bool is_host_task() const noexcept { return std::holds_alternative<host_work>(work_); }
  bool needs_fibers() const noexcept;
  bool is_short() const noexcept;
  void run_claimed(bool single_threaded) noexcept;  // not for host tasks
  bool has_short_chunks() const noexcept;
  void join() noexcept;
  void run_chunks() noexcept;
  void run_fibers() noexcept;
  void leave() noexcept;
  void do_host_task() noexcept;
  void complete() noexcept;
  cost_estimate &cost() const noexcept;
  std::size_t chunk_size(std::size_t remaining) const noexcept;
  std::exception_ptr run_units(std::size_t begin, std::size_t end) const noexcept;

  void post() noexcept;
  static void run_compute_job(void *) noexcept;
  static void run_host_job(void *) noexcept;
  static void run_ready_here() noexcept;

  const ref<queue_core> core_;
  const bool profiled_;
  std::atomic<state> state_{state::blocked};
  futex_waiters waiters_;                   // for changes of state_
  std::atomic<std::uint32_t> blockers_{1};  // incomplete dependencies, plus one until release_to_run

  mutable std::mutex mutex_;  // guards the members up to owners_released_
  small_vector<ref<event>, 2> waiting_for_;
  small_vector<ref<task>, 2> successors_;
  std::vector<std::function<void()>> callbacks_;
  std::vector<std::shared_ptr<void>> owners_;
  bool owners_released_ = false;

  work work_;  // lives as long as the task: a late participant may still read it
  std::size_t units_ = 0;
  std::atomic<std::size_t> next_{0}, done_{0};  // number of units started, completed
  std::atomic<bool> failed_{false};
  std::atomic<std::uint32_t> participants_{0}, max_participants_{0};
  std::atomic<std::uint64_t> submit_{0}, start_{0}, end_{0};

  // The queue's list of pending tasks; guarded by the queue's mutex.
  task *previous_pending_ = nullptr, *next_pending_ = nullptr;
  std::uint64_t submission_index_ = 0;

  task *next_ready_ = nullptr;  // in a thread's list of tasks to run (thread_role)
};

}  // namespace dpep::backend::cpu
