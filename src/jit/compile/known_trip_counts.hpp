// Makes numbers of iterations constants that follow from the ranges of values.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace dpep::jit {

/// A loop pass, before full unrolling. In `for (i = local_id; i < 1024; i += 256)` with local ids below 256, each
/// work-item has four iterations. LLVM finds the number only where no variable is in it. This pass lets a counter end
/// such loops of few iterations.
class count_known_trips : public llvm::PassInfoMixin<count_known_trips> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

}  // namespace dpep::jit
