// Linear algebra on CPUs, by LAPACK and by block kernels.
#pragma once

#include "array/matrix_work.hpp"

namespace dpep::array::cpu {

/// See executor::apply.
event apply(const matrix_work &);

}  // namespace dpep::array::cpu
