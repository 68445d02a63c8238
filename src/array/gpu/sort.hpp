// Sorts on devices that do not run host code.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::sort.
void sort(array_object &from, array_object *values, array_object *positions, bool descending);

}  // namespace dpep::array::gpu
