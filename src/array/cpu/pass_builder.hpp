// Builds the code of a pass.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Generates the calls for a scheduled pass.
pass_code make_pass_code(schedule);

}  // namespace dpep::array
