// Finds loops with inner loops over the short axes of a cell, such as the distances to a few points and the nearest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "array/cpu/cell_value.hpp"

namespace dpep::array {

/// Finds the loops of a cell with these extents that contain reductions along other axes than the lanes. A compiled
/// loop computes all that belongs to an element of the lanes, with states and, where there are few, all other values in
/// registers. Block kernels execute each call for the whole cell, with tiles between calls.
/// `found`: loops that were found before, in order; the list is returned with the others.
std::vector<loop_call> find_short_axis_loops(const schedule &, std::span<const std::int64_t> extents,
                                             std::span<const cell_value>, std::vector<loop_call> found);

}  // namespace dpep::array
