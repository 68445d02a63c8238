// Runs compilations on threads that the interpreter's main thread waits for, and cancels them after an interrupt.
#include "jit/compile/compile_thread.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include <dpep/interrupts.hpp>

#include "backend/common/fork_guard.hpp"

namespace dpep::jit {
namespace {

struct job_state {
  std::function<void()> call;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr error;
  std::atomic<bool> cancelled{false};
};

// The flag that cancels this thread's job; null on threads that were not started here.
thread_local constinit const std::atomic<bool> *cancelled_here = nullptr;
constinit std::atomic<int> running{0};         // jobs, also on threads of the program
constinit std::atomic<pid_t> ends_process{0};  // the thread that does, once it has begun

/// Keeps objects alive that jobs use. Cancelled jobs end soon.
void wait_at_exit() {
  ends_process.store(gettid());
  while (running.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Calls a job on a thread of the program, which may run on while the process ends: then the thread waits for that.
void run_here(const std::function<void()> &job) {
  struct counted {
    counted() { ++running; }
    ~counted() { --running; }
  };
  {
    const counted one;
    const pid_t ending = ends_process.load();
    if (ending == 0 || ending == gettid()) return job();
  }
  while (true) pause();
}

void run(const std::shared_ptr<job_state> &job) noexcept {
  backend::fork_guard::exempt_this_thread();  // the waiting thread may already be delaying a fork
  {
    const backend::fork_guard guard;
    cancelled_here = &job->cancelled;
    std::exception_ptr error;
    try {
      job->call();
    } catch (...) {
      error = std::current_exception();
    }
    job->call = nullptr;
    const std::lock_guard lock(job->mutex);
    job->error = error;
    job->done = true;
    job->changed.notify_all();
  }
  --running;
}

}  // namespace

void run_on_compile_thread(std::function<void()> call) {
  static const bool registered = [] {
    std::atexit(wait_at_exit);
    pthread_atfork(nullptr, nullptr, [] { running.store(0); });  // a child process has no other threads
    return true;
  }();
  (void)registered;
  if (!interrupts::on_interpreter_thread()) return run_here(call);
  const auto job = std::make_shared<job_state>();
  job->call = std::move(call);
  ++running;
  try {
    std::thread([job] { run(job); }).detach();
  } catch (...) {  // the system cannot start a thread
    --running;
    return job->call();
  }
  std::unique_lock lock(job->mutex);
  try {
    while (!job->changed.wait_for(lock, std::chrono::milliseconds(20), [&] { return job->done; })) {
      lock.unlock();  // the check may wait for the GIL
      interrupts::check();
      lock.lock();
    }
  } catch (...) {
    job->cancelled.store(true);
    throw;
  }
  if (job->error) std::rethrow_exception(job->error);
}

void check_cancelled() {
  if (!cancelled_here) return interrupts::check();  // not on a compile thread
  if (cancelled_here->load(std::memory_order_relaxed)) throw interrupts::interruption{};
}

}  // namespace dpep::jit
