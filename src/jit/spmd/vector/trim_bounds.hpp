// Restriction of an item loop to the work-items that have an effect: `if (id < bound) …`.
#pragma once

#include "jit/spmd/vector/item_loop.hpp"

namespace llvm {
class AAResults;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit::spmd {

/// If all effects of the loop are guarded by a comparison of the id with a uniform value, makes that value a bound of
/// the loop and removes the comparison: the body needs no mask, and no work-item runs without effect. Returns whether
/// the function's control flow has changed, so that analyses are out of date.
bool trim_bounds(const item_loop &, llvm::DominatorTree &, llvm::ScalarEvolution &, llvm::AAResults &);

}  // namespace dpep::jit::spmd
