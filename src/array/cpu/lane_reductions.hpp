// Finds loops that reduce along the lanes what they compute, such as sums of products.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "array/cpu/cell_value.hpp"

namespace dpep::array {

/// Finds the loops of a cell with these extents that reduce values along the lanes into the states of the segment, with
/// the element operations that only these reductions use. They are loops over rows: products of one row at a time are
/// in the first-level cache, and there is no tile of all rows.
std::vector<loop_call> find_lane_reductions(const schedule &, std::span<const std::int64_t> extents,
                                            std::span<const cell_value>);

}  // namespace dpep::array
