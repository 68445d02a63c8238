// Polling: the driver's own call-backs would hold up the stream that they are in, and may not call the driver.
#include "backend/cuda/watcher.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include <pthread.h>

namespace dpep::backend::cuda {
namespace {

using namespace std::chrono_literals;

struct state {
  std::mutex mutex;
  std::condition_variable wanted, idle;
  std::vector<ref<task>> fresh;
  bool started = false, busy = false;
};

// Never destroyed: the thread may run until the end.
state &the_state() {
  static state &s = *new state;
  return s;
}

void run(state &s) noexcept {
  pthread_setname_np(pthread_self(), "dpep cuda");
  std::vector<ref<task>> watched;
  auto pause = 5us;
  std::unique_lock lock(s.mutex);
  for (;;) {
    if (watched.empty() && s.fresh.empty()) {
      s.busy = false;
      s.idle.notify_all();
      s.wanted.wait(lock, [&] { return !s.fresh.empty(); });
      s.busy = true;
    }
    if (!s.fresh.empty()) pause = 5us;
    for (auto &t : s.fresh) watched.push_back(std::move(t));
    s.fresh.clear();
    lock.unlock();
    const std::size_t before = watched.size();
    std::erase_if(watched, [](const ref<task> &t) { return t->poll(); });
    pause = watched.size() < before ? 5us : std::min(pause * 2, std::chrono::microseconds(200));
    if (!watched.empty()) std::this_thread::sleep_for(pause);
    lock.lock();
  }
}

// What is watched has consequences in the program (host tasks, memory to give back): they come before its end.
void finish_at_exit() {
  state &s = the_state();
  std::unique_lock lock(s.mutex);
  s.idle.wait_for(lock, 10s, [&] { return !s.busy && s.fresh.empty(); });
}

}  // namespace

void watch(ref<task> t) noexcept {
  state &s = the_state();
  const std::lock_guard lock(s.mutex);
  s.fresh.push_back(std::move(t));
  if (!s.started) {
    s.started = true;
    std::thread([&s] { run(s); }).detach();
    std::atexit(finish_at_exit);
  }
  s.busy = true;
  s.wanted.notify_one();
}

}  // namespace dpep::backend::cuda
