// Prefetches for the next work-group, or for the next iteration of a loop around a work-group's item loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Between barriers, a work-group computes in local memory for longer than out-of-order execution reaches: the next
/// group's first loads, and the cache lines of its last stores, are requested only when they are executed. Where a
/// group loads or stores vectors at an address that advances by a constant from group to group, this pass prefetches
/// the next group's address. It also prefetches the loads of each iteration of a loop that contains several item loops
/// (tiles of a matrix), if they are so far from the previous iteration's, or from one another, that hardware
/// prefetchers do not follow. These are distributed over the item loop that takes longest, where possible: together,
/// they delay the loads beside them. A prefetch never faults, at any address; at worst it is useless, in the last group
/// or iteration.
class prefetch_ahead : public llvm::PassInfoMixin<prefetch_ahead> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
