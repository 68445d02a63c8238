// Simplified programs: with the fewest axes, in the order of memory.
#pragma once

#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// A program with sorted and joined axes. Positions of elements, which refer to the original axes, are explicit.
struct nest : program {
  /// For each instruction that needs positions, the position's stride along each axis: for iota along its axes, for
  /// argmax and argmin along the reduced ones. Empty for other instructions.
  std::vector<std::vector<std::int64_t>> positions;
};

/// Drops axes of length 1, and removes axes with strides of 0 from the axes of values. Sorts axes so that the largest
/// operands are read in the order of memory, and joins neighbouring axes that are one axis for all operands.
nest simplify(const program &);

}  // namespace dpep::array
