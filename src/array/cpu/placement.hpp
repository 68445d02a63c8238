// Tiles: where the values of a cell lie in scratch memory, for given extents.
#pragma once

#include "array/cpu/schedule.hpp"

namespace dpep::array {

/// Places all values: sets work's expansions, places, direct, streams and scratch_bytes of the schedule, from its axes,
/// order and loops. `original` is the pass without expansions.
void place_values(schedule &, const pass &original, bool aliased);

}  // namespace dpep::array
