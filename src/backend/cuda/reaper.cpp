// The reaper thread. It polls: the driver's callbacks (cuLaunchHostFunc) would hold up their stream and may not call
// the driver.
#include "backend/cuda/reaper.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <new>
#include <thread>

#include <pthread.h>

namespace dpep::backend::cuda {
namespace {

using namespace std::chrono_literals;

struct state {
  std::mutex mutex;
  std::condition_variable work_added, idle;
  std::vector<ref<stream_task>> new_tasks;
  std::vector<ref<reaped_object>> new_objects;
  bool started = false, busy = false;

  bool has_new() const noexcept { return !new_tasks.empty() || !new_objects.empty(); }
};

// Never destroyed: the thread may run until the process ends.
state &shared_state() {
  static state &s = *new state;
  return s;
}

// Pauses between polls. Each poll takes the driver's lock, which threads that submit work need, too.
constexpr std::chrono::microseconds shortest_pause = 5us, longest_pause = 200us, release_pause = 500us;

void run(state &s) noexcept {
  pthread_setname_np(pthread_self(), "dpep cuda");
  std::vector<ref<stream_task>> tasks;
  std::vector<ref<reaped_object>> objects;
  auto pause = shortest_pause;
  std::unique_lock lock(s.mutex);
  for (;;) {
    if (tasks.empty() && objects.empty() && !s.has_new()) {
      s.busy = false;
      s.idle.notify_all();
      s.work_added.wait(lock, [&] { return s.has_new(); });
      s.busy = true;
      // Releasing owners is not urgent, and a loop of short launches would wake this thread with each of them.
      if (s.new_tasks.empty()) s.work_added.wait_for(lock, release_pause, [&] { return !s.new_tasks.empty(); });
    }
    if (!s.new_tasks.empty()) pause = shortest_pause;
    try {
      tasks.reserve(tasks.size() + s.new_tasks.size());
      objects.reserve(objects.size() + s.new_objects.size());
      for (auto &t : s.new_tasks) tasks.push_back(std::move(t));
      for (auto &o : s.new_objects) objects.push_back(std::move(o));
      s.new_tasks.clear();
      s.new_objects.clear();
    } catch (const std::bad_alloc &) {  // tried again after a pause
      s.work_added.wait_for(lock, longest_pause);
    }
    lock.unlock();
    const std::size_t before = tasks.size();
    std::erase_if(tasks, [](const ref<stream_task> &t) { return t->poll(); });
    pause = tasks.empty() ? release_pause : tasks.size() < before ? shortest_pause : std::min(pause * 2, longest_pause);
    std::erase_if(objects, [](const ref<reaped_object> &o) { return !o->reap(); });
    lock.lock();
    if (!tasks.empty() || !objects.empty()) s.work_added.wait_for(lock, pause, [&] { return !s.new_tasks.empty(); });
  }
}

// Completions have effects in the program (host tasks run, memory is freed), which must happen before it ends.
void finish_at_exit() {
  state &s = shared_state();
  std::unique_lock lock(s.mutex);
  s.idle.wait_for(lock, 10s, [&] { return !s.busy && !s.has_new(); });
}

bool exit_handler_installed = false;  // survives reset_reaper_after_fork: children inherit the handler

/// Starts the thread, or wakes it, after work was added. Requires the lock.
void wake(state &s, bool at_once) noexcept {
  if (!s.started) {
    try {
      std::thread([&s] { run(s); }).detach();
    } catch (...) {  // no thread: started when more work is added; waits poll by themselves
      return;
    }
    s.started = true;
    if (!std::exchange(exit_handler_installed, true)) std::atexit(finish_at_exit);
  }
  if (!std::exchange(s.busy, true) || at_once) s.work_added.notify_one();
}

}  // namespace

void reaper_watch(ref<stream_task> t) noexcept {
  state &s = shared_state();
  {
    const std::lock_guard lock(s.mutex);
    try {
      s.new_tasks.push_back(t);
      return wake(s, true);
    } catch (const std::bad_alloc &) {  // without the lock, which callbacks may need:
    }
  }
  t->wait();
}

void reset_reaper_after_fork() noexcept { new (&shared_state()) state; }  // not destroyed: it may be locked

bool reaper_add(ref<reaped_object> added) noexcept try {
  state &s = shared_state();
  const std::lock_guard lock(s.mutex);
  s.new_objects.push_back(std::move(added));
  wake(s, false);
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

}  // namespace dpep::backend::cuda
