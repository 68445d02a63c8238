// Merges concurrent requests for the same result: one thread computes it, the others wait for it.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <dpep/interrupts.hpp>

#include "backend/common/fork_guard.hpp"

namespace dpep::jit {

template <class Key, class Result> class shared_work {
public:
  /// Returns what `make` returns, or throws what it throws. `make` is called without a lock, by one thread at a time
  /// for each key; other threads with the same key wait for its result. `find` is called first, with the lock held, if
  /// no thread is computing the key: it returns an existing result, so that work that has just finished is not
  /// repeated, or an empty optional.
  ///
  /// `make` may call interrupts::check, and so a signal handler of the interpreter that requests the same key. That
  /// request cannot wait for the one that it interrupts: it returns what `make_again` returns.
  template <class Find, class Make, class MakeAgain>
  Result share(const Key &key, Find find, Make make, MakeAgain make_again) {
    const backend::fork_guard guard;
    std::unique_lock lock(mutex_);
    const auto same = [&](const auto &p) { return p->key == key; };
    if (const auto found = std::ranges::find_if(pending_, same); found != pending_.end()) {
      const std::shared_ptr<computation> other = *found;
      if (other->thread == std::this_thread::get_id()) {
        lock.unlock();
        return make_again();
      }
      while (!finished_.wait_for(lock, std::chrono::milliseconds(20), [&] { return other->done; })) {
        lock.unlock();  // a signal handler may request another key, and the check may wait for the interpreter's lock
        interrupts::check();
        lock.lock();
      }
      if (other->interrupted) {  // only that thread was interrupted: try again here
        lock.unlock();
        return share(key, std::move(find), std::move(make), std::move(make_again));
      }
      if (other->error) std::rethrow_exception(other->error);
      return *other->result;
    }
    if (std::optional<Result> existing = find()) return *std::move(existing);
    const auto own = pending_.emplace_back(std::make_shared<computation>(key));
    lock.unlock();
    try {
      own->result = make();
    } catch (const interrupts::interruption &) {
      own->error = std::current_exception();
      own->interrupted = true;
    } catch (...) {
      own->error = std::current_exception();
    }
    lock.lock();
    own->done = true;
    std::erase(pending_, own);
    lock.unlock();
    finished_.notify_all();
    if (own->error) std::rethrow_exception(own->error);
    return *own->result;
  }
  template <class Find, class Make> Result share(const Key &key, Find find, Make make) {
    return share(key, std::move(find), make, make);
  }

private:
  struct computation {
    explicit computation(const Key &k) : key(k) {}
    Key key;
    std::thread::id thread = std::this_thread::get_id();
    std::optional<Result> result;
    std::exception_ptr error;
    bool done = false, interrupted = false;
  };
  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<std::shared_ptr<computation>> pending_;  // few at a time, so a linear search is fast
};

}  // namespace dpep::jit
