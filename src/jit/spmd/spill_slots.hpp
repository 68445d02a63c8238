// Spilling of values that live across region boundaries to variables of the work-item. Afterwards regions share nothing
// but these variables, so they can be copied and run separately.
#pragma once

#include <vector>

#include "jit/spmd/liveness.hpp"
#include "jit/spmd/local_array_promotion.hpp"

namespace dpep::jit::spmd {

class region_graph;
class uniformity;

/// A variable that is only loaded and stored.
struct spill_slot {
  llvm::AllocaInst *variable;
  bool uniform;  // one value serves the whole work-group
};

class spill_slots {
public:
  /// Rewrites the function. Values that are cheap to compute are recomputed instead of spilled. `further`: variables of
  /// the function that are spill slots already.
  spill_slots(const work_item_function &, const region_graph &, const uniformity &, llvm::ArrayRef<spill_slot> further);

  const std::vector<spill_slot> &all() const { return slots_; }
  /// Liveness by slot number, the index in all().
  const liveness &live() const { return live_; }
  /// The promoted local array, if there is one.
  const std::optional<array_promotion> &promotion() const { return promotion_; }
  /// The slot of a group branch's condition; -1 if no region computes the condition.
  int condition_slot_of(llvm::BasicBlock *group_branch) const;

private:
  llvm::AllocaInst *make_variable(llvm::Instruction &value);
  llvm::AllocaInst *spill(llvm::Instruction &value);
  void spill_condition(llvm::BasicBlock &group_branch);

  const region_graph &regions_;
  std::vector<spill_slot> slots_;
  std::optional<array_promotion> promotion_;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> condition_slot_of_;
  liveness live_;
};

}  // namespace dpep::jit::spmd
