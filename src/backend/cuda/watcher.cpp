// Polling: the driver's own call-backs would hold up the stream that they are in, and may not call the driver.
#include "backend/cuda/watcher.hpp"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <thread>

#include <pthread.h>

namespace dpep::backend::cuda {
namespace {

using namespace std::chrono_literals;

struct state {
  std::mutex mutex;
  std::condition_variable wanted, idle;
  std::vector<ref<task>> fresh;
  bool urgent = false;  // one of them
  bool started = false, busy = false;
};

// Never destroyed: the thread may run until the end.
state &the_state() {
  static state &s = *new state;
  return s;
}

// What is watched, by streams: those become complete in order, so that only the first of each has to be asked. Asking
// takes the driver's lock, which who submits work wants, too.
class watched_tasks {
public:
  void add(ref<task> t) { waiting_.push_back(std::move(t)); }
  bool empty() const noexcept { return waiting_.empty() && streams_.empty(); }
  /// Whether any is complete now, or in a stream.
  bool poll() {
    bool moved = false;
    std::erase_if(waiting_, [&](ref<task> &t) {  // for their turn
      if (!t->is_placed()) return false;
      streams_[t->stream()].push_back(std::move(t));
      return moved = true;
    });
    std::erase_if(streams_, [&](auto &stream) {
      std::deque<ref<task>> &tasks = stream.second;
      for (; !tasks.empty() && tasks.front()->poll(); moved = true) tasks.pop_front();
      return tasks.empty();
    });
    return moved;
  }

private:
  std::vector<ref<task>> waiting_;
  std::map<stream_handle, std::deque<ref<task>>> streams_;
};

constexpr auto soon = 5us, at_leisure = 50us, longest = 200us;

void run(state &s) noexcept {
  pthread_setname_np(pthread_self(), "dpep cuda");
  watched_tasks watched;
  bool urgent = false;
  std::chrono::microseconds pause = soon;
  std::unique_lock lock(s.mutex);
  for (;;) {
    if (watched.empty() && s.fresh.empty()) {
      s.busy = urgent = false;
      s.idle.notify_all();
      s.wanted.wait(lock, [&] { return !s.fresh.empty(); });
      s.busy = true;
    }
    urgent |= std::exchange(s.urgent, false);
    if (!s.fresh.empty()) pause = urgent ? soon : at_leisure;
    for (auto &t : s.fresh) watched.add(std::move(t));
    s.fresh.clear();
    lock.unlock();
    pause = watched.poll() ? urgent ? soon : at_leisure : std::min<std::chrono::microseconds>(pause * 2, longest);
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

void watch(ref<task> t, urgency how) noexcept {
  state &s = the_state();
  const std::lock_guard lock(s.mutex);
  s.fresh.push_back(std::move(t));
  s.urgent |= how == urgency::call;
  if (!s.started) {
    s.started = true;
    std::thread([&s] { run(s); }).detach();
    std::atexit(finish_at_exit);
  }
  if (!std::exchange(s.busy, true)) s.wanted.notify_one();  // else it looks by itself
}

}  // namespace dpep::backend::cuda
