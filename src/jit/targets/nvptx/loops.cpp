// Loops that the driver's assembler should leave as they are.
#include "jit/targets/nvptx/intrinsics.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace dpep::jit {

void leave_loops_to_us(llvm::Function &kernel) {
  if (!kernel.hasFnAttribute(unrolled_already)) return;
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) loop->setLoopAlreadyUnrolled();
}

}  // namespace dpep::jit
