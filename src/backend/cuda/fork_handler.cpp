// The fork handler: disables the driver in the child.
#include "backend/cuda/fork_handler.hpp"

#include <mutex>

#include <pthread.h>

#include "backend/common/forked_child.hpp"
#include "backend/cuda/device_context.hpp"
#include "backend/cuda/reaper.hpp"

namespace dpep::backend::cuda {
namespace {

void in_child() {
  mark_forked_child();
  disable_driver();
  device_context::mark_all_lost_after_fork();
  reset_reaper_after_fork();
}

}  // namespace

void install_fork_handler() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, in_child); });
}

}  // namespace dpep::backend::cuda
