// Loops over ranges.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The number of elements of range(from, to, by).
node range_length(translation &, node from, node to, node by);

/// Emits a loop that calls `each` with the values of range(start, stop, step).
void loop_over_range(translation &, const std::function<void(const value &)> &each, const value &start,
                     const value &stop, const value &step, const expression &at);

}  // namespace dpep::pykernel
