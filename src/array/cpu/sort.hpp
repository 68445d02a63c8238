// Sorts of rows on CPUs.
#pragma once

#include "array/graph/array_object.hpp"

namespace dpep::array::cpu {

/// See executor::sort.
void sort(array_object &from, array_object *values, array_object *positions, bool descending);

}  // namespace dpep::array::cpu
