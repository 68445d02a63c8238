// The calls for one shape of cell.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// `all` has its schedule, outer reductions and bases already. `extents`: of the cell, along each axis.
cell_code make_cell(const lowered &all, std::vector<std::int64_t> extents);

}  // namespace dpep::array
