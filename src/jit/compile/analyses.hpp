// LLVM's analyses, as the passes that the JIT runs ask for them.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace dpep::jit {

/// Registered by hand: llvm::PassBuilder would do it too, and bring every pass that LLVM has into the library with it.
/// A pass that asks for an analysis which is not here crashes; add it.
struct analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::ModuleAnalysisManager modules;

  llvm::PassInstrumentationCallbacks before_passes;  // an interrupt ends the compilation

  /// Without a target machine, passes know nothing of costs.
  explicit analyses(llvm::TargetMachine *machine = nullptr);
  analyses(const analyses &) = delete;
  analyses &operator=(const analyses &) = delete;
};

}  // namespace dpep::jit
