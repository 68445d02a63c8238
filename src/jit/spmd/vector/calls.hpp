// Emission of calls, and of other instructions that have no vector form.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

llvm::Value *emit_call(vector_code &, llvm::CallBase &);
/// Emits a call of a function that outline_noreturn_exits() has made.
void emit_noreturn_exit(vector_code &, llvm::CallInst &);
/// Emits the scalar instruction once for each active lane.
llvm::Value *emit_per_lane(vector_code &, llvm::Instruction &);
/// Whether the instruction may be emitted at its only user, which is emitted once for each lane.
bool can_defer_to_lanes(const vector_code &, const llvm::Instruction &);

}  // namespace dpep::jit::spmd
