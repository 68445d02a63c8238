// Takes the first and the last iteration out of loops which test whether an iteration is one of them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Peels the first or last iteration of innermost loops that one work-item executes, if in all others indices or
/// branches are simpler: (j + 1) % n, min(j + 1, n - 1) and `j + 1 if j < n - 1 else 0` are j + 1, and `if j > 0`
/// holds. LLVM's vectoriser then finds contiguous accesses without masks. Runs before fold_counter_remainders, which
/// folds the remainders in loops that are not peeled.
struct peel_border_iterations : llvm::PassInfoMixin<peel_border_iterations> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
