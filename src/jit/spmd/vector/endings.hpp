// Where a work-item ends the whole kernel: failing assertions, what kernels in Python raise, DPEP_CHECK's findings.
#pragma once

#include <llvm/IR/BasicBlock.h>

namespace dpep::jit::spmd {

/// Takes such ways out of the loop: a branch to code that never returns becomes a call of a function made of that code,
/// which does nothing unless its first argument holds. Then a loop over work-items has one exit, and what lanes do
/// after an assertion needs no masks, since either all have passed it or nothing follows.
void fold_endings(llvm::BasicBlock &header);

/// Whether the instruction is a call of such a function.
bool is_ending(const llvm::Instruction &);

/// Makes branches of the calls again.
void unfold_endings(llvm::Function &);

}  // namespace dpep::jit::spmd
