// The submission of work that consists of several parallel loops, the steps, each of which follows the one before.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "array/graph/array_object.hpp"
#include "runtime/host_function.hpp"

namespace dpep::array {

/// A step: a parallel loop over units of work.
using work_step = runtime::host_function;
using runtime::code_of;

/// Launches steps on a queue, in order with its submitted array work.
class step_submission {
public:
  explicit step_submission(const queue &q);
  /// Keeps the memory until the launched steps are complete.
  ~step_submission();
  step_submission(const step_submission &) = delete;
  /// Memory that the steps use. Call it before they are launched: a launch may fail while earlier steps run.
  void uses(ref<storage>);
  /// Launches the step with a copy of the arguments.
  void launch(const work_step &, int variant, std::span<const std::byte> arguments, std::int64_t units,
              std::size_t local_bytes = 0);

private:
  const queue &queue_;
  const std::shared_ptr<std::vector<ref<storage>>> memory_;
  event last_;
};

}  // namespace dpep::array
