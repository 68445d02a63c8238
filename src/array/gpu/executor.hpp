// The executor of devices that run no host code: programs become generated kernels.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

const executor &the_executor() noexcept;

/// executor::run with the caller's knowledge whether the program is_aliased().
event run(const queue &, const program &, const program_arguments &, bool aliased, dependencies, owner_list);

}  // namespace dpep::array::gpu
