// Loads of neighbours at indices that may be negative and then count from the end of an array.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Makes a second version of loads of neighbours at computed positions, as in `table[k] + table[k + 1]` of Python, for
/// vectors whose positions are all nonnegative. There, the positions need no wrapping, so that neighbours have
/// neighbouring addresses, which the vectoriser loads together. A wrapped position is `umin(k, k + length)`, which is
/// k + length for a negative k, since the minimum is that of unsigned numbers; the length must not be negative.
/// Runs immediately before the vectoriser, since SimplifyCFG would merge the versions.
struct version_neighbours_in_tables : llvm::PassInfoMixin<version_neighbours_in_tables> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
