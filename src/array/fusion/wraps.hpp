// Programs that read rolled arrays, as programs whose operands have one stride for each axis.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// Whether an operand of the program wraps around.
bool wraps_around(const program &) noexcept;
/// The positions of each axis at which addresses of operands jump, sorted.
std::vector<std::vector<std::int64_t>> wrap_positions(const program &);

/// A program over a part of the iteration space of another. Its arguments are those of the other, with the address of
/// each memory operand increased by a distance in bytes.
struct program_part {
  program code;
  std::vector<std::int64_t> distances;
};
/// Divides a program at its wraps: a part for each combination of the intervals between them. Together, the parts
/// compute what the program does, in any order. Short parts come first. No instruction may reduce over a divided axis,
/// or count positions along it, and all stores must vary along it. Divisions of recent programs are kept.
std::shared_ptr<const std::vector<program_part>> divide_at_wraps(const program &);

}  // namespace dpep::array
