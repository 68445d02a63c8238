// Giving values that are copied into each other one variable, so that the copies vanish.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Merges variables that are never wanted at the same time with different values, where one is stored to the other.
/// A sum that is carried round a loop with barriers thus has one slot, and no region exists only to move it. Variables
/// that were merged into others are erased, from the list too.
void coalesce(llvm::Function &, llvm::SmallVectorImpl<llvm::AllocaInst *> &variables);

}  // namespace dpep::jit::spmd
