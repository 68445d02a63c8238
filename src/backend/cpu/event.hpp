// A task of the CPU back end: its work, which threads share, and its place in the queue's list.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "backend/common/recycler.hpp"
#include "backend/cpu/queue_core.hpp"
#include "backend/cpu/work.hpp"

namespace dpep::backend::cpu {

class task final : public pending_task {
public:
  static ref<task> make(ref<queue_core> core, std::uint64_t submit_time) {
    return ref<task>::adopt(new task(std::move(core), submit_time));
  }
  static ref<task> make_host_task(ref<queue_core> core, std::uint64_t submit_time, std::function<void()> function) {
    const queue_priority priority = core->options.priority;
    ref<task> t = make(std::move(core), submit_time);
    t->set_host_function(std::move(function), priority);
    return t;
  }

  // The queue sets a task up with these calls, in this order:
  template <class Work, class... Arguments> void set_work(std::size_t units, Arguments &&...arguments) {
    work_.emplace<Work>(std::forward<Arguments>(arguments)...);
    units_ = units;
  }
  void depend_on(event &) override;
  void depend_on(std::span<const dpep::event>);
  void release_to_run() noexcept { unblock(); }  // starts the task as soon as all dependencies are complete

  /// Replaces that sequence for work that the submitting thread has executed.
  void complete_at_once(std::uint64_t start, std::uint64_t end) noexcept;

  backend_kind kind() const noexcept override { return backend_kind::native_cpu; }
  bool wait_until(deadline) noexcept override;
  error_slot *errors() const noexcept override { return core_->errors.get(); }

  std::pair<std::string, double> progress() const override;
  void stop_kernels() noexcept;
  void stop_copy() noexcept;

  static void *operator new(std::size_t) { return recycler<task>::allocate(); }
  static void operator delete(void *block) noexcept { recycler<task>::deallocate(block); }

private:
  task(ref<queue_core> core, std::uint64_t submit_time)
      : pending_task({.profiled = core->options.profiling, .submit_time = submit_time}), core_(std::move(core)) {}

  void start() noexcept override;
  void end_host_task() noexcept override;
  bool claim() noexcept;

  bool needs_fibers() const noexcept;
  bool is_short() const noexcept;
  void run_claimed(bool single_threaded) noexcept;  // not for host tasks
  bool has_short_chunks() const noexcept;
  void join() noexcept;
  void run_chunks() noexcept;
  void run_fibers() noexcept;
  void leave() noexcept;
  void complete() noexcept;
  cost_estimate &cost() const noexcept;
  std::size_t chunk_size(std::size_t remaining) const noexcept;
  std::exception_ptr run_units(std::size_t begin, std::size_t end) const noexcept;

  void post() noexcept;
  static void run_compute_job(void *) noexcept;
  static void run_ready_here() noexcept;

  const ref<queue_core> core_;
  work work_;  // lives as long as the task: a late participant may still read it
  std::size_t units_ = 0;
  std::atomic<std::size_t> next_{0}, done_{0};  // number of units started, completed
  std::atomic<bool> failed_{false};
  std::atomic<std::uint32_t> participants_{0}, max_participants_{0};
};

}  // namespace dpep::backend::cpu
