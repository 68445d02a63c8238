// Polling: the driver's own call-backs would hold up the stream that they are in, and may not call the driver.
#include "backend/cuda/watcher.hpp"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <thread>

#include <pthread.h>

namespace dpep::backend::cuda {
namespace {

using namespace std::chrono_literals;

struct state {
  std::mutex mutex;
  std::condition_variable wanted, idle, hurry;
  std::vector<ref<task>> fresh[2];  // by urgency
  bool started = false, busy = false;
};

bool any_fresh(const state &s) { return !s.fresh[0].empty() || !s.fresh[1].empty(); }

// Never destroyed: the thread may run until the end.
state &the_state() {
  static state &s = *new state;
  return s;
}

// What is watched, by streams, where tasks become complete in order: when the last one is, all are. Asking takes the
// driver's lock, which who submits work wants, too.
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
    for (auto stream = streams_.begin(); stream != streams_.end();) {
      std::deque<ref<task>> &tasks = stream->second;
      for (std::size_t ahead = tasks.size(); ahead > 0; ahead /= 2) {  // all, or half of them, or a quarter, …
        const ref<task> last = tasks[ahead - 1];
        if (!last->poll()) continue;
        for (std::size_t i = 0; i < ahead; ++i)
          if (!tasks[i]->poll_before(*last)) (void)tasks[i]->poll();
        std::erase_if(tasks, [](const ref<task> &t) { return t->status_known_complete(); });
        moved = true;
        break;
      }
      stream = tasks.empty() ? streams_.erase(stream) : std::next(stream);
    }
    return moved;
  }

private:
  std::vector<ref<task>> waiting_;
  std::map<stream_handle, std::deque<ref<task>>> streams_;
};

constexpr std::chrono::microseconds soon = 5us, seldom = 200us, at_leisure = 500us;

void run(state &s) noexcept {
  pthread_setname_np(pthread_self(), "dpep cuda");
  watched_tasks watched[2];
  watched_tasks &urgent = watched[static_cast<int>(urgency::call)];
  std::chrono::microseconds pause = soon;
  std::unique_lock lock(s.mutex);
  for (;;) {
    if (watched[0].empty() && watched[1].empty() && !any_fresh(s)) {
      s.busy = false;
      s.idle.notify_all();
      s.wanted.wait(lock, [&] { return any_fresh(s); });
      s.busy = true;
    }
    if (!s.fresh[static_cast<int>(urgency::call)].empty()) pause = soon;
    for (int i = 0; i < 2; ++i) {
      for (auto &t : s.fresh[i]) watched[i].add(std::move(t));
      s.fresh[i].clear();
    }
    lock.unlock();
    const bool moved = urgent.poll();
    pause = urgent.empty() ? at_leisure : moved ? soon : std::min(pause * 2, seldom);
    watched[static_cast<int>(urgency::release)].poll();
    lock.lock();
    if (!watched[0].empty() || !watched[1].empty())
      s.hurry.wait_for(lock, pause, [&] { return !s.fresh[static_cast<int>(urgency::call)].empty(); });
  }
}

// What is watched has consequences in the program (host tasks, memory to give back): they come before its end.
void finish_at_exit() {
  state &s = the_state();
  std::unique_lock lock(s.mutex);
  s.idle.wait_for(lock, 10s, [&] { return !s.busy && !any_fresh(s); });
}

}  // namespace

void watch(ref<task> t, urgency how) noexcept {
  state &s = the_state();
  const std::lock_guard lock(s.mutex);
  s.fresh[static_cast<int>(how)].push_back(std::move(t));
  if (!s.started) {
    s.started = true;
    std::thread([&s] { run(s); }).detach();
    std::atexit(finish_at_exit);
  }
  if (how == urgency::call) s.hurry.notify_one();
  if (!std::exchange(s.busy, true)) s.wanted.notify_one();  // else it looks by itself
}

}  // namespace dpep::backend::cuda
