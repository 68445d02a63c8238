// Letting a loop over work-items run only over those that do something: `if (id < bound) …`.
#pragma once

#include "jit/spmd/vector/item_loop.hpp"

namespace llvm {
class AAResults;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Where all that the loop does is behind a comparison of the id with something that is the same for all work-items,
/// the loop gets the bounds that the comparison says, and the comparison goes: what was masked is not, and nothing is
/// run for work-items that do nothing. True: the function's control flow has changed, so analyses are out of date.
bool trim(const item_loop &, llvm::DominatorTree &, llvm::ScalarEvolution &, llvm::AAResults &);

}  // namespace dpep::jit::spmd
