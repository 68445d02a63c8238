// Counts iterations in 32 bits.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace dpep::jit {

/// A loop pass for targets without 64-bit integers. clang widens the counters of loops, as the indices that follow from
/// them have 64 bits. Addresses are incremented by themselves in the end, and the wide counter remains for the
/// comparison that ends the loop. This pass lets a counter of 32 bits end loops whose number of iterations fits it.
class narrow_counters : public llvm::PassInfoMixin<narrow_counters> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

}  // namespace dpep::jit
