// Unroll and jam of loops over a work-group's rows: several vectors of work-items in one inner loop.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In loops over rows (marked `dpep.rows` in loops.cpp) whose work-items run an inner loop in lockstep, processes
/// several rows in each iteration of that loop, as many as its accumulators leave registers for. Values that are the
/// same for all rows are loaded once, and the rows' dependence chains overlap. Runs after vectorisation, when a row is
/// one vector.
void unroll_and_jam_rows(llvm::Function &, llvm::FunctionAnalysisManager &);

}  // namespace dpep::jit::spmd
