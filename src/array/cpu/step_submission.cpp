// The submission of work that consists of several parallel loops.
#include "array/cpu/step_submission.hpp"

#include <new>
#include <utility>
#include <vector>

#include "array/graph/deferred_queue.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

step_submission::step_submission(const queue &q) : queue_(q), memory_(std::make_shared<std::vector<ref<storage>>>()) {}

step_submission::~step_submission() {
  if (!last_) return;
  try {
    last_.keep_alive(memory_);
  } catch (const std::bad_alloc &) {
    runtime::implementation_of(queue_).back().wait();
  }
}

void step_submission::uses(ref<storage> memory) { memory_->push_back(std::move(memory)); }

void step_submission::launch(const work_step &step, int variant, std::span<const std::byte> arguments,
                             std::int64_t units, std::size_t local_bytes) {
  backend::launch_command command{code_of(step, variant, queue_.get_device()), {}, arguments, local_bytes, {}};
  command.work.global[0] = static_cast<std::size_t>(units);
  deferred_queue::of(queue_).in_turn([&](const ordered_dependencies &after) {
    return last_ = runtime::implementation_of(queue_).launch(command, dependencies(after));
  });
}

}  // namespace dpep::array
