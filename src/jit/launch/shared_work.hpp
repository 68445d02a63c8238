// Work that several threads want at once: one does it, and the others have what it made.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <dpep/interrupts.hpp>

#include "backend/common/forks.hpp"

namespace dpep::jit {

template <class Key, class Result> class shared_work {
public:
  /// What `make` returns, or throws. It is called without a lock, for a key by one thread at a time; who asks for the
  /// same key meanwhile waits for that. `find` says what was made before: it is asked, with the lock, when nobody is at
  /// it, so that work which was finished a moment ago is not done again. An empty optional: nothing.
  template <class Find, class Make> Result share(const Key &key, Find find, Make make) {
    const backend::no_fork_meanwhile whole;
    std::unique_lock lock(mutex_);
    const auto same = [&](const auto &p) { return p->key == key; };
    if (const auto found = std::ranges::find_if(under_way_, same); found != under_way_.end()) {
      const std::shared_ptr<pending> other = *found;
      while (!finished_.wait_for(lock, std::chrono::milliseconds(20), [&] { return other->done; })) interrupts::check();
      if (other->interrupted) {  // which was meant for that thread alone
        lock.unlock();
        return share(key, std::move(find), std::move(make));
      }
      if (other->error) std::rethrow_exception(other->error);
      return *other->result;
    }
    if (std::optional<Result> before = find()) return *std::move(before);
    const auto mine = under_way_.emplace_back(std::make_shared<pending>(key));
    lock.unlock();
    try {
      mine->result = make();
    } catch (const interrupts::interruption &) {
      mine->error = std::current_exception();
      mine->interrupted = true;
    } catch (...) {
      mine->error = std::current_exception();
    }
    lock.lock();
    mine->done = true;
    std::erase(under_way_, mine);
    lock.unlock();
    finished_.notify_all();
    if (mine->error) std::rethrow_exception(mine->error);
    return *mine->result;
  }

private:
  struct pending {
    explicit pending(const Key &k) : key(k) {}
    Key key;
    std::optional<Result> result;
    std::exception_ptr error;
    bool done = false, interrupted = false;
  };
  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<std::shared_ptr<pending>> under_way_;  // few at a time
};

}  // namespace dpep::jit
