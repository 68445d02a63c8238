// Conversions of floating-point numbers to integers of 64 bits, where minima and maxima show that 32 bits are enough.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::pykernel {

/// uint32(min(max(x, 0), 1023)) is a conversion to 64 bits whose upper half is dropped, as NumPy's result of numbers
/// beyond 2^31 requires. Processors convert twice as many numbers to 32 bits at once.
struct narrow_conversions : llvm::PassInfoMixin<narrow_conversions> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
