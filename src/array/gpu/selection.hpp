// Selections by masks, and scatters, on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::expect_selection.
void expect_selection(const queue &, selection_step last, std::int64_t count, std::int64_t row);
/// See executor::select.
event select(const queue &, selection_step, const selection_arguments &, const ordered_dependencies &);

}  // namespace dpep::array::gpu
