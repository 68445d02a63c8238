// Constant offsets in addresses.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace dpep::jit::spmd {

/// Separates constants from indices, `p[4 * i + 1]` becoming `(p + 4 * i)[1]`, so that neighbouring accesses have one
/// base.
void separate_constant_offsets(const llvm::Loop &items);

}  // namespace dpep::jit::spmd
