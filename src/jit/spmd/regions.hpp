// Regions: the parts of a kernel that work-items run without waiting for each other.
//
// A region starts at a head (the kernel's entry, a barrier, …) and consists of all blocks reached from there before the
// next head. A block that is reached from several heads belongs to several regions, each of which gets its own copy.
// This makes the scheme work for any control flow ("continuation-based synchronization").
//
// A branch that all work-items provably take together, and on which barriers depend, is taken once for the whole group,
// between regions: a group branch. Its targets and its immediate postdominator are heads, so that ordinary loops around
// barriers stay loops, without copies.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugLoc.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Use;
}  // namespace llvm

namespace dpep::jit::spmd {

class uniformity;

/// A barrier, at which the function is split.
struct barrier {
  llvm::BasicBlock *block;  // that starts after the barrier
  bool whole_group = true;  // of the work-group, not only of a sub-group
  llvm::DebugLoc location;  // in the kernel's source, if known
};

struct region {
  llvm::BasicBlock *head;
  llvm::SetVector<llvm::BasicBlock *> blocks;  // the head is first
};

class region_graph {
public:
  /// Splits edges, so that a head's phis can be stored at the end of its predecessors.
  region_graph(llvm::Function &, llvm::ArrayRef<barrier> barriers, const uniformity &);

  const std::vector<region> &regions() const { return regions_; }
  bool is_head(llvm::BasicBlock *block) const { return heads_.contains(block); }
  /// Whether the block ends in a group branch.
  bool is_group_branch(llvm::BasicBlock *block) const { return group_branches_.contains(block); }
  /// Whether a value defined in `definition` must live across regions to reach the end of `use`.
  bool crosses(llvm::BasicBlock *definition, llvm::BasicBlock *use, const llvm::DominatorTree &) const;
  /// Whether the spill slots of this head's phis may have been overwritten before `block`, at the end of a predecessor
  /// that did not branch to the head. Existing uses are safe, a new use in `block` is not.
  bool may_be_overwritten(llvm::BasicBlock *head, llvm::BasicBlock *block) const;

private:
  void find_heads(llvm::Function &, llvm::ArrayRef<barrier> barriers, const uniformity &);
  void split_edges_to_heads();
  void find_overwritten();
  void find_regions(llvm::Function &);

  std::vector<region> regions_;
  llvm::SetVector<llvm::BasicBlock *> heads_;
  llvm::DenseSet<llvm::BasicBlock *> group_branches_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> regions_of_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::DenseSet<llvm::BasicBlock *>> overwritten_in_;  // by the phis' head
};

/// Returns the block in which the value is used: for a phi, the incoming block.
llvm::BasicBlock *block_of(const llvm::Use &);

/// Splits the blocks at barriers and removes the barriers. Sub-group shuffles stay, each alone in its block, between
/// two barriers of the sub-group.
llvm::SmallVector<barrier> split_at_barriers(llvm::Function &);

}  // namespace dpep::jit::spmd
