// Schedules passes.
#pragma once

#include "array/cpu/schedule.hpp"

namespace dpep::array {

/// Schedules a pass. `aliased`: memory that is written may also be read, at the same indices.
schedule make_schedule(pass, bool aliased);

}  // namespace dpep::array
