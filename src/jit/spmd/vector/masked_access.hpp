// Masked loads and stores that the processor has no instruction for, as short loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// LLVM's code generator makes a branch and a block for every lane of such an access: a kernel with some hundred of
/// them, 16 or 32 lanes wide, gets tens of thousands of blocks, over which register allocation takes more than linear
/// time. Here each becomes a loop over the lanes that are meant, which is no slower; and where vectors are in memory,
/// a plain access if all lanes are. A store that is known to be one lane's becomes that.
struct lower_masked_accesses : llvm::PassInfoMixin<lower_masked_accesses> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
