// Counts of elements in bins on GPUs.
#pragma once

#include "array/graph/array_object.hpp"

namespace dpep::array::gpu {

/// See executor::count.
void count(array_object &bins, array_object *weights, array_object &sums);

}  // namespace dpep::array::gpu
