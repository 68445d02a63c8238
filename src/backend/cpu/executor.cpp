// The executor, based on oneTBB; the only file that includes it. Compiled without ThreadSanitizer, which does not see
// the synchronisation inside libtbb; tasks order their hand-over with their own atomics.
#include "backend/cpu/executor.hpp"

#include <mutex>
#include <optional>

#include <pthread.h>
#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include "backend/cpu/helpers.hpp"
#include "backend/cpu/host_threads.hpp"
#include "backend/cpu/process_state.hpp"

namespace dpep::backend::cpu {
namespace {

/// Pins threads to CPUs while they are in the arena.
class pinning final : public tbb::task_scheduler_observer {
public:
  pinning(tbb::task_arena &arena, const std::vector<unsigned> &cpus) : tbb::task_scheduler_observer(arena) {
    CPU_ZERO(&cpus_);
    for (unsigned cpu : cpus) CPU_SET(cpu, &cpus_);
    observe(true);
  }
  void on_scheduler_entry(bool) override {
    pthread_getaffinity_np(pthread_self(), sizeof before_, &before_);
    pthread_setaffinity_np(pthread_self(), sizeof cpus_, &cpus_);
  }
  void on_scheduler_exit(bool) override { pthread_setaffinity_np(pthread_self(), sizeof before_, &before_); }

private:
  cpu_set_t cpus_;
  static thread_local cpu_set_t before_;
};
thread_local cpu_set_t pinning::before_;

// oneTBB's default is 4 MiB, which OpenBLAS exceeds where it factorises a matrix with several threads: its functions
// have tables for 64 threads on the stack. Untouched pages of a stack take no memory.
constexpr std::size_t stack_bytes = std::size_t{16} << 20;

/// Raises oneTBB's limit on workers, and the size of their stacks. By default it starts one fewer than there are CPUs,
/// because it expects the submitting thread to work, too; here that thread may do something else.
void ensure_worker_count(unsigned count) {
  static std::mutex mutex;
  static unsigned most = 0;
  std::lock_guard lock(mutex);
  if (count <= most) return;
  most = count;
  // never destroyed: the limit must hold until the process ends
  static auto *&control = *new tbb::global_control *(nullptr);
  static auto &stacks = *new tbb::global_control(tbb::global_control::thread_stack_size, stack_bytes);
  static_cast<void>(stacks);
  delete std::exchange(control, new tbb::global_control(tbb::global_control::max_allowed_parallelism, count + 1));
}

}  // namespace

class executor::arena {
public:
  explicit arena(const executor &owner) : arena_(static_cast<int>(owner.concurrency_), 0), all_(*owner.helpers_) {
    ensure_worker_count(owner.concurrency_);
    arena_.initialize();
    if (!owner.cpus_.empty()) pinning_.emplace(arena_, owner.cpus_);
  }
  void post(job work) {
    all_.job_waits();
    arena_.enqueue([work, &all = all_] {
      all.job_begins();
      work.run(work.argument);
    });
  }

private:
  tbb::task_arena arena_;
  std::optional<pinning> pinning_;
  helpers &all_;
};

executor::executor(unsigned concurrency, std::vector<unsigned> cpus)
    : concurrency_(concurrency),
      cpus_(std::move(cpus)),
      helpers_(std::make_shared<helpers>(concurrency, [this](job work) noexcept { post_to_arena(work); })) {}

executor::~executor() {
  if (process::forked()) return;
  helpers_->close();
  std::unique_lock lock(mutex_);
  started_.wait(lock, [this] { return !is_starting_; });
  delete arena_.load(std::memory_order_relaxed);
}

bool executor::post_when_started(job work) {
  {
    std::lock_guard lock(mutex_);
    if (arena_.load(std::memory_order_relaxed)) return false;
    waiting_.push_back(work);
    if (std::exchange(is_starting_, true)) return true;
  }
  process::task_started();  // forks and exits wait for the start
  host_threads::post({[](void *self) noexcept { static_cast<executor *>(self)->start_arena(); }, this});
  return true;
}

void executor::start_arena() noexcept {
  arena *made = nullptr;
  try {
    made = new arena(*this);
  } catch (...) {  // no memory or no thread: the host threads may still work
  }
  std::unique_lock lock(mutex_);
  arena_.store(made, std::memory_order_release);
  while (!waiting_.empty()) {  // without an arena, jobs may post others meanwhile
    const std::vector<job> jobs = std::exchange(waiting_, {});
    lock.unlock();
    for (const job &each : jobs) made ? post_to_arena(each) : host_threads::post(each);
    lock.lock();
  }
  is_starting_ = false;
  started_.notify_all();
  lock.unlock();
  process::task_ended();
}

void executor::post(job work) noexcept {
  if (process::forked() || !helpers_->take(work)) post_to_arena(work);
}

void executor::post_to_arena(job work) noexcept {
  if (!process::forked()) {
    try {
      arena *const ready = arena_.load(std::memory_order_acquire);
      if (!ready && post_when_started(work)) return;
      return arena_.load(std::memory_order_acquire)->post(work);
    } catch (...) {  // no memory or no thread: the host threads may still work
    }
  }
  // in a forked child oneTBB has no workers and does not start new ones
  host_threads::post(work);
}

}  // namespace dpep::backend::cpu
