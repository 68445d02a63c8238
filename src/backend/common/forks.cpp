// A gate that work of ours goes through, and that is closed for a fork. Without it the child would inherit
// compilations, and commands, that nobody finishes, and locks that nobody gives back.
#include "backend/common/forks.hpp"

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

// Compilations take seconds at most. After this something waits for what the forking thread has, and a child that may
// hang is better than a parent that surely does.
constexpr auto longest_wait = 60s;

constinit std::atomic<std::uint32_t> inside{0};  // threads that hold it
constinit std::atomic<bool> closed{false};
constinit std::mutex forking;  // one fork after the other

thread_local constinit std::uint32_t depth = 0;
thread_local constinit bool always_admitted = false, closed_here = false;

void open() noexcept {
  closed_here = false;
  closed.store(false);
  closed.notify_all();
}
void before() { forks::close(); }
void after_in_parent() {
  open();
  forking.unlock();
}
void after_in_child() {
  inside.store(depth ? 1 : 0);
  open();
  new (&forking) std::mutex;  // others may have waited for it
}

// When the library is loaded, so that these are the last before a fork and the first after it.
[[maybe_unused]] const int registered = pthread_atfork(before, after_in_parent, after_in_child);

}  // namespace

no_fork_meanwhile::no_fork_meanwhile() noexcept {
  if (depth++) return;
  for (;;) {
    inside.fetch_add(1);  // before the look at the gate, as the gate is closed before the look at this
    if (!closed.load() || always_admitted || closed_here) [[likely]]
      return;
    inside.fetch_sub(1);
    closed.wait(true);
  }
}
no_fork_meanwhile::~no_fork_meanwhile() {
  if (--depth == 0) inside.fetch_sub(1);
}

namespace forks {

void always_admit_this_thread() noexcept { always_admitted = true; }

void close() noexcept {
  if (closed_here) return;
  forking.lock();
  closed_here = true;
  closed.store(true);
  const std::uint32_t mine = depth ? 1 : 0;
  const auto until = std::chrono::steady_clock::now() + longest_wait;
  while (inside.load() > mine && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(50us);
}

}  // namespace forks
}  // namespace dpep::backend
