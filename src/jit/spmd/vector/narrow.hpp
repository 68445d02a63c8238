// Comparisons of 64-bit integers that are small, in 32 bits: vectors of those have twice as many lanes.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// For tests of ids' bits, such as `id & distance == 0`, in languages whose ids and integers have 64 bits. Runs right
/// before the vectoriser, since InstCombine prefers the wide form. Comparisons of an id itself, the vectoriser knows.
struct narrow_comparisons : llvm::PassInfoMixin<narrow_comparisons> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
