// Operations on sparse matrices on CPUs.
#pragma once

#include "array/sparse_work.hpp"

namespace dpep::array::cpu {

/// See executor::apply.
void apply(const sparse_work &);

}  // namespace dpep::array::cpu
