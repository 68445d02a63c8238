// Streams and events of fake GPUs. Each stream has a thread, so that work without dependencies runs in any order.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fake {

/// A graph of CUDA's: work in the order of its capture.
struct graph {
  std::deque<std::function<void()>> work;
  bool capturing = true;
};

/// An event of CUDA's. Complete if it was never recorded.
class event {
public:
  event() { ++live_count; }
  ~event() { --live_count; }
  static inline std::atomic<int> live_count{0};

  struct point {
    std::atomic<bool> reached{false};
    std::chrono::steady_clock::time_point when;
  };
  std::shared_ptr<point> last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::shared_ptr<point> begin() {
    const std::lock_guard lock(mutex_);
    return last_ = std::make_shared<point>();
  }
  bool complete() {
    const auto p = last();
    return !p || p->reached;
  }
  int device = 0;
  std::shared_ptr<graph> captured;  // in which it was recorded

private:
  std::mutex mutex_;
  std::shared_ptr<point> last_;
};

class stream {
public:
  explicit stream(int device) : device(device), thread_([this] { run(); }) { ++live_count; }
  ~stream() {
    --live_count;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void put(std::function<void()> work) {
    if (is_capturing()) return captured->work.push_back(std::move(work));
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    changed_.notify_one();
  }
  const int device;
  static inline std::atomic<int> live_count{0};
  std::shared_ptr<graph> captured;  // receives the work while it is capturing
  bool is_capturing() const { return captured && captured->capturing; }

private:
  void run() {
    std::unique_lock lock(mutex_);
    for (std::uint32_t n = 1;; ++n) {
      changed_.wait(lock, [&] { return stopping_ || !work_.empty(); });
      if (work_.empty()) return;
      const auto next = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      if (n % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(n * 37 % 50));  // irregular pauses
      next();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace fake
