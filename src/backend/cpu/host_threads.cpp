// The elastic pool: a few threads at once, and one more whenever nothing has moved for some milliseconds.
#include "backend/cpu/host_threads.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <pthread.h>

#include "backend/cpu/process.hpp"

namespace dpep::backend::cpu::host_threads {
namespace {

using namespace std::chrono_literals;

constexpr auto stall = 2ms;     // no job begun for so long: the threads are blocked, another is needed
constexpr auto idle_life = 2s;  // a thread with nothing to do ends after this
constexpr unsigned most_threads = 2048;

struct pool {
  std::mutex mutex;
  std::condition_variable work, stalled;
  std::deque<job> jobs;
  unsigned threads = 0, idle = 0;
  std::uint64_t begun = 0;
  bool watched = false;  // the watcher runs: it starts threads when the others are stuck
};

// Never destroyed, and new in a forked child, where the threads (and maybe waiters in the condition variables) are
// gone.
pool *&current() {
  static pool *it = new pool;
  return it;
}

unsigned base_threads() { return std::max(2u, std::thread::hardware_concurrency()); }

void worker(pool &mine) {
  pthread_setname_np(pthread_self(), "dpep host");
  process::set_runtime_thread();
  std::unique_lock lock(mine.mutex);
  for (;;) {
    while (mine.jobs.empty()) {
      ++mine.idle;
      const bool woken = mine.work.wait_for(lock, idle_life, [&] { return !mine.jobs.empty(); });
      --mine.idle;
      if (!woken) {
        --mine.threads;
        return;
      }
    }
    const job next = mine.jobs.front();
    mine.jobs.pop_front();
    ++mine.begun;
    lock.unlock();
    next.run(next.argument);
    lock.lock();
  }
}

/// False when the system gives no more threads.
bool start_worker(pool &mine) {
  if (mine.threads >= most_threads) return false;
  try {
    std::thread([&mine] { worker(mine); }).detach();
  } catch (...) {
    return false;
  }
  ++mine.threads;
  return true;
}

void watcher(pool &mine) {
  pthread_setname_np(pthread_self(), "dpep watch");
  std::unique_lock lock(mine.mutex);
  for (;;) {
    if (!mine.stalled.wait_for(lock, idle_life, [&] { return !mine.jobs.empty(); })) {
      mine.watched = false;
      return;
    }
    const std::uint64_t before = mine.begun;
    lock.unlock();
    std::this_thread::sleep_for(stall);
    lock.lock();
    if (!mine.jobs.empty() && mine.begun == before && !mine.idle) start_worker(mine);
  }
}

void post_to_pool(job work) noexcept {
  pool &mine = *current();
  std::unique_lock lock(mine.mutex);
  mine.jobs.push_back(work);
  if (mine.jobs.size() <= mine.idle) {
    lock.unlock();
    mine.work.notify_one();
    return;
  }
  if (mine.threads < base_threads() && start_worker(mine)) return;
  if (mine.threads == 0) {
    // No thread can be had at all. Better here than never.
    mine.jobs.pop_back();
    lock.unlock();
    return work.run(work.argument);
  }
  if (!mine.watched) {
    try {
      std::thread([&mine] { watcher(mine); }).detach();
      mine.watched = true;
    } catch (...) {  // the threads that there are will get to it
    }
  } else {
    mine.stalled.notify_one();
  }
  lock.unlock();
  mine.work.notify_one();
}

}  // namespace

void lock() { current()->mutex.lock(); }
void unlock() { current()->mutex.unlock(); }
void forget() { current() = new pool; }

}  // namespace dpep::backend::cpu::host_threads

void dpep::backend::host_threads::post(job work) noexcept { cpu::host_threads::post_to_pool(work); }
