// An elastic thread pool: a few threads immediately, and another one whenever no job has started for some milliseconds.
#include "backend/cpu/host_threads.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <tuple>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backend/cpu/process_state.hpp"

namespace dpep::backend::cpu::host_threads {
namespace {

using namespace std::chrono_literals;

constexpr auto stall = 2ms;         // if no job starts for this long, all threads are blocked: start another one
constexpr auto idle_lifetime = 2s;  // an idle thread ends after this
constexpr unsigned max_threads = 2048;
// Added to the process's nice value for threads of low priority. Beside a thread of normal priority, on one core, such
// a thread has a tenth of the time.
constexpr int low_priority_nice = 10;

struct pool {
  explicit pool(priority p) : of_threads(p) {}

  const priority of_threads;
  std::mutex mutex;
  std::condition_variable work, work_waiting;
  std::deque<job> jobs;
  unsigned threads = 0, idle = 0;
  std::uint64_t jobs_started = 0;
  bool has_monitor = false;
};

// A pool for each priority: an unprivileged thread that has lowered its priority cannot raise it again.
struct pools {
  pool normal{priority::normal}, low{priority::low};
};

// Never destroyed. Replaced in a forked child, which has none of the threads, and whose condition variables may still
// count waiters.
pools *&current() {
  static pools *instance = new pools;
  return instance;
}

unsigned initial_threads() { return std::max(2u, std::thread::hardware_concurrency()); }

/// Lowers the calling thread's priority to that of threads for jobs of low priority. The new thread has its creator's
/// nice value, which may have been lowered, too; the process's is that of its first thread.
void lower_priority() noexcept {
  const int of_process = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  std::ignore = setpriority(PRIO_PROCESS, 0, of_process + low_priority_nice);  // on Linux, of the calling thread
}

void worker(pool &shared) {
  pthread_setname_np(pthread_self(), "dpep host");
  process::set_runtime_thread();
  if (shared.of_threads == priority::low) lower_priority();
  std::unique_lock lock(shared.mutex);
  for (;;) {
    while (shared.jobs.empty()) {
      ++shared.idle;
      const bool woken = shared.work.wait_for(lock, idle_lifetime, [&] { return !shared.jobs.empty(); });
      --shared.idle;
      if (!woken) {
        --shared.threads;
        return;
      }
    }
    const job next = shared.jobs.front();
    shared.jobs.pop_front();
    ++shared.jobs_started;
    lock.unlock();
    next.run(next.argument);
    lock.lock();
  }
}

/// Starts a thread; returns false if the system has no more.
bool start_worker(pool &shared) {
  if (shared.threads >= max_threads) return false;
  try {
    std::thread([&shared] { worker(shared); }).detach();
  } catch (...) {
    return false;
  }
  ++shared.threads;
  return true;
}

/// Thread function: starts another worker if jobs are waiting while all workers are blocked.
void monitor(pool &shared) {
  pthread_setname_np(pthread_self(), "dpep watch");
  std::unique_lock lock(shared.mutex);
  for (;;) {
    if (!shared.work_waiting.wait_for(lock, idle_lifetime, [&] { return !shared.jobs.empty(); })) {
      shared.has_monitor = false;
      return;
    }
    const std::uint64_t before = shared.jobs_started;
    lock.unlock();
    std::this_thread::sleep_for(stall);
    lock.lock();
    if (!shared.jobs.empty() && shared.jobs_started == before && !shared.idle) start_worker(shared);
  }
}

void post_to_pool(job work, pool &shared) noexcept {
  std::unique_lock lock(shared.mutex);
  try {
    shared.jobs.push_back(work);
  } catch (...) {  // no memory for the list
    lock.unlock();
    return work.run(work.argument);
  }
  if (shared.jobs.size() <= shared.idle) {
    lock.unlock();
    shared.work.notify_one();
    return;
  }
  if (shared.threads < initial_threads() && start_worker(shared)) return;
  if (shared.threads == 0) {
    // There are no threads at all, and none can be started: run the job here.
    shared.jobs.pop_back();
    lock.unlock();
    return work.run(work.argument);
  }
  if (!shared.has_monitor) {
    try {
      std::thread([&shared] { monitor(shared); }).detach();
      shared.has_monitor = true;
    } catch (...) {  // an existing worker will take the job
    }
  } else {
    shared.work_waiting.notify_one();
  }
  lock.unlock();
  shared.work.notify_one();
}

}  // namespace

void lock() {
  current()->normal.mutex.lock();
  current()->low.mutex.lock();
}
void unlock() {
  current()->low.mutex.unlock();
  current()->normal.mutex.unlock();
}
void reset() { current() = new pools; }

}  // namespace dpep::backend::cpu::host_threads

void dpep::backend::host_threads::post(job work, priority p) noexcept {
  cpu::host_threads::pools &pools = *cpu::host_threads::current();
  cpu::host_threads::post_to_pool(work, p == priority::low ? pools.low : pools.normal);
}
