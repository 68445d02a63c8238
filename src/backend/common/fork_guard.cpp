// The fork handler. It waits until no guard is held. Without it the child would inherit compilations and commands that
// no thread finishes, and locks that no thread releases.
#include "backend/common/fork_guard.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>

#include <pthread.h>

namespace dpep::backend {
namespace {

using namespace std::chrono_literals;

// Compilations take seconds at most. If a guard is held longer, its thread waits for something that the forking thread
// has; then a child that may hang is better than a parent that certainly does.
constexpr auto longest_wait = 60s;

constinit std::atomic<std::uint32_t> holders{0};  // threads that hold a guard
constinit std::atomic<bool> fork_pending{false};
constinit std::mutex forking;  // one fork at a time

constinit std::atomic<void (*)()> wait_for_tasks{nullptr};

thread_local constinit std::uint32_t depth = 0;
thread_local constinit bool exempt = false, forking_here = false;

void end_fork() noexcept {
  forking_here = false;
  fork_pending.store(false);
  fork_pending.notify_all();
}
void before_fork() { fork_guard::block_new(); }
void after_fork_in_parent() {
  end_fork();
  forking.unlock();
}
void after_fork_in_child() {
  holders.store(depth ? 1 : 0);
  end_fork();
  new (&forking) std::mutex;  // other threads of the parent may have waited for it
}

// Registered when the library is loaded, so that these handlers run last before a fork and first after it.
[[maybe_unused]] const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

fork_guard::fork_guard() noexcept {
  if (depth++) return;
  for (;;) {
    // Before the load of fork_pending, just as the forking thread stores fork_pending before it loads holders.
    holders.fetch_add(1);
    if (!fork_pending.load() || exempt || forking_here) [[likely]]
      return;
    holders.fetch_sub(1);
    fork_pending.wait(true);
  }
}
fork_guard::~fork_guard() {
  if (--depth == 0) holders.fetch_sub(1);
}

void fork_guard::exempt_this_thread() noexcept { exempt = true; }

void fork_guard::block_new() noexcept {
  if (forking_here) return;
  forking.lock();
  forking_here = true;
  fork_pending.store(true);
  const std::uint32_t own = depth ? 1 : 0;
  const auto until = std::chrono::steady_clock::now() + longest_wait;
  while (holders.load() > own && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(50us);
}

void fork_guard::set_wait(void (*wait)()) noexcept { wait_for_tasks.store(wait); }

void fork_guard::precede_registered_handlers() noexcept {
  pthread_atfork(
      [] {
        block_new();
        if (auto *const wait = wait_for_tasks.load()) wait();
      },
      nullptr, nullptr);
}

}  // namespace dpep::backend
