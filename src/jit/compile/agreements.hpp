// Conditions on which work-items that run together agree.
//
// A compiler of kernels may give a loop two versions: one for the common case, and a general one that is right for all
// work-items. Where work-items share a vector, branching on the condition would run both versions, under masks. Instead
// all of them take the general version unless the condition holds for each.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// Emits the value that is true only if the condition holds for this work-item, and for those that run together with
/// it.
llvm::Value *emit_agreement(llvm::Value &condition, llvm::Instruction &before);

/// Replaces agreements by their conditions, for work-items that run alone.
struct drop_agreements : llvm::PassInfoMixin<drop_agreements> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
