// Values that outlive a region, turned into variables of the work-item: after this, regions have nothing in common but
// variables, and can be copied and run apart.
#pragma once

#include <vector>

#include "jit/spmd/liveness.hpp"
#include "jit/spmd/shown_cells.hpp"

namespace dpep::jit::spmd {

class region_graph;
class uniformity;

/// A variable that is only ever loaded and stored.
struct cell {
  llvm::AllocaInst *variable;
  bool uniform;  // one for the whole work-group will do
};

class value_cells {
public:
  /// Rewrites the function. Values that are cheap to compute again are, instead of being kept. `further`: variables of
  /// the function that are cells already.
  value_cells(const work_item_function &, const region_graph &, const uniformity &, llvm::ArrayRef<cell> further);

  const std::vector<cell> &all() const { return cells_; }
  /// By the cells' numbers.
  const liveness &live() const { return live_; }
  /// The cell whose values work-items show each other in its slots, if there is one.
  const std::optional<shown_cell> &shown() const { return shown_; }
  /// The cell of what a group branch looks at; -1 when that isn't computed in a region.
  int condition_of(llvm::BasicBlock *group_branch) const;

private:
  llvm::AllocaInst *make_variable(llvm::Instruction &value);
  llvm::AllocaInst *keep(llvm::Instruction &value);
  void keep_condition(llvm::BasicBlock &group_branch);

  const region_graph &regions_;
  std::vector<cell> cells_;
  std::optional<shown_cell> shown_;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> condition_of_;
  liveness live_;
};

}  // namespace dpep::jit::spmd
