// Loops over a block that reduce what they compute: a compiled loop for a cell of one row.
#pragma once

#include <optional>
#include <span>

#include "array/cpu/cell_code.hpp"
#include "array/cpu/cell_value.hpp"

namespace dpep::array {

/// The loop that begins with this value and reduces values along the lanes into the states of the segment. Nothing if
/// it would be no faster than other loops and block kernels. `end`: the position after the last value that belongs to
/// it.
std::optional<loop_call> find_block_reduction(const schedule &, std::span<const std::int64_t> extents,
                                              std::span<const cell_value>, std::size_t first, std::size_t &end);

/// Calls it, and combines the results of its pieces with the states.
void call_block_reduction(const loop_call &, backend::work_function, std::byte *const *bases);

}  // namespace dpep::array
