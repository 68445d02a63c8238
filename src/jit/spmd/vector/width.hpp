// How many work-items a vector has.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// As many as the elements that the loop mostly computes with fill a vector of the machine's; 1: it isn't worth it.
unsigned natural_lanes(const item_loop &, const llvm::LoopInfo &, const shapes &, unsigned vector_bits);

/// How many of these vectors one step should do beside each other, so that none waits for its own last result.
unsigned vectors_beside(const item_loop &, const shapes &);

}  // namespace dpep::jit::spmd
