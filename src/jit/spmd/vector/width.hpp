// How many work-items a vector has.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// As many as the elements that the loop mostly computes with fill a vector of the machine's; 1: it isn't worth it.
unsigned natural_lanes(const item_loop &, const llvm::LoopInfo &, const shapes &, unsigned vector_bits);

/// Whether work-items run a loop together that mostly fetches from places that are apart (tables). To gather costs a
/// load for each lane, and more for making a vector of them; a few work-items beside each other without vectors hide
/// the latency as well.
bool fetches_in_step(const item_loop &, const shapes &);

/// How many of these vectors one step should do beside each other, so that none waits for its own last result.
unsigned vectors_beside(const item_loop &, const shapes &);

}  // namespace dpep::jit::spmd
