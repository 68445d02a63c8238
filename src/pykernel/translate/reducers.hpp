// Reduction objects of kernels, `kernel_api.reduction`: each work-item reduces in private memory, and stores its total,
// or that of its work-group, at the kernel's end.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The value that the kernel gets for a reduction, with memory that holds the operation's identity.
value begin_reducer(translation &, type reduction, const expression &at);
/// Combines the total with a number. `op`: the operator that the program wrote; empty for the method `combine`.
void combine_with(translation &, const value &reducer, const value &number, std::string_view op, const expression &at);
/// Stores the total of the work-item, or of its work-group, at its place in the memory that the launch passed.
void store_reducer(translation &, const value &reducer, node memory, const expression &at);

}  // namespace dpep::pykernel
