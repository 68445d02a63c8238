// Distances between points on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::measure.
event measure(const queue &, const distance_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::cpu
