// Streams and events of a pretended GPU: a thread for each stream, so that only what is ordered comes in order.
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

/// A point in a stream. Complete when it was never recorded.
class event {
public:
  event() { ++living; }
  ~event() { --living; }
  static inline std::atomic<int> living{0};

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

private:
  std::mutex mutex_;
  std::shared_ptr<point> last_;
};

class stream {
public:
  explicit stream(int device) : device(device), thread_([this] { run(); }) { ++living; }
  ~stream() {
    --living;
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wanted_.notify_one();
    thread_.join();
  }
  void put(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    wanted_.notify_one();
  }
  const int device;
  static inline std::atomic<int> living{0};

private:
  void run() {
    std::unique_lock lock(mutex_);
    for (std::uint32_t n = 1;; ++n) {
      wanted_.wait(lock, [&] { return ends_ || !work_.empty(); });
      if (work_.empty()) return;
      const auto next = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      if (n % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(n * 37 % 50));  // no two alike
      next();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_;
  std::deque<std::function<void()>> work_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace fake
