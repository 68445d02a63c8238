// Putting the lanes of a vector into another order, known only when running.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

/// Lane n of the result is lane number `source[n]` of `values`, below their number; both are vectors of one length.
llvm::Value *permuted(llvm::IRBuilder<> &, llvm::Value *values, llvm::Value *source);

}  // namespace dpep::jit::spmd
