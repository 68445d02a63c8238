// Accumulations along an axis on devices that do not run host code.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::scan.
void scan(accumulation, array_object &from, array_object &to, int axis);

}  // namespace dpep::array::gpu
