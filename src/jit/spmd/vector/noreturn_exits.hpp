// Exits of an item loop to code that never returns: failing assertions, exceptions of Python, findings of DPEP_CHECK.
#pragma once

#include <llvm/IR/BasicBlock.h>

namespace dpep::jit::spmd {

/// Replaces a branch to code that never returns by a call of a function outlined from that code. The function does
/// nothing unless its first argument is true. The item loop then has one exit, and code after an assertion needs no
/// masks, since either all lanes have passed the assertion or no code follows.
void outline_noreturn_exits(llvm::BasicBlock &header);

/// Whether the instruction is a call of such a function.
bool is_noreturn_exit(const llvm::Instruction &);

/// Inlines the outlined functions again.
void inline_noreturn_exits(llvm::Function &);

}  // namespace dpep::jit::spmd
