// Indices that may be negative, which count from the end: what becomes of them once it is known which never are.
#pragma once

#include <llvm/IR/PassManager.h>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

/// A function of an index, its axis' length, and whether the index is negative. As one call, none of LLVM's passes
/// takes it apart, before `resolve_wrapped_indices` looks at what they found out.
constexpr const char *wrapped_index_name(machine_type t) {
  return t == machine_type::i32 ? "__dpep_wrapped_index_32" : "__dpep_wrapped_index_64";
}

/// Makes arithmetic of those that may be negative. Where an inner loop counts up from a number that is only known when
/// the kernel runs (the rows of a sparse matrix), it becomes a selection by that number's sign, so that the loop can be
/// split into two: `LoopUnswitch` does that where the loop is short.
struct resolve_wrapped_indices : llvm::PassInfoMixin<resolve_wrapped_indices> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};
/// Takes the selections away that are left in loops which were not split.
struct drop_index_selections : llvm::PassInfoMixin<drop_index_selections> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::pykernel
