// Rows of a work-group side by side: several vectors of work-items in one inner loop.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In loops over rows (marked `dpep.rows` in loops.cpp) whose work-items run a loop together, does several rows in each
/// round of that loop, as many as its running values leave registers for. What is the same for all rows is loaded once,
/// and no row waits for its own last result. After vectorising, where a row is one vector.
void interleave_rows(llvm::Function &, llvm::FunctionAnalysisManager &);

}  // namespace dpep::jit::spmd
