// Coalescing of variables whose values are copied into each other, so that the copies vanish.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Merges variables where one is stored to the other and both are never live with different values. A loop-carried sum
/// in a loop with barriers thus has one slot, and no region exists only to copy it. Erases merged variables, also from
/// the list.
void coalesce(llvm::Function &, llvm::SmallVectorImpl<llvm::AllocaInst *> &variables);

}  // namespace dpep::jit::spmd
