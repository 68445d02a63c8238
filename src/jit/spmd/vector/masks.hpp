// Operations on lane masks: vectors of i1.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

inline bool is_all_lanes(const vector_code &code, const llvm::Value *mask) { return mask == code.all_lanes; }

// The operations emit no code for constant masks.
llvm::Value *mask_and(vector_code &, llvm::Value *a, llvm::Value *b);
llvm::Value *mask_or(vector_code &, llvm::Value *a, llvm::Value *b);
llvm::Value *mask_not(vector_code &, llvm::Value *mask);
/// Whether any lane is active, as an i1.
llvm::Value *any_lane(vector_code &, llvm::Value *mask);
/// Whether all lanes are active, as an i1.
llvm::Value *every_lane(vector_code &, llvm::Value *mask);
llvm::Value *mask_as_integer(vector_code &, llvm::Value *mask);
/// `a` in active lanes, `b` in the others; of vectors, and of structures and arrays of these.
llvm::Value *select_lanes(vector_code &, llvm::Value *mask, llvm::Value *a, llvm::Value *b);

}  // namespace dpep::jit::spmd
