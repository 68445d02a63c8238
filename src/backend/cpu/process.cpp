// Waits for running tasks before a fork, because the child has no threads to finish them, and before exit, because they
// may use objects that static destructors destroy.
#include "backend/cpu/process.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include <pthread.h>

#include "backend/common/fork_guard.hpp"
#include "backend/cpu/host_threads.hpp"
#include "backend/cpu/interrupts.hpp"

namespace dpep::backend::cpu::process {
namespace {

constinit std::atomic<std::uint32_t> active{0};
constinit std::atomic<std::uint32_t> draining{0};  // threads that wait for active == 0
constinit std::atomic<bool> is_forked{false};
thread_local constinit bool runtime_thread = false;

void drain() noexcept {
  if (runtime_thread) return;  // a host task that forks or exits must not wait for itself
  draining.fetch_add(1);
  for (std::uint32_t n; (n = active.load()) != 0;) active.wait(n);
  draining.fetch_sub(1);
}

void before_fork() {
  fork_guard::block_new();  // first: no thread may submit further tasks
  drain();
  host_threads::lock();
  interrupts::lock();
}
void after_fork_in_parent() {
  interrupts::unlock();
  host_threads::unlock();
}
void after_fork_in_child() {
  interrupts::reset();
  host_threads::reset();
  active.store(0);  // the parent runs the remaining tasks
  is_forked.store(true, std::memory_order_relaxed);
}

}  // namespace

void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    fork_guard::set_wait(drain);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    // registered before the first task, so it runs after destructors of static objects that were created later
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
  fork_guard::exempt_this_thread();
}

}  // namespace dpep::backend::cpu::process
