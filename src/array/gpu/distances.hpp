// Distances between points on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::measure.
event measure(const queue &, const distance_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::gpu
