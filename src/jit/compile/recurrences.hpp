// Shortens the chains of integer minima and maxima by which an iteration of a loop depends on the one before it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// For CPUs, as the last pass: InstCombine would undo it. In `t[j] = min(t[j - 1] + 1, above[j] + 1, cross)`, the value
/// of the iteration before becomes the operand of the last minimum, and all minima become conditional moves. LLVM would
/// compile some of them to branches, which are mispredicted where minima depend on data. Running minima, as in
/// `least = min(least, x[j])`, and constant limits stay as they are: their branches are predicted.
class shorten_recurrences : public llvm::PassInfoMixin<shorten_recurrences> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
