// The parts of a kernel that work-items run without waiting for each other.
//
// A region starts at a head (the kernel's entry, a barrier, …) and is everything that is reached from there before the
// next head. Blocks that are reached from several heads belong to several regions, each of which gets its own copy:
// that is what makes it work for any control flow ("continuation-based synchronization").
//
// Where it is certain that all work-items take a branch together, and barriers depend on it, the branch is taken once
// for the whole group, between regions: a group branch. Its targets and the place where they meet are heads, so that
// ordinary loops around barriers stay loops, with nothing copied.
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

/// Where work-items wait for each other.
struct barrier {
  llvm::BasicBlock *block;  // that it was in front of
  bool of_group = true;     // all of the work-group meet here, not only the lanes of a sub-group
  llvm::DebugLoc place;     // in the kernel's source, if known
};

struct region {
  llvm::BasicBlock *head;
  llvm::SetVector<llvm::BasicBlock *> blocks;  // in an order in which the head is first
};

class region_graph {
public:
  /// Splits edges, so that a head's phis can be written on the way to it.
  region_graph(llvm::Function &, llvm::ArrayRef<barrier> barriers, const uniformity &);

  const std::vector<region> &regions() const { return regions_; }
  bool is_head(llvm::BasicBlock *block) const { return heads_.contains(block); }
  /// Whether the block ends in a group branch.
  bool is_group_branch(llvm::BasicBlock *block) const { return group_branches_.contains(block); }
  /// Whether a value that is made in `definition` has to outlive a region to reach the end of `use`.
  bool crosses(llvm::BasicBlock *definition, llvm::BasicBlock *use, const llvm::DominatorTree &) const;
  /// Whether phis of this head may have been written once more on the way to `place`, by a branch that could have led
  /// to the head: their uses do not mind, but a new one there would.
  bool may_be_rewritten(llvm::BasicBlock *head, llvm::BasicBlock *place) const;

private:
  void find_heads(llvm::Function &, llvm::ArrayRef<barrier> barriers, const uniformity &);
  void split_edges_to_heads();
  void find_rewritten();
  void find_regions(llvm::Function &);

  std::vector<region> regions_;
  llvm::SetVector<llvm::BasicBlock *> heads_;
  llvm::DenseSet<llvm::BasicBlock *> group_branches_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> regions_of_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::DenseSet<llvm::BasicBlock *>> rewritten_in_;  // by the head with the phis
};

/// The block in which the value is wanted, or at whose end, if it is for a phi.
llvm::BasicBlock *place_of(const llvm::Use &);

/// Takes the barriers out of the function. Exchanges between the lanes of a sub-group stay, each between two barriers
/// of the sub-group and alone in its block.
llvm::SmallVector<barrier> split_at_barriers(llvm::Function &);

}  // namespace dpep::jit::spmd
