// Generates the kernels of binary searches.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Work-items of a work-group.
inline constexpr std::int64_t search_group = 256;

/// A call of a function of device/array/searches.cpp. Operands 0 to 2 are the sorted elements, the needles and the
/// positions; scalars 0 to 2 are the number of sorted elements, their stride, and the number of needles.
/// `is_contiguous`: the stride is 1.
generated_kernel generate_search(dtype, bool is_contiguous, bool right, std::int64_t sub_group);

}  // namespace dpep::array::gpu
