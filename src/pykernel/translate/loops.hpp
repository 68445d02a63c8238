// Loops over ranges.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Emits a loop that calls `each` with the values of range(start, stop, step).
void loop_over_range(translation &, const std::function<void(const value &)> &each, const value &start,
                     const value &stop, const value &step, const expression &at);

}  // namespace dpep::pykernel
