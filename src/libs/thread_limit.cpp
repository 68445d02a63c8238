// Limits on the threads of a library. OpenBLAS has one setting for the process, which NumPy shares.
#include <algorithm>
#include <mutex>
#include <vector>

#include "libs/cpu_library.hpp"

namespace dpep::libs {
namespace {

/// The limits in effect on a library with one setting for the process.
class shared_setting {
public:
  void add(const cpu_library &l, int most) noexcept {
    const std::lock_guard lock(mutex_);
    if (limits_ == 0) before_ = l.get_threads();
    if (most == 1)
      ++ones_;
    else
      larger_.push_back(most);
    ++limits_;
    apply(l);
  }
  void remove(const cpu_library &l, int most) noexcept {
    const std::lock_guard lock(mutex_);
    if (most == 1)
      --ones_;
    else
      larger_.erase(std::ranges::find(larger_, most));
    if (--limits_)
      apply(l);
    else if (l.get_threads() == applied_)  // else somebody else has changed it meanwhile
      l.set_threads(before_);
  }

private:
  /// Never more threads than the program has chosen.
  void apply(const cpu_library &l) noexcept {
    const int limit = ones_ || larger_.empty() ? 1 : *std::ranges::min_element(larger_);
    applied_ = std::min(before_, limit);
    if (l.get_threads() != applied_) l.set_threads(applied_);
  }

  std::mutex mutex_;
  std::size_t limits_ = 0, ones_ = 0;
  std::vector<int> larger_;
  int before_ = 1, applied_ = 1;
};

shared_setting &setting() {
  static auto &instance = *new shared_setting;  // never destroyed: work may run until the process ends
  return instance;
}

}  // namespace

thread_limit::thread_limit(const cpu_library &l, unsigned most) noexcept
    : library_(l), most_(std::clamp(most, 1u, 4096u)) {
  if (l.set_threads_of_caller)
    before_ = l.set_threads_of_caller(static_cast<int>(most_));
  else if (l.set_threads && l.get_threads)
    setting().add(l, static_cast<int>(most_));
}

thread_limit::~thread_limit() {
  if (library_.set_threads_of_caller)
    library_.set_threads_of_caller(before_);
  else if (library_.set_threads && library_.get_threads)
    setting().remove(library_, static_cast<int>(most_));
}

}  // namespace dpep::libs
