// Converts scalars to the numbers that ramp kernels use.
#pragma once

#include <dpep/array.hpp>

#include "array/blocks/kernels.hpp"

namespace dpep::array::blocks {

numbers numbers_of(const scalar &) noexcept;

}  // namespace dpep::array::blocks
