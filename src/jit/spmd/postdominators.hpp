// Immediate postdominators of a function, without regard to paths that never return.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

/// LLVM's postdominator tree treats a failed assertion as a function exit. No block after an assertion then
/// postdominates one before it, and all code after it would seem to be reached by some work-items only.
class postdominators {
public:
  explicit postdominators(llvm::Function &);
  /// Returns the first block that all returning paths from `block` share; null if they share none.
  llvm::BasicBlock *immediate(llvm::BasicBlock *block) const { return immediate_.lookup(block); }

private:
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> immediate_;
};

}  // namespace dpep::jit::spmd
