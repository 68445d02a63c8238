// Selections by masks, and scatters, on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::select.
event select(const queue &, selection_step, const selection_arguments &, const ordered_dependencies &);
/// See executor::select_now.
bool select_now(selection_step, const selection_arguments &) noexcept;

}  // namespace dpep::array::cpu
