// Comparisons for all lanes, with cheaper forms for those of ids.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

llvm::Value *emit_comparison(vector_code &, llvm::CmpInst &);

}  // namespace dpep::jit::spmd
