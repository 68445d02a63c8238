// The pass that runs loops over work-items without the conditions of borders where no work-item is at one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Makes a second version of a loop over work-items which clamp, mirror or wrap the indices of neighbours at borders,
/// as in `a[x > 0 ? x - 1 : 0]` or `a[min(x + 1, n - 1)]`, or which branch on whether they are at one. The second
/// version runs the inner work-items, for which these conditions are constants: its accesses are contiguous and without
/// masks. A loop over few work-items runs in one of the versions, by a test before it. A longer one is cut into pieces.
/// Runs before the vectoriser, and after the pass that cuts at quotients.
struct cut_at_borders : llvm::PassInfoMixin<cut_at_borders> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }  // spelt as LLVM's pass manager expects
};

}  // namespace dpep::jit::spmd
