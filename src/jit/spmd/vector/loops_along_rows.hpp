// Unrolling of inner loops over consecutive elements, of a different row of an array for each work-item.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In `for (k = 0; k < length; k++) sum += x[id * length + k]`, the elements of a vector's lanes are far apart, and
/// gathers load one after the other. Unrolls the inner loop by four (LLVM's UnrollLoop), so that each lane loads four
/// neighbouring elements by one vector load (interleave_groups.hpp). Runs directly before the vectoriser. InstCombine,
/// which it needs, joins the versions of neighbours in tables (neighbours_in_tables.hpp) of a kernel that has both.
struct unroll_loops_along_rows : llvm::PassInfoMixin<unroll_loops_along_rows> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
