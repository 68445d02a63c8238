// DPEP_CHECK: the error for a barrier that not all work-items of a group reach.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct barrier;

/// Ends the block at the insertion point of `build` with the error. `heads`: the heads of the regions to which the
/// work-items of one region went on; null stands for the kernel's end.
void report_divergent_exit(llvm::IRBuilder<> &build, llvm::ArrayRef<llvm::BasicBlock *> heads,
                           llvm::ArrayRef<barrier> barriers);

}  // namespace dpep::jit::spmd
