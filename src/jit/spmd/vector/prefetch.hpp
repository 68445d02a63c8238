// Memory that the next work-group, or a group's next round, will access, on its way while this one computes.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Between its barriers a work-group computes out of local memory, longer than a processor can look ahead: it reaches
/// the next group's first loads, and lines to write its last stores to, only when it gets there. So where the group
/// loads or stores vectors at an address that advances evenly from group to group, the same place of the next group is
/// prefetched. So is what a group loads in each round of a loop around several loops over its work-items (tiles of a
/// matrix), if it lies so far from what the round before has loaded that processors don't follow. Prefetching never
/// faults, wherever it is; at worst it is for nothing, in the last group or round.
class prefetch_ahead : public llvm::PassInfoMixin<prefetch_ahead> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
