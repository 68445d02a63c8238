// Disables loop unrolling by the driver's assembler.
#include "jit/targets/nvptx/intrinsics.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace dpep::jit {

void disable_assembler_unrolling(llvm::Function &kernel) {
  if (!kernel.hasFnAttribute(unrolled_attribute)) return;
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) loop->setLoopAlreadyUnrolled();
}

}  // namespace dpep::jit
