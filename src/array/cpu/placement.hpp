// Assigns each value of a cell its location: a tile in scratch memory, or operand memory.
#pragma once

#include "array/cpu/schedule.hpp"

namespace dpep::array {

/// Sets work (with operands repeated where block kernels need it), placements, direct, nontemporal and scratch_bytes of
/// the schedule, from its axes, order and loops. `original`: the pass without repeated operands.
void place_values(schedule &, const pass &original, bool aliased);

}  // namespace dpep::array
