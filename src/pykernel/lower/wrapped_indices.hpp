// Passes that lower index wrapping (negative indices count from the end) once the signs of indices are known.
#pragma once

#include <llvm/IR/PassManager.h>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

/// The name of the placeholder function for wrapping an index. Its arguments are the index, the length of the axis, and
/// whether the index is negative; its result is the index counted from the front. LLVM's passes simplify the arguments
/// but not the call, so that `resolve_wrapped_indices`, which runs after them, often knows the sign.
constexpr const char *wrapped_index_name(machine_type t) {
  return t == machine_type::i32 ? "__dpep_wrapped_index_32" : "__dpep_wrapped_index_64";
}

/// Replaces calls of the placeholder: by arithmetic if the index may be negative, else by the index itself. In an
/// innermost loop that counts up from a variable start (the rows of a sparse matrix), the result is a select on the
/// sign of the start, so that LoopUnswitch can make two loops of it, one of which does no wrapping.
/// `except_short_loops`: leaves calls in loops that will be unrolled, where more is known of the index afterwards.
struct resolve_wrapped_indices : llvm::PassInfoMixin<resolve_wrapped_indices> {
  explicit resolve_wrapped_indices(bool except_short_loops) : except_short_loops_(except_short_loops) {}
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);

private:
  bool except_short_loops_;
};
/// Replaces the selects that remain, in loops that LoopUnswitch has not split, by the arithmetic.
struct drop_index_selections : llvm::PassInfoMixin<drop_index_selections> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
