// Binary searches in sorted elements on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::search.
event search(const queue &, const search_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::cpu
