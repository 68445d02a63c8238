// Which values are the same for all work-items of a work-group, and which code all of them reach together.
#pragma once

#include <llvm/ADT/DenseSet.h>

#include "jit/spmd/work_item.hpp"

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Where lanes are counted, "all work-items" are those of a sub-group. Holds for the function as it was when analysed;
/// blocks that are split off later count as reached together.
class uniformity {
public:
  explicit uniformity(work_item_function &);
  /// The same for all work-items that use it after having met at a barrier, or in code that they reach together.
  bool uniform(const llvm::Value *value) const { return !divergent_.contains(value); }
  /// No branch on the way here is one that work-items may take differently.
  bool reached_together(const llvm::BasicBlock *block) const { return !apart_.contains(block); }
  /// The same for all, and nothing but arithmetic on the sub-group's number: leaders are told by it, so it is better
  /// seen than kept.
  bool of_sub_group_id(const llvm::Value *value) const { return of_sub_group_id_.contains(value); }
  /// Says of a value that has been made since.
  void differs(const llvm::Value *value) { divergent_.insert(value); }

private:
  llvm::DenseSet<const llvm::Value *> divergent_, of_sub_group_id_;
  llvm::DenseSet<const llvm::BasicBlock *> apart_;
};

/// All blocks that are reached from `block`'s successors before `end` (null: anywhere), `block` itself included only
/// if it is.
llvm::DenseSet<llvm::BasicBlock *> blocks_between(llvm::BasicBlock *block, llvm::BasicBlock *end);

}  // namespace dpep::jit::spmd
