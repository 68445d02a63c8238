// Filters of neighbourhoods on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::filter.
event filter(const queue &, const filter_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::gpu
