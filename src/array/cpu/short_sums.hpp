// Runs over a few rows that are summed into one.
#pragma once

#include <optional>
#include <span>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// The rows are written out, so that the sum stays in a register. (A distance in a few dimensions, say.) The run begins
/// with the call `first`; nothing when no such run does.
std::optional<fused_call> find_row_sums(const cell_code &, std::span<const int> levels, std::size_t first);

}  // namespace dpep::array
