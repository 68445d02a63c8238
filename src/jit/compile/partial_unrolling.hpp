// Marks short inner loops for unrolling by a few iterations.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit {

/// For GPUs, before LLVM's unrolling, whose limits leave most loops as they are: several iterations share the
/// arithmetic of counters and addresses, and their loads wait for memory at the same time. The driver's assembler
/// unrolls few loops.
class mark_short_loops : public llvm::PassInfoMixin<mark_short_loops> {
public:
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit
