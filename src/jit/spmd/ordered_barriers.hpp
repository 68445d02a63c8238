// Barriers that the order of a CPU's work-items makes unnecessary.
#pragma once

namespace dpep::jit::spmd {

struct work_item_function;

/// Removes barriers between accesses to local memory that are in order anyway, because the work-items of a group run
/// one after the other, or side by side in a vector: no access after the barrier is of an element that a later
/// work-item accesses before it. An example is `x = a[i + 1]; barrier(); a[i] = x;`.
void remove_ordered_barriers(work_item_function &);

}  // namespace dpep::jit::spmd
