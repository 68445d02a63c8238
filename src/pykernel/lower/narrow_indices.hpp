// A pass that computes indices from floating-point numbers in 32 bits.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::pykernel {

/// Python's `int(x)` has 64 bits, which vectors of floats convert in two halves. If it is an index of an axis of less
/// than 2^31 elements, as in look-ups with interpolation and in histograms, 32 bits are enough: other numbers are no
/// valid indices. Limits (`min(int(x), n - 1)`) and comparisons are done with the nearest number of 32 bits. Other uses
/// are allowed where the number has been limited on both sides, or is certain to be used as an index.
///
/// Replaces the placeholders of wrapped_indices.hpp by those of 32 bits.
struct narrow_indices : llvm::PassInfoMixin<narrow_indices> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
