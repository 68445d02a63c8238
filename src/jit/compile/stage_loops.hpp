// Marks loops of few iterations with barriers for full unrolling.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace dpep::jit {

/// A loop pass, before LLVM's full unrolling. The stages of algorithms in local memory, such as Fourier transforms,
/// sorting networks, scans and reductions by halves, are loops with barriers. Their counter is a factor or a mask of
/// indices, or the distance between elements. Marks such a loop if it has few iterations and its code stays short: the
/// counter is a constant in each iteration then.
class mark_stage_loops : public llvm::PassInfoMixin<mark_stage_loops> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

}  // namespace dpep::jit
