// A task, which is its own event: what to do, what it waits for, who waits for it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cpu/few.hpp"
#include "backend/cpu/queue_core.hpp"
#include "backend/cpu/sleepers.hpp"
#include "backend/cpu/work.hpp"
#include "backend/common/recycler.hpp"

namespace dpep::backend::cpu {

class task final : public event {
public:
  static ref<task> make(ref<queue_core> core) { return ref<task>::adopt(new task(std::move(core))); }

  // Setting up, by the queue, in this order:
  template <class Work, class... Arguments> void set_work(std::size_t units, Arguments &&...arguments) {
    work_.emplace<Work>(std::forward<Arguments>(arguments)...);
    units_ = units;
  }
  void depend_on(event &);
  void depend_on(std::span<const dpep::event>);
  void release_to_run();  // from now on it runs as soon as nothing is in its way

  /// Instead, for work that the submitting thread has done already.
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
  static const task *running_here() noexcept { return dynamic_cast<const task *>(host_task_here); }
  /// Whether one of those that `is_wanted` accepts is this task, or cannot begin before it is complete.
  /// What it does, by name, and how much of that is done, 0 to 1.
  std::pair<std::string, double> progress() const;
  bool holds_up(const std::function<bool(const task &)> &is_wanted) const;
  void stop_kernels() noexcept;
  void stop_copy() noexcept;

  static void *operator new(std::size_t) { return recycler<task>::take(); }
  static void operator delete(void *block) noexcept { recycler<task>::give(block); }

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
  bool has_waiting_items() const noexcept;
  bool is_short() const noexcept;
  void run_claimed(bool alone) noexcept;  // any kind but host tasks
  bool has_short_pieces() const noexcept;
  void join() noexcept;
  void do_pieces() noexcept;
  void do_waiting_items() noexcept;
  void leave() noexcept;
  void do_host_task() noexcept;
  void complete() noexcept;
  cost_estimate &cost() const noexcept;
  std::size_t piece_size(std::size_t remaining) const noexcept;
  std::exception_ptr run_units(std::size_t begin, std::size_t end) const noexcept;

  void post() noexcept;
  static void run_compute_job(void *) noexcept;
  static void run_host_job(void *) noexcept;
  static void run_ready_here() noexcept;

  const ref<queue_core> core_;
  const bool profiled_;
  std::atomic<state> state_{state::blocked};
  sleepers sleepers_;                       // on the state
  std::atomic<std::uint32_t> blockers_{1};  // dependencies that are not complete, and one until release_to_run

  mutable std::mutex mutex_;  // guards these
  few<ref<event>, 2> waiting_for_;
  few<ref<task>, 2> successors_;
  std::vector<std::function<void()>> callbacks_;
  std::vector<std::shared_ptr<void>> kept_;
  bool drops_owners_ = false;  // complete as far as owners are concerned

  work work_;  // stays until the task dies: a late participant may still look at it
  std::size_t units_ = 0;
  std::atomic<std::size_t> next_{0}, done_{0};  // units taken, units finished
  std::atomic<bool> failed_{false};
  std::atomic<std::uint32_t> participants_{0}, most_participants_{0};
  std::atomic<std::uint64_t> submit_{0}, start_{0}, end_{0};

  // guarded by the queue's mutex
  task *earlier_ = nullptr, *later_ = nullptr;
  std::uint64_t number_ = 0;

  task *next_ready_ = nullptr;  // in one thread's list of tasks to run there
};

}  // namespace dpep::backend::cpu
