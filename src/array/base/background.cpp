// The queue of tasks that nobody waits for.
#include "array/base/background.hpp"

#include <utility>

#include <dpep/queue.hpp>

namespace dpep::array {
namespace {

/// Tasks are host tasks of a queue: the runtime has threads for those, and ends them properly.
const queue &tasks() {
  static const auto *const q = new queue(device(), queue_options{.in_order = true});
  return *q;
}

}  // namespace

void in_background(std::function<void()> task) noexcept {
  try {
    tasks().host_task([task = std::move(task)] {
      try {
        task();
      } catch (...) {  // as promised
      }
    });
  } catch (...) {}
}

void wait_for_background() { tasks().wait(); }

}  // namespace dpep::array
