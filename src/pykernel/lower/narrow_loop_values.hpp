// A pass that keeps the bounds of searches in 32 bits.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::pykernel {

/// Python's integers have 64 bits, so that a binary search would compute with half as many work-items in a vector as
/// one in C++. A loop's variables are narrowed if intervals show that they stay within 32 bits: with `low < high`,
/// (low + high) // 2 is less than `high`, and one more is at most `high`. Lengths of arrays have known ranges.
struct narrow_loop_values : llvm::PassInfoMixin<narrow_loop_values> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
