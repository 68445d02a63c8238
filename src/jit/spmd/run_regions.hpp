// A kernel cut at its barriers, and all its regions put into the function that runs them one after the other: the same
// for the work-items of a work-group, for the lanes of a sub-group, and for the sub-groups of a work-group.
#pragma once

#include <vector>

#include "jit/spmd/cells.hpp"
#include "jit/spmd/exchanges.hpp"
#include "jit/spmd/region_code.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {

/// Takes the barriers out of the item's function, and values that outlive regions into cells.
struct cut_function {
  explicit cut_function(work_item_function &);

  work_item_function &item;
  llvm::SmallVector<barrier> barriers;
  uniformity uniform;
  std::vector<exchange> exchanges;
  region_graph graph;
  value_cells cells;
};

struct region_counts {
  unsigned all = 0;
  unsigned for_every_item = 0;  // are loops
  unsigned choosing = 0;        // find out when running what comes after them
};

/// Where the regions run: see group_context.
struct region_place {
  std::array<llvm::Value *, 3> group_id;
  llvm::Value *sub_group = nullptr;
  llvm::BasicBlock *finished;
  std::vector<const llvm::Value *> *lane_counts = nullptr;  // gets where loops over lanes end
};

/// Adds the code where `build` stands. The item's function is empty then.
region_counts run_regions(const cut_function &, const entry_frame &, llvm::IRBuilder<> &build, const region_place &);

}  // namespace dpep::jit::spmd
