// The pass that cuts loops over work-items where quotients of the id change.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// Makes of a loop over work-items that divide their id, as in `i = id / width; j = id % width`, a loop over pieces of
/// the ids. Within a piece the quotients are equal for all work-items and the remainders advance by one, so that memory
/// is accessed as in a range of several dimensions, and no work-item divides. Runs before the vectoriser. The original
/// loop remains for divisors that are small, zero or negative.
struct cut_at_quotients : llvm::PassInfoMixin<cut_at_quotients> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }  // spelt as LLVM's pass manager expects
};

}  // namespace dpep::jit::spmd
