// Removes the tests for the first and the last row from remainders of row numbers that are assumed to be below n.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// A thread of a GPU executes several rows at once, of which each is assumed to be below n. So (i + 1) % n is i + 1
/// where row i + 1 is among them, and (i - 1) % n is i - 1 where row i - 1 is: rows that neighbours share are loaded
/// once. Runs after the iterations were interleaved, on what fold_counter_remainders made of the remainders.
struct fold_assumed_remainders : llvm::PassInfoMixin<fold_assumed_remainders> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
