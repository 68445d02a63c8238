// Runs over rows in which rows are reduced: a softmax, a layer norm.
#pragma once

#include <optional>
#include <span>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// One compiled function does row after row: what block kernels do to all rows of a cell, one call after the other,
/// with tiles in between. The run begins with the call `first`; nothing when no such run does.
std::optional<fused_call> find_row_run(const cell_code &, std::span<const int> levels, std::size_t first);

}  // namespace dpep::array
