// Submits programs as generated kernels.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// As executor::run, for callers that know whether the program is_aliased().
event run(const queue &, const program &, const program_arguments &, bool aliased, const ordered_dependencies &,
          owner_list);

}  // namespace dpep::array::gpu
