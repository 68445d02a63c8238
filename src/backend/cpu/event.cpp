// The execution of a task by threads that share its units; and waiting, where the thread helps to run tasks.
#include "backend/cpu/event.hpp"

#include <algorithm>
#include <vector>

#include "backend/common/clock.hpp"
#include "backend/common/host_threads.hpp"
#include "backend/cpu/fiber_scheduler.hpp"
#include "backend/cpu/process_state.hpp"

namespace dpep::backend::cpu {
namespace {

// Bounds for the duration of a chunk of a task's units, in nanoseconds: long enough that taking one costs little, short
// enough that threads finish at about the same time.
constexpr float shortest_chunk = 20'000, longest_chunk = 1'000'000;

// A thread with a deadline takes part in a task only if its units are shorter than this, in nanoseconds.
constexpr float longest_unit = 10'000'000;

/// Whether and until when the calling thread runs tasks that become ready on it.
struct thread_role {
  bool may_run = false;            // a runtime thread or a waiting one: runs short ready tasks itself
  bool running = false;            // run_ready_here is on the stack
  task_list ready;                 // tasks to run here
  std::uint64_t deadline = never;  // of the wait that made this thread run tasks

  bool is_late() const noexcept { return deadline != never && now() >= deadline; }
};
thread_local constinit thread_role role;

class scoped_may_run {
public:
  explicit scoped_may_run(std::uint64_t deadline = never) noexcept
      : before_(std::exchange(role.may_run, true)), deadline_before_(std::exchange(role.deadline, deadline)) {}
  ~scoped_may_run() {
    role.may_run = before_;
    role.deadline = deadline_before_;
  }

private:
  const bool before_;
  const std::uint64_t deadline_before_;
};

// Orders the submitting thread's writes to a task before the executing thread's reads. oneTBB does that too, but
// ThreadSanitizer does not see it.
constinit std::atomic<std::uint32_t> handover_fence{0};

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Dependencies

void task::depend_on(event &e) {
  auto *const native = dynamic_cast<task *>(&e);
  if (native ? native->is_complete() : e.status() == event_status::complete) return;
  add_dependency(e);
  native ? block_on(*native) : block_on(e);
}

void task::depend_on(std::span<const dpep::event> events) {
  for (const dpep::event &e : events)
    if (e) depend_on(static_cast<event &>(*e.get()));
}

/// Runs the task here, or posts it.
void task::start() noexcept {
  take_dependencies();  // dropped: otherwise an event would keep its whole history alive
  process::task_started();
  const bool here = !is_host_task() && (units_ == 0 || (role.may_run && is_short()));
  set_state(state::ready);
  if (is_host_task()) return post_host_task();
  if (!here) return post();
  role.ready.push(*this);
  if (!role.running) run_ready_here();
}

void task::run_ready_here() noexcept {
  role.running = true;
  while (!role.ready.empty()) {
    const auto next = role.ready.pop<task>();
    if (role.is_late())
      next->post();
    else if (next->claim())
      next->run_claimed(true);
  }
  role.running = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Running

/// Returns true for one thread only, which must run the task.
bool task::claim() noexcept {
  state expected = state::ready;
  if (!state_.compare_exchange_strong(expected, state::running, std::memory_order_acq_rel)) return false;
  if (profiled_) start_.store(now(), std::memory_order_relaxed);
  return true;
}

cost_estimate &task::cost() const noexcept {
  static constinit cost_estimate copying{copy_cost}, filling{fill_cost};
  if (const auto *kernel = std::get_if<kernel_work>(&work_)) return kernel->code().cost;
  return std::holds_alternative<copy_work>(work_) ? copying : filling;
}

bool task::needs_fibers() const noexcept {
  const auto *kernel = std::get_if<kernel_work>(&work_);
  return kernel && kernel->code().needs.concurrent_items > 0;
}

bool task::is_short() const noexcept {
  const float each = cost().per_unit();
  return each > 0 && each * static_cast<float>(units_) < short_work(core_->threads->concurrency());
}

std::size_t task::chunk_size(std::size_t remaining) const noexcept {
  const auto threads = static_cast<float>(max_participants_.load(std::memory_order_relaxed));
  const float each = cost().per_unit();
  std::size_t size;
  if (threads == 1 && each * static_cast<float>(remaining) < longest_chunk) {
    size = each > 0 ? remaining : std::min<std::size_t>(remaining, 1024);
  } else if (each > 0) {
    const float time = each * static_cast<float>(remaining) / (2 * threads);
    size = static_cast<std::size_t>(std::clamp(time, shortest_chunk, longest_chunk) / each);
  } else {
    size = std::min<std::size_t>(remaining / static_cast<std::size_t>(32 * threads), 1024);
  }
  // Whole vectors and cache lines where units are small or many: a chunk of less than a vector would run scalar code,
  // whose measured cost would lead to even smaller chunks.
  const auto *kernel = std::get_if<kernel_work>(&work_);
  const bool many = kernel && !kernel->code().needs.grouped && role.deadline == never;
  for (const std::size_t whole : {std::size_t{64}, std::size_t{16}})
    if (size >= 64 || (many && static_cast<float>(remaining) >= 2 * threads * static_cast<float>(whole))) {
      size = (std::max<std::size_t>(size, 1) + whole - 1) & ~(whole - 1);
      break;
    }
  return std::clamp<std::size_t>(size, 1, remaining);
}

std::exception_ptr task::run_units(std::size_t begin, std::size_t end) const noexcept {
  if (const auto *kernel = std::get_if<kernel_work>(&work_)) return kernel->view(failed_).run(begin, end);
  if (const auto *copy = std::get_if<copy_work>(&work_)) return copy->run(begin, end);
  return std::get<fill_work>(work_).run(begin, end);
}

void task::run_claimed(bool single_threaded) noexcept {
  if (units_ == 0) return complete();
  std::uint32_t threads = 1;
  if (!single_threaded && units_ > 1) {
    const float each = cost().per_unit();
    const float useful = each > 0 ? each * static_cast<float>(units_) / shortest_chunk : 1e9f;
    threads =
        std::clamp<std::uint32_t>(static_cast<std::uint32_t>(std::min({useful, static_cast<float>(units_), 1e6f})), 1,
                                  core_->threads->concurrency());
  }
  participants_.fetch_add(1, std::memory_order_relaxed);
  max_participants_.store(threads, std::memory_order_release);
  for (std::uint32_t i = 1; i < threads; ++i) post();
  run_chunks();
}

/// Whether the calling thread may take part: one with a deadline only if the units are known to be short. A kernel that
/// was never measured may take any time.
bool task::has_short_chunks() const noexcept {
  if (needs_fibers()) return false;
  if (role.deadline == never) return true;
  const float each = cost().per_unit();
  return each > 0 && each < longest_unit;
}

/// Takes part in a task that another thread has started, unless it has enough participants.
void task::join() noexcept {
  const std::uint32_t most = max_participants_.load(std::memory_order_acquire);
  if (next_.load(std::memory_order_relaxed) >= units_) return;
  // Never exceeds the limit, not even temporarily: otherwise a thread that replaces a leaving participant could be
  // refused meanwhile.
  std::uint32_t count = participants_.load(std::memory_order_relaxed);
  while (count < most)
    if (participants_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return run_chunks();
}

/// Leaves the task before its units are done, and posts it again for another thread.
void task::leave() noexcept {
  participants_.fetch_sub(1, std::memory_order_relaxed);
  if (next_.load(std::memory_order_relaxed) < units_) post();
}

void task::run_chunks() noexcept {
  if (needs_fibers()) return run_fibers();
  std::size_t begin = next_.load(std::memory_order_relaxed);
  while (begin < units_) {
    const bool skip = failed_.load(std::memory_order_relaxed) || interrupts::dropping();
    const std::size_t size = skip ? units_ - begin : chunk_size(units_ - begin);
    if (!next_.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed)) continue;
    if (!skip) {
      const std::uint64_t start = now();
      if (const std::exception_ptr error = run_units(begin, begin + size)) {
        if (!failed_.exchange(true, std::memory_order_relaxed) && is_reportable(error)) core_->errors->report(error);
      } else {
        cost().learn(size, now() - start);
      }
    }
    if (done_.fetch_add(size, std::memory_order_acq_rel) + size == units_) return complete();
    if (role.is_late()) return leave();
    begin = next_.load(std::memory_order_relaxed);
  }
  participants_.fetch_sub(1, std::memory_order_relaxed);
}

/// Runs units whose work-items wait for each other: the thread starts more units whenever its work-items all wait.
void task::run_fibers() noexcept {
  std::size_t finished = 0;
  const kernel_view kernel = std::get<kernel_work>(work_).view(failed_);
  if (const std::exception_ptr error = run_on_fibers(kernel, {next_, units_, failed_}, finished))
    if (!failed_.exchange(true, std::memory_order_relaxed) && is_reportable(error)) core_->errors->report(error);
  if (failed_.load(std::memory_order_relaxed))
    if (const std::size_t begun = next_.exchange(units_, std::memory_order_relaxed); begun < units_)
      finished += units_ - begun;  // units that no thread has started are skipped
  if (finished && done_.fetch_add(finished, std::memory_order_acq_rel) + finished == units_) return complete();
  participants_.fetch_sub(1, std::memory_order_relaxed);
}

void task::end_host_task() noexcept {
  const scoped_may_run may_run;
  complete();
}

void task::complete() noexcept {
  release_owners();
  if (profiled_) end_.store(now(), std::memory_order_relaxed);
  std::unique_lock queue_lock(core_->mutex_);  // held with the task's, so that queue and event agree
  core_->unlink(*this);
  fork_safe_lock held = lock();
  const followers released = reach(state::complete);
  held.unlock();
  queue_lock.unlock();

  const bool outermost = !std::exchange(role.running, true);  // all successors become ready before one runs here
  notify(released);
  process::task_ended();
  release();  // the reference of the queue's pending list
  if (outermost) run_ready_here();
}

/// Posts the task to the executor's threads. Fibers that wait for each other are posted to host threads: they may wait
/// for another launch, which must not need the same executor threads.
void task::post() noexcept {
  retain();
  if (needs_fibers()) return host_threads::post({run_compute_job, this});
  handover_fence.fetch_add(1, std::memory_order_release);
  core_->threads->post({run_compute_job, this});
}

void task::run_compute_job(void *self) noexcept {
  (void)handover_fence.load(std::memory_order_acquire);
  process::set_runtime_thread();
  const auto t = ref<task>::adopt(static_cast<task *>(self));
  const scoped_may_run may_run;
  if (t->claim())
    t->run_claimed(false);
  else
    t->join();
}

// ---------------------------------------------------------------------------------------------------------------------
// The event interface

/// Descends the dependencies to a task that can run or is running, and takes part in it.
bool task::wait_until(deadline latest) noexcept {
  if (is_complete()) return true;
  const scoped_may_run may_run(nanoseconds_of(latest));
  struct step {
    ref<event> awaited;
    std::size_t next_dependency = 0;  // those before it are complete
  };
  std::vector<step> path;
  path.push_back({ref<event>::share(this)});
  while (!path.empty()) {
    auto &[awaited, next_dependency] = path.back();
    if (awaited->status() == event_status::complete) {
      path.pop_back();
      continue;
    }
    if (role.is_late()) return false;
    auto *t = dynamic_cast<task *>(awaited.get());
    if (!t) {
      awaited->wait_until(latest);
      continue;
    }
    const state seen = t->load_state();
    if (seen == state::complete) continue;
    if (seen == state::blocked) {
      if (ref<event> e = t->dependency(next_dependency)) {
        ++next_dependency;
        path.push_back({std::move(e)});
        continue;
      }
    } else if (!t->is_host_task() && t->has_short_chunks()) {
      if (seen == state::ready) {
        if (t->claim()) t->run_claimed(false);
        continue;
      }
      t->join();
    }
    t->waiters_.wait(t->state_, seen, role.deadline);
  }
  return true;
}

std::pair<std::string, double> task::progress() const {
  const double part = units_ ? double(done_.load(std::memory_order_relaxed)) / double(units_) : 0;
  if (const auto *kernel = std::get_if<kernel_work>(&work_)) return {kernel->code().name, part};
  if (is_host_task()) return {"host task", 0};
  return {std::holds_alternative<copy_work>(work_)   ? "copy"
          : std::holds_alternative<fill_work>(work_) ? "fill"
                                                     : "barrier",
          part};
}

void task::stop_copy() noexcept {
  if (std::holds_alternative<copy_work>(work_) || std::holds_alternative<fill_work>(work_)) failed_.store(true);
}

/// Stops the kernels among this task and its incomplete dependencies. Those that have not started skip their work;
/// threads that run one are interrupted.
void task::stop_kernels() noexcept {
  any_pending({ref<event>::share(this)}, [](const ref<event> &e) {
    auto *const t = dynamic_cast<task *>(e.get());
    const auto *const kernel = t ? std::get_if<kernel_work>(&t->work_) : nullptr;
    if (kernel && kernel->code().stoppable)
      // in this order: a thread that starts the task loads `failed_` after it has set the state
      if (t->failed_.store(true); t->state_.load() == state::running) interrupts::interrupt_kernel(e, t->failed_);
    return false;
  });
}

void task::complete_at_once(std::uint64_t start, std::uint64_t end) noexcept {
  start_.store(start, std::memory_order_relaxed);
  end_.store(end, std::memory_order_relaxed);
  release_owners();
  reach(state::complete);
}

}  // namespace dpep::backend::cpu

void dpep::backend::stop_kernels(event &e) noexcept {
  if (auto *const t = dynamic_cast<cpu::task *>(&e)) t->stop_kernels();
}

void dpep::backend::stop_copy(event &e) noexcept {
  if (auto *const t = dynamic_cast<cpu::task *>(&e)) t->stop_copy();
}
