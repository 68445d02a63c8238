// Lowering of masked loads and stores that the processor has no instruction for, to short loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// LLVM's code generator makes a branch and a block for every lane of such an access: a kernel with some hundred of
/// them, 16 or 32 lanes wide, gets tens of thousands of blocks, over which register allocation takes more than linear
/// time. This pass makes each a loop over the active lanes, which is no slower; contiguous accesses become plain vector
/// accesses if all lanes are active. A store that has one lane, known at compile time, becomes a scalar store.
struct lower_masked_accesses : llvm::PassInfoMixin<lower_masked_accesses> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
