// Whether the remainder of an item loop is one masked vector.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace llvm {
class ScalarEvolution;
class TargetTransformInfo;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Whether the processor has masked instructions for all of the loop's loads and stores, and the remainder is enough of
/// the loop's work to be worth a second copy of its code.
bool is_masked_tail_profitable(const item_loop &, const shapes &, llvm::ScalarEvolution &,
                               const llvm::TargetTransformInfo &, unsigned lanes);

}  // namespace dpep::jit::spmd
