// 64-bit products of vectors of 32-bit numbers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Computes the factors of `u64(x) * u64(y)` in 64 bits, where they are bitwise combinations of halves of other 64-bit
/// numbers, as in counter-based random number generators. x86 multiplies the low halves of 64-bit lanes by one
/// instruction, which ignores the high halves. From narrow factors, LLVM's code generator would compute the halves of a
/// product by three multiplications, and shuffle them. Runs after InstCombine, which prefers the narrow form.
struct widen_factors : llvm::PassInfoMixin<widen_factors> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
