// Splitting of a kernel at its barriers, and emission of all its regions into the function that runs them one after the
// other. The same code serves the work-items of a work-group, the lanes of a sub-group and the sub-groups of a
// work-group.
#pragma once

#include <vector>

#include "jit/spmd/region_emitter.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/shuffles.hpp"
#include "jit/spmd/spill_slots.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {

/// A work-item's function, from which the barriers are removed, and in which values that live across regions are
/// spilled.
struct split_function {
  explicit split_function(work_item_function &);

  work_item_function &item;
  llvm::SmallVector<barrier> barriers;
  uniformity uniform;
  std::vector<shuffle> shuffles;
  region_graph graph;
  spill_slots slots;
};

/// Numbers of regions, for the remarks.
struct region_counts {
  unsigned all = 0;
  unsigned looped = 0;             // run by every work-item, in loops
  unsigned with_dynamic_exit = 0;  // the next region is selected at run time
};

/// The values that the regions' code uses: see group_context.
struct region_environment {
  std::array<llvm::Value *, 3> group_id;
  axis_order order = usual_axis_order;
  llvm::Value *sub_group = nullptr;
  llvm::BasicBlock *return_block;
  std::vector<const llvm::Value *> *lane_counts = nullptr;  // output: the bounds of loops over lanes
};

/// Emits all regions at the insertion point. Leaves the item's function empty.
region_counts emit_regions(const split_function &, const entry_frame &, llvm::IRBuilder<> &build,
                           const region_environment &);

}  // namespace dpep::jit::spmd
