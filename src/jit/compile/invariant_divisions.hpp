// Divisions by numbers that do not change in a loop, or that many divisions of a block share.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// For processors with fused multiply-adds, after vectorisation: divides vectors by such a number with three of them,
/// where the division instruction takes four times as long. The quotients are the same to the last bit.
class divide_by_invariants : public llvm::PassInfoMixin<divide_by_invariants> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
