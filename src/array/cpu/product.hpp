// Products of matrices on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::multiply.
event multiply(const queue &, const matrix_product &, const ordered_dependencies &, owner_list);
/// See executor::multiply_now.
bool multiply_now(const matrix_product &);

}  // namespace dpep::array::cpu
