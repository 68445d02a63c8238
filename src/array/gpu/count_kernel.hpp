// Generates the kernels of counts.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Work-items of a work-group, and bins that it can count in local memory.
inline constexpr std::int64_t count_group = 256, most_local_bins = 4096;

// Calls of functions of device/array/counts.cpp, whose parameters are operands and scalars in order.

/// Operands 0 and 1 are the elements' bins and the sums; scalars 0 and 1 are the number of elements and of bins.
generated_kernel generate_count(bool in_local_memory);
/// A work-group for each bin. Operands 0 to 3 are the bins in order, the elements' positions before sorting, the
/// weights and the sums; scalar 0 is the number of elements.
generated_kernel generate_added_weights(dtype);

}  // namespace dpep::array::gpu
