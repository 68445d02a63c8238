// Not storing again what was loaded from the same place.
#pragma once

#include "jit/spmd/vector/item_loop.hpp"

namespace llvm {
class AAResults;
}

namespace dpep::jit::spmd {

/// A value that is kept for each work-item is stored where its ways meet, also for those who only have loaded it. Such
/// stores move to where the value is new. True: some have.
bool keep_unchanged(const item_loop &, llvm::DominatorTree &, llvm::AAResults &);

}  // namespace dpep::jit::spmd
