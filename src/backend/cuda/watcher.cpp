// Polling: the driver's own call-backs would hold up the stream that they are in, and may not call the driver.
#include "backend/cuda/watcher.hpp"

#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include <pthread.h>

namespace dpep::backend::cuda {
namespace {

using namespace std::chrono_literals;

struct state {
  std::mutex mutex;
  std::condition_variable wanted, idle;
  std::vector<ref<task>> fresh;
  std::vector<ref<queue_core>> fresh_keepers;
  bool started = false, busy = false;

  bool any() const noexcept { return !fresh.empty() || !fresh_keepers.empty(); }
};

// Never destroyed: the thread may run until the end.
state &the_state() {
  static state &s = *new state;
  return s;
}

// Asking takes the driver's lock, which who submits work wants, too.
constexpr std::chrono::microseconds soon = 5us, seldom = 200us, at_leisure = 500us;

void run(state &s) noexcept {
  pthread_setname_np(pthread_self(), "dpep cuda");
  std::vector<ref<task>> watched;
  std::vector<ref<queue_core>> keepers;
  auto pause = soon;
  std::unique_lock lock(s.mutex);
  for (;;) {
    if (watched.empty() && keepers.empty() && !s.any()) {
      s.busy = false;
      s.idle.notify_all();
      s.wanted.wait(lock, [&] { return s.any(); });
      s.busy = true;
      // what is kept is not urgent, and a loop of short launches would wake this thread with each of them
      if (s.fresh.empty()) s.wanted.wait_for(lock, at_leisure, [&] { return !s.fresh.empty(); });
    }
    if (!s.fresh.empty()) pause = soon;
    for (auto &t : s.fresh) watched.push_back(std::move(t));
    for (auto &k : s.fresh_keepers) keepers.push_back(std::move(k));
    s.fresh.clear();
    s.fresh_keepers.clear();
    lock.unlock();
    const std::size_t before = watched.size();
    std::erase_if(watched, [](const ref<task> &t) { return t->poll(); });
    pause = watched.empty() ? at_leisure : watched.size() < before ? soon : std::min(pause * 2, seldom);
    std::erase_if(keepers, [](const ref<queue_core> &k) { return !k->look_after_kept(); });
    lock.lock();
    if (!watched.empty() || !keepers.empty()) s.wanted.wait_for(lock, pause, [&] { return !s.fresh.empty(); });
  }
}

// What is watched has consequences in the program (host tasks, memory to give back): they come before its end.
void finish_at_exit() {
  state &s = the_state();
  std::unique_lock lock(s.mutex);
  s.idle.wait_for(lock, 10s, [&] { return !s.busy && !s.any(); });
}

bool finishes = false;  // once in a process

/// Begins, or goes on, with what was added. Under the lock.
void wake(state &s, bool at_once) noexcept {
  if (!s.started) {
    s.started = true;
    std::thread([&s] { run(s); }).detach();
    if (!std::exchange(finishes, true)) std::atexit(finish_at_exit);
  }
  if (!std::exchange(s.busy, true) || at_once) s.wanted.notify_one();
}

}  // namespace

void watch(ref<task> t) noexcept {
  state &s = the_state();
  const std::lock_guard lock(s.mutex);
  s.fresh.push_back(std::move(t));
  wake(s, true);
}

void forget_watched() noexcept { new (&the_state()) state; }  // nothing of the old one is touched: it may be locked

void watch_kept(ref<queue_core> core) noexcept {
  state &s = the_state();
  const std::lock_guard lock(s.mutex);
  s.fresh_keepers.push_back(std::move(core));
  wake(s, false);
}

}  // namespace dpep::backend::cuda
