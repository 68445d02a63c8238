// The queue on which background tasks run.
#include "array/base/background.hpp"

#include <utility>

#include <dpep/queue.hpp>

namespace dpep::array {
namespace {

// Tasks are host tasks, because the runtime has threads for those and joins them at exit.

/// The queue of tasks that save time later. They run one after the other, so that they take one core at most, and at
/// normal priority: with a tenth of a core that the program uses, too, loops were compiled when half a second had
/// passed.
const queue &background() {
  static const auto *const q = new queue(device(), queue_options{.in_order = true});
  return *q;
}
/// The queue of tasks whose results are about to be used.
const queue &urgent() {
  static const auto *const q = new queue(device(), queue_options{});
  return *q;
}

void post(const queue &(&to)(), std::function<void()> task) noexcept {
  try {
    to().host_task([task = std::move(task)] {
      try {
        task();
      } catch (...) {  // discarded, as documented
      }
    });
  } catch (...) {}
}

}  // namespace

void in_background(std::function<void()> task) noexcept { post(background, std::move(task)); }
void ahead_of_use(std::function<void()> task) noexcept { post(urgent, std::move(task)); }

void wait_for_background() {
  background().wait();
  urgent().wait();
}

}  // namespace dpep::array
