// Counts running tasks.
#include "backend/cpu/process_state.hpp"

#include <atomic>
#include <cstdint>

#include "backend/common/fork_guard.hpp"

namespace dpep::backend::cpu::process {
namespace {

constinit std::atomic<std::uint32_t> active{0};
constinit std::atomic<std::uint32_t> draining{0};  // threads that wait for active == 0
constinit std::atomic<bool> is_forked{false};
thread_local constinit bool runtime_thread = false;

}  // namespace

bool forked() noexcept { return is_forked.load(std::memory_order_relaxed); }

void set_forked() noexcept {
  active.store(0);
  is_forked.store(true, std::memory_order_relaxed);
}

void task_started() noexcept { active.fetch_add(1, std::memory_order_relaxed); }

void task_ended() noexcept {
  active.fetch_sub(1);
  if (draining.load()) active.notify_all();
}

void wait_for_tasks() noexcept {
  if (runtime_thread) return;  // a host task that forks or exits must not wait for itself
  draining.fetch_add(1);
  for (std::uint32_t n; (n = active.load()) != 0;) active.wait(n);
  draining.fetch_sub(1);
}

void set_runtime_thread() noexcept {
  runtime_thread = true;
  fork_guard::exempt_this_thread();
}

}  // namespace dpep::backend::cpu::process
