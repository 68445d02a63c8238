// Loops in which the work-items of a group read rows of small elements together, made into loops around all work-items.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace dpep::jit::spmd {

class uniformity;
struct barrier;
struct work_item_function;

/// `for (k …) use(bytes[k * row + local_id])`: done for one vector of work-items after the other, each takes a few
/// bytes of every line, and the next comes back for the next few, when caches and prefetchers have long gone on. Round
/// by round, the group reads whole rows. Work-items may run in any order between barriers as long as each keeps its
/// own, so that is right for every loop that all of them run together: a cut at its header, as if there was a barrier.
/// It costs nothing where no work-item has anything to keep from round to round; those loops are added to where the
/// function is cut.
void cut_row_loops(const work_item_function &, const uniformity &, llvm::SmallVectorImpl<barrier> &);

}  // namespace dpep::jit::spmd
