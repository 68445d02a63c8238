// What a child is left with after a fork.
#include "backend/cuda/forked.hpp"

#include <atomic>
#include <mutex>

#include <pthread.h>

#include "backend/cuda/device_context.hpp"
#include "backend/cuda/watcher.hpp"

namespace dpep::backend::cuda {
namespace {

constinit std::atomic<bool> forked{false};

void in_child() {
  forked.store(true, std::memory_order_relaxed);
  refuse_everything();
  card::lose_all_to_fork();
  forget_watched();
}

}  // namespace

void prepare_for_forks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, in_child); });
}

bool in_forked_child() noexcept { return forked.load(std::memory_order_relaxed); }

}  // namespace dpep::backend::cuda
