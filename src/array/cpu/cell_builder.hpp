// Builds the block kernel calls for cells of given extents.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Builds the calls for cells of these extents, one for each axis. The schedule, outer reductions and bases of `all`
/// must be set.
cell_code build_cell(const pass_code &all, std::vector<std::int64_t> extents);

}  // namespace dpep::array
