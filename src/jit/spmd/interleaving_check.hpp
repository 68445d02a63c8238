// A pass before LLVM's loop vectoriser, which saves work-items from a mistake that it makes in parallel loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In a loop that is marked parallel, LLVM looks for no dependences at all, not even those within an iteration. But it
/// moves accesses within the iteration when it puts those of neighbouring addresses together (`a[2*i]`, `a[2*i+1]`):
/// loads up to the first of them, stores down to the last, past whatever is between. Where something between may touch
/// the same memory, this pass takes the mark off, and the vectoriser does its own analysis.
struct interleaving_check : llvm::PassInfoMixin<interleaving_check> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
