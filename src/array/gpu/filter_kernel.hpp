// Generates the kernels of filters of neighbourhoods.
#pragma once

#include "array/executor.hpp"
#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Work-items of a work-group.
inline constexpr std::int64_t filter_group = 256;

/// A call of a function of device/array/filters.cpp. Operands 0 to 5 are the source, the result, starts of rows,
/// distances, opposites and weights; scalars 0 to 3 are the columns, the elements, the taps and the rank.
generated_kernel generate_filter(filter_kind, dtype, bool in_pairs, bool subtract, bool weighted);

}  // namespace dpep::array::gpu
