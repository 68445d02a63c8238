// Interchange of loops in which the work-items of a group read rows of small elements: they become loops around all
// work-items.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace dpep::jit::spmd {

class uniformity;
struct barrier;
struct work_item_function;

/// Adds the headers of such loops to the barriers at which the function is split.
///
/// In `for (k …) use(bytes[k * row + local_id])`, each vector of work-items reads a few bytes of every cache line. The
/// next vector reads the next few bytes of the same lines when caches and prefetchers have moved on. Iteration by
/// iteration, the group reads whole rows instead. Between barriers, work-items may run in any order, so a split at the
/// header is correct for every loop that all of them run together. It is free if no work-item carries a value across
/// iterations, and only such loops are split.
void split_row_loops(const work_item_function &, const uniformity &, llvm::SmallVectorImpl<barrier> &barriers);

}  // namespace dpep::jit::spmd
