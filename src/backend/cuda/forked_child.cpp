// The fork handler: disables the driver in the child.
#include "backend/cuda/forked_child.hpp"

#include <atomic>
#include <mutex>

#include <pthread.h>

#include "backend/cuda/device_context.hpp"
#include "backend/cuda/reaper.hpp"

namespace dpep::backend::cuda {
namespace {

constinit std::atomic<bool> forked{false};

void in_child() {
  forked.store(true, std::memory_order_relaxed);
  disable_driver();
  device_context::mark_all_lost_after_fork();
  reset_reaper_after_fork();
}

}  // namespace

void install_fork_handler() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, in_child); });
}

bool in_forked_child() noexcept { return forked.load(std::memory_order_relaxed); }

}  // namespace dpep::backend::cuda
