// Uniformity: which values are the same for all work-items of a work-group, and which blocks all of them reach
// together.
#pragma once

#include <llvm/ADT/DenseSet.h>

#include "jit/spmd/work_item.hpp"

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// In a function of lanes, "all work-items" are those of a sub-group. The result is that of the function as analysed;
/// blocks that are split off later count as convergent.
class uniformity {
public:
  explicit uniformity(work_item_function &);
  /// Whether the value is the same for all work-items that use it in convergent code or after a barrier.
  bool is_uniform(const llvm::Value *value) const { return !divergent_values_.contains(value); }
  /// Whether no divergent branch controls the execution of the block.
  bool is_convergent(const llvm::BasicBlock *block) const { return !divergent_blocks_.contains(block); }
  /// Whether the value is uniform and computed from the sub-group's number only. It is recomputed rather than spilled,
  /// since conditions on it select single work-items (single_item_region.hpp).
  bool is_sub_group_arithmetic(const llvm::Value *value) const { return sub_group_arithmetic_.contains(value); }
  /// Marks a value that was created after the analysis as divergent.
  void mark_divergent(const llvm::Value *value) { divergent_values_.insert(value); }

private:
  llvm::DenseSet<const llvm::Value *> divergent_values_, sub_group_arithmetic_;
  llvm::DenseSet<const llvm::BasicBlock *> divergent_blocks_;
};

/// Returns all blocks reached from `block`'s successors before `end` (null: the function's end). `block` itself is
/// included only if it is reached.
llvm::DenseSet<llvm::BasicBlock *> blocks_between(llvm::BasicBlock *block, llvm::BasicBlock *end);

}  // namespace dpep::jit::spmd
