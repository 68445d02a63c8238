// Generates the kernels of selections by masks, and of scatters.
#pragma once

#include "array/executor.hpp"
#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Work-items of a work-group; rows that a work-item of a scatter has a word of.
inline constexpr std::int64_t selection_group = 256, scattered_rows = 4;

/// A call of a function of device/array/masks.cpp. Rows are copied in words of `word` bytes, 1 to 8, by scatters up to
/// 16. Operands 0 to 3 are mask, sums, from and to; scalars 0 to 2 are the count, the words of a row, and the period;
/// for scatters, scalar 3 is the logarithm of the work-items of a row.
generated_kernel generate_selection(selection_step, std::int64_t word);

}  // namespace dpep::array::gpu
