// The LLVM analyses that the JIT's passes use.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace dpep::jit {

/// Analysis managers with the analyses registered one by one: llvm::PassBuilder would link every pass of LLVM into the
/// library. A pass that requires an analysis that is not registered crashes; register it in analyses.cpp.
struct analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::ModuleAnalysisManager modules;

  llvm::PassInstrumentationCallbacks before_passes;  // cancel the compilation after an interrupt

  /// Without a target machine, passes use LLVM's generic cost model.
  explicit analyses(llvm::TargetMachine *machine = nullptr);
  analyses(const analyses &) = delete;
  analyses &operator=(const analyses &) = delete;
};

}  // namespace dpep::jit
