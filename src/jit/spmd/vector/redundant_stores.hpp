// Elimination of partially redundant stores: not storing what was loaded from the same address.
#pragma once

#include "jit/spmd/vector/item_loop.hpp"

namespace llvm {
class AAResults;
}

namespace dpep::jit::spmd {

/// A work-item's value that is kept in memory is stored at the join of its paths, also for paths that only have loaded
/// it. Moves such stores to the predecessors that compute a new value. Returns whether it has moved any.
bool eliminate_redundant_stores(const item_loop &, llvm::DominatorTree &, llvm::AAResults &);

}  // namespace dpep::jit::spmd
