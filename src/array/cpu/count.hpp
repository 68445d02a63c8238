// Counts of elements in bins on CPUs.
#pragma once

#include "array/graph/array_object.hpp"

namespace dpep::array::cpu {

/// See executor::count.
void count(array_object &bins, array_object *weights, array_object &sums);

}  // namespace dpep::array::cpu
