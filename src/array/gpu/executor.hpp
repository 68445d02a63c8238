// The executor of devices that do not run host code: programs become generated kernels.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// The only instance.
const executor &the_executor() noexcept;

}  // namespace dpep::array::gpu
