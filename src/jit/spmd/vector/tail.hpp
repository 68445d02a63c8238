// Whether what is left over of an item loop is done by a vector that is not full.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace llvm {
class ScalarEvolution;
class TargetTransformInfo;
}  // namespace llvm

namespace dpep::jit::spmd {

/// The machine has masks for all that the loop reads and writes, and what is left over is enough of the loop's work to
/// be worth its code once more.
bool wants_tail(const item_loop &, const shapes &, llvm::ScalarEvolution &, const llvm::TargetTransformInfo &,
                unsigned lanes);

}  // namespace dpep::jit::spmd
