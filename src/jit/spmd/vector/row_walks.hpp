// Unrolling of inner loops in which each work-item walks along its own row of an array.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In `for (k = 0; k < length; k++) sum += x[id * length + k]`, the elements of a vector's lanes are far apart. Makes
/// four iterations of one, so that each lane loads four neighbouring elements at once (interleave_groups.hpp). Gathers
/// would load one after the other. Runs before the vectoriser.
struct unroll_row_walks : llvm::PassInfoMixin<unroll_row_walks> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
