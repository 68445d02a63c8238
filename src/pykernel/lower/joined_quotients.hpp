// Quotients and remainders that an address puts together again.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::pykernel {

/// Replaces `(x / n) * n + x % n` by x, also where quotient and remainder are widened first: the index of `tile[k // n,
/// k % n]` in an array whose rows have n elements. Runs before InstCombine, which makes two address computations of the
/// sum.
struct join_quotients : llvm::PassInfoMixin<join_quotients> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
