// Finds loops in which a few rows are summed into one.
#pragma once

#include <optional>
#include <span>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Finds the loop that begins with the call `first`; nothing if there is none. The rows are unrolled, so that the sum
/// stays in a register (for example a distance in a few dimensions).
std::optional<loop_call> find_short_sum(const cell_code &, std::span<const int> levels, std::size_t first);

}  // namespace dpep::array
