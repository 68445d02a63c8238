// Marks loops over the elements of small private arrays for full unrolling.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace dpep::jit {

/// A loop pass, before LLVM's full unrolling. An array whose indices are all constants afterwards is in registers; on a
/// GPU, other arrays of a work-item are in memory. Marks a loop with a constant number of iterations only if all
/// accesses to such an array have constant indices once it and other such loops are unrolled.
class mark_private_array_loops : public llvm::PassInfoMixin<mark_private_array_loops> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);
};

}  // namespace dpep::jit
