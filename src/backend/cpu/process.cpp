// Waits for running tasks before a fork (the child has no threads to finish them) and before exit (they may use
// what static destructors take away).
#include "backend/cpu/process.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include <pthread.h>

#include "backend/cpu/host_threads.hpp"
#include "backend/cpu/interrupts.hpp"
#include "backend/common/forks.hpp"

namespace dpep::backend::cpu::process {
namespace {

constinit std::atomic<std::uint32_t> active{0};
constinit std::atomic<std::uint32_t> draining{0};  // threads that wait for active == 0
constinit std::atomic<bool> is_forked{false};
thread_local constinit bool runtime_thread = false;

void drain() noexcept {
  if (runtime_thread) return;  // a host task that forks or exits would wait for itself
  draining.fetch_add(1);
  for (std::uint32_t n; (n = active.load()) != 0;) active.wait(n);
  draining.fetch_sub(1);
}

void before_fork() {
  forks::close();  // first: what is finished may not be followed by more
  drain();
  host_threads::lock();
  interrupts::lock();
}
void after_fork_in_parent() {
  interrupts::unlock();
  host_threads::unlock();
}
void after_fork_in_child() {
  interrupts::forget();
  host_threads::forget();
  active.store(0);  // what a forking host task left behind is the parent's
  is_forked.store(true, std::memory_order_relaxed);
}

}  // namespace

void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    // registered before the first task, so it runs after the destructors of what tasks were first used by
    std::atexit([] {
      interrupts::begin_exit();
      drain();
    });
  });
}

bool forked() noexcept { return is_forked.load(std::memory_order_relaxed); }

void task_started() noexcept { active.fetch_add(1, std::memory_order_relaxed); }

void task_ended() noexcept {
  active.fetch_sub(1);
  if (draining.load()) active.notify_all();
}

void set_runtime_thread() noexcept {
  runtime_thread = true;
  forks::always_admit_this_thread();
}

}  // namespace dpep::backend::cpu::process
