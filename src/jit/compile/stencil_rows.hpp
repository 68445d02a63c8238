// Independent iterations that load the same elements, as neighbouring rows of a stencil do.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Executes two iterations of an independent loop together if its only inner loop loads elements in one iteration that
/// it loads in the next one, too. In `for (i …) for (j …) to[i][j] = f(from[i - 1][j], from[i][j], from[i + 1][j])`,
/// two rows load four rows, not six. Runs before LLVM's loop vectoriser.
struct join_stencil_rows : llvm::PassInfoMixin<join_stencil_rows> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

/// Prefetches the elements of joined rows a page ahead, where hardware prefetchers stop: those that the iteration
/// before has not loaded, and those that are stored. Runs after LLVM's loop vectoriser.
struct prefetch_stencil_rows : llvm::PassInfoMixin<prefetch_stencil_rows> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
