// The queue on which background tasks run.
#include "array/base/background.hpp"

#include <utility>

#include <dpep/queue.hpp>

namespace dpep::array {
namespace {

/// The queue of background tasks. They are host tasks, because the runtime has threads for those and joins them at
/// exit. Its priority is low: tasks that only save time later must not take a core from the program's own work.
const queue &tasks() {
  static const auto *const q = new queue(device(), queue_options{.in_order = true, .priority = queue_priority::low});
  return *q;
}

}  // namespace

void in_background(std::function<void()> task) noexcept {
  try {
    tasks().host_task([task = std::move(task)] {
      try {
        task();
      } catch (...) {  // discarded, as documented
      }
    });
  } catch (...) {}
}

void wait_for_background() { tasks().wait(); }

}  // namespace dpep::array
