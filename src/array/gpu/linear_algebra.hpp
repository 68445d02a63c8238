// Linear algebra on devices that do not run host code.
#pragma once

#include "array/matrix_work.hpp"

namespace dpep::array::gpu {

/// See executor::apply.
event apply(const matrix_work &);

}  // namespace dpep::array::gpu
