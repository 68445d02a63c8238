// Filters of neighbourhoods on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::filter.
event filter(const queue &, const filter_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::cpu
