// How many work-items a vector has.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// As many as the elements that the loop mostly computes with fill a vector of the machine's; 1: it isn't worth it.
unsigned natural_lanes(const item_loop &, const llvm::LoopInfo &, const shapes &, unsigned vector_bits);

}  // namespace dpep::jit::spmd
