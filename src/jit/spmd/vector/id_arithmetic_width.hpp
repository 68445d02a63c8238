// 64-bit arithmetic for ids that kernels keep in an int.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Replaces the extension, with its sign, of a 32-bit sum or product of ids, counters and loop invariants, as in `a[(z
/// * ny + y) * nx + x + 1]`, by arithmetic on extended operands. Must run before LICM, which reassociates such sums and
/// drops that they do not wrap around, without which lanes are not known to be consecutive.
struct widen_id_arithmetic : llvm::PassInfoMixin<widen_id_arithmetic> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
