// Binary searches in sorted elements on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::search.
event search(const queue &, const search_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::gpu
