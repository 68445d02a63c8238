// Sign-extends differences of ids where a branch makes sure that they are not negative.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace dpep::jit::spmd {

/// In `if (x > 0) use(a[x - 1])` of an int x, LLVM zero-extends the index: (x + 2^32 - 1) mod 2^32. For work-items that
/// do not take the branch, this is far from the neighbours' index, so that the lanes of a vector would not be strided.
/// Sign-extends it instead, which is the same wherever the branch is taken.
void sign_extend_guarded_offsets(llvm::Loop &, const llvm::DominatorTree &);

}  // namespace dpep::jit::spmd
