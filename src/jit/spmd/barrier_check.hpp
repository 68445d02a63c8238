// DPEP_CHECK: a barrier that not all work-items reach ends the kernel with an error that says where they are.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct barrier;

/// Ends the block where `build` stands. `heads`: where the work-items of a region that left it in different ways have
/// gone; null: out of the kernel.
void report_parted_ways(llvm::IRBuilder<> &build, llvm::ArrayRef<llvm::BasicBlock *> heads,
                        llvm::ArrayRef<barrier> barriers);

}  // namespace dpep::jit::spmd
