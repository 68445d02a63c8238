// Finds loops over rows that contain reductions of rows, such as a softmax or a layer norm.
#pragma once

#include <optional>
#include <span>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Finds the loop over rows that begins with the call `first`; nothing if there is none. The compiled loop computes one
/// row completely before the next. Block kernels execute each call for all rows of a cell, with tiles between calls.
std::optional<loop_call> find_row_loop(const cell_code &, std::span<const int> levels, std::size_t first);

}  // namespace dpep::array
