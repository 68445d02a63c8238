// Replaces bit casts of vectors that LLVM's Scalarizer leaves.
#pragma once

#include <llvm/IR/Function.h>

namespace dpep::jit::spmd {

/// Replaces bit casts between vectors of different lengths, and between a vector and a number, by shifts of the
/// elements. Elements and numbers have at most 64 bits.
void expand_vector_casts(llvm::Function &);

}  // namespace dpep::jit::spmd
