// Immediate postdominators of a function, where paths that never return don't count.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

/// LLVM's own postdominators count a failed assertion as a way out of the function, so that no block behind an
/// assertion postdominates one before it, and all code there would look as if only some work-items reached it.
class postdominators {
public:
  explicit postdominators(llvm::Function &);
  /// Where all returning paths from the block meet first; null when they don't before the function's end.
  llvm::BasicBlock *immediate(llvm::BasicBlock *block) const { return immediate_.lookup(block); }

private:
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> immediate_;
};

}  // namespace dpep::jit::spmd
