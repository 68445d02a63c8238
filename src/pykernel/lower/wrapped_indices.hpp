// Passes that lower index wrapping (negative indices count from the end) once the signs of indices are known.
#pragma once

#include <llvm/IR/PassManager.h>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

/// The name of a placeholder function of an index, the axis' length, and whether the index is negative. LLVM's passes
/// do not transform the call, so `resolve_wrapped_indices` can use what they find out about the index.
constexpr const char *wrapped_index_name(machine_type t) {
  return t == machine_type::i32 ? "__dpep_wrapped_index_32" : "__dpep_wrapped_index_64";
}

/// Replaces placeholders: by arithmetic if the index may be negative, else by the index. In an inner loop that counts
/// up from a variable start (the rows of a sparse matrix), the result is a select on the sign of the start, so that
/// LoopUnswitch can split a short loop into two.
struct resolve_wrapped_indices : llvm::PassInfoMixin<resolve_wrapped_indices> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};
/// Removes the selects in loops that were not split.
struct drop_index_selections : llvm::PassInfoMixin<drop_index_selections> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
