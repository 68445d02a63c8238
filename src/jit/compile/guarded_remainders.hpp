// Remainders of 64-bit integers on GPUs, which have no instruction for them: a division takes 40 to 100 instructions.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Divides only where the dividend is negative, or is not smaller than the divisor: `(i + 1) % n` in a grid with
/// periodic borders is `i + 1` for all but the last `i`. Remainders by constants stay as they are.
class guard_remainders : public llvm::PassInfoMixin<guard_remainders> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

}  // namespace dpep::jit
