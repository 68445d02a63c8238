// The threads of compilations that the main thread waits for, and what is left of them when it does not.
#include "jit/compile/compile_thread.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include <dpep/interrupts.hpp>

#include "backend/common/forks.hpp"

namespace dpep::jit {
namespace {

struct shared_job {
  std::function<void()> call;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr error;
  std::atomic<bool> abandoned{false};
};

thread_local constinit const std::atomic<bool> *abandoned_here = nullptr;
constinit std::atomic<int> running{0};

/// What threads use must not be destroyed under them. Those that nobody waits for end soon.
void wait_at_exit() {
  while (running.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void run(const std::shared_ptr<shared_job> &job) noexcept {
  backend::forks::always_admit_this_thread();  // who waits for it may already hold up a fork
  {
    const backend::no_fork_meanwhile whole;
    abandoned_here = &job->abandoned;
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

void run_aside(std::function<void()> call) {
  if (!interrupts::concern_this_thread()) return call();
  static const int registered = std::atexit(wait_at_exit);
  (void)registered;
  const auto job = std::make_shared<shared_job>();
  job->call = std::move(call);
  ++running;
  try {
    std::thread([job] { run(job); }).detach();
  } catch (...) {  // no thread to be had
    --running;
    return job->call();
  }
  std::unique_lock lock(job->mutex);
  try {
    while (!job->changed.wait_for(lock, std::chrono::milliseconds(20), [&] { return job->done; })) {
      lock.unlock();  // the check may wait for the interpreter's lock
      interrupts::check();
      lock.lock();
    }
  } catch (...) {
    job->abandoned.store(true);
    throw;
  }
  if (job->error) std::rethrow_exception(job->error);
}

void check_abandoned() {
  if (!abandoned_here) return interrupts::check();  // the main thread compiles itself
  if (abandoned_here->load(std::memory_order_relaxed)) throw interrupts::interruption{};
}

}  // namespace dpep::jit
