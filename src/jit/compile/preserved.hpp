// The analyses that remain valid after a pass that changes no control flow.
#pragma once

#include <llvm/IR/Analysis.h>

namespace dpep::jit {

inline llvm::PreservedAnalyses preserved(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::jit
