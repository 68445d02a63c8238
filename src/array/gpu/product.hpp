// Products of matrices on devices that do not run host code.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::multiply.
event multiply(const queue &, const matrix_product &, const ordered_dependencies &, owner_list);

}  // namespace dpep::array::gpu
