// A pass before LLVM's loop vectoriser that prevents a miscompilation of parallel loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In a loop marked parallel, LLVM does no dependence analysis, not even within an iteration. But it moves accesses
/// within the iteration when it forms interleaved groups of neighbouring addresses (`a[2*i]`, `a[2*i+1]`): loads up to
/// the first member, stores down to the last, past all accesses in between. If one of these may access the same memory,
/// this pass removes the mark, and the vectoriser does its own analysis.
struct interleaving_check : llvm::PassInfoMixin<interleaving_check> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
