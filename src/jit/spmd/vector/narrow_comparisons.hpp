// Comparison of small 64-bit integers in 32 bits: vectors of these have twice as many lanes.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// For tests of ids' bits, such as `id & distance == 0`, in languages whose ids and integers have 64 bits. Runs
/// immediately before the vectoriser, since InstCombine prefers the wide form. The vectoriser itself narrows
/// comparisons of a bare id.
struct narrow_comparisons : llvm::PassInfoMixin<narrow_comparisons> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
