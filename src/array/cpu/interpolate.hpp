// Interpolation between points on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::interpolate.
event interpolate(const queue &, const interpolation_arguments &, const ordered_dependencies &);
bool interpolate_now(const interpolation_arguments &) noexcept;

}  // namespace dpep::array::cpu
