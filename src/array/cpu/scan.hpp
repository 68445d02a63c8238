// Accumulations along an axis on CPUs.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array::cpu {

/// See executor::scan.
void scan(accumulation, array_object &from, array_object &to, int axis);

}  // namespace dpep::array::cpu
