// Loops that only store a constant to elements that are apart, as for j in range(k * k, n, k): is_prime[j] = False.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Keeps LLVM from vectorising such loops: it would compute indices in vectors, and take them apart for the stores.
class keep_scattered_stores : public llvm::PassInfoMixin<keep_scattered_stores> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
