// Simplified programs: as few axes as memory allows, in the order in which memory lies.
#pragma once

#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// A program whose axes were sorted and joined, so that positions along them are said explicitly where they count.
struct nest : program {
  /// For each instruction: how its position counts along each axis (iota: along its axes; argmax, argmin: along the
  /// reduced ones); empty for others.
  std::vector<std::vector<std::int64_t>> positions;
};

/// Drops axes of one element, says broadcasting by axes alone (what a stride of 0 says does not vary), sorts axes so
/// that the heaviest operands are walked in the order of their memory, and joins neighbours that no operand tells
/// apart.
nest simplify(const program &);

}  // namespace dpep::array
