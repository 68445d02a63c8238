// Scans on devices that run no host code: running sums and their like along an axis.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::scan.
void scan(accumulation, array_object &from, array_object &to, int axis);

}  // namespace dpep::array::gpu
