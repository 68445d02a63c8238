// Removes divisions from remainders of loop counters, as in cells[(j + 1) % n] with j from 0 to n - 1.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Within the loop, j % n is j, (j + 1) % n is 0 for the last j and j + 1 for all others, and so on. The same holds for
/// other numbers that were compared with 0 and n. A division takes as long as 20 to 40 other operations.
class fold_counter_remainders : public llvm::PassInfoMixin<fold_counter_remainders> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
