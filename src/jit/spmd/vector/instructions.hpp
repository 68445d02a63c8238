// Emission of single instructions for the active lanes.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

/// Emits the instruction for the lanes of `code.mask`, and registers its value in `code.values`.
void emit_instruction(vector_code &code, llvm::Instruction &);

}  // namespace dpep::jit::spmd
