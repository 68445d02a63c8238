// Permutation of a vector's lanes by an order known at run time only.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

/// Lane n of the result is lane `source[n]` of `values`. Both vectors have the same length, and no source is out of
/// range.
llvm::Value *permute_lanes(llvm::IRBuilder<> &, llvm::Value *values, llvm::Value *source);

/// The size of the processor's vector registers.
unsigned register_bits(const llvm::Function &);

}  // namespace dpep::jit::spmd
