// Bits of ids below the number of lanes: values such as `id & mask`, and the loop for masks that keep these bits.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Instructions whose lanes are consecutive (`id & ones`) or equal (`id & zeros`, `id >> several`, `id < multiple`),
/// where lane 0's id is a multiple of the number of lanes, and the run-time conditions for that.
struct lane_bits {
  enum class requirement : std::uint8_t { ones, zeros, shift };

  lane_strides always;                                                     // without conditions
  lane_strides strides;                                                    // under the conditions
  llvm::SmallVector<std::pair<llvm::Value *, requirement>, 2> conditions;  // of invariant values

  /// Emits the conditions for vectors of this many lanes.
  llvm::Value *emit_conditions(llvm::IRBuilderBase &, unsigned lanes) const;
};

/// Finds those instructions. Conditions are only for those that addresses depend on.
lane_bits find_lane_bits(const item_loop &, const shapes &, unsigned lanes);

/// Copies the item loop. The copy is executed if the conditions hold, the loop otherwise. Returns the copy's header and
/// replaces the keys of `strides` by their copies.
llvm::BasicBlock *copy_item_loop(const item_loop &, lane_bits &, unsigned lanes);

}  // namespace dpep::jit::spmd
