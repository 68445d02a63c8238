// State shared by the functions that emit the vector loop of an item loop.
#pragma once

#include <optional>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/interleave_groups.hpp"
#include "jit/spmd/vector/lane_values.hpp"
#include "jit/spmd/vector/shapes.hpp"

namespace llvm {
class PostDominatorTree;
class TargetTransformInfo;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Analyses of the function before vectorisation.
struct vector_analyses {
  llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postdominators;
  llvm::LoopInfo &loops;
  const llvm::TargetTransformInfo &target;
  bool scalarised = false;                // the vectors will be scalarised afterwards: no gathers
  disjoint_accesses *disjoint = nullptr;  // arrays that are assumed not to overlap
  llvm::Value *are_disjoint = nullptr;    // the check of that; null: nothing is assumed
};

/// The vector loop while it is emitted.
struct vector_code {
  vector_code(const item_loop &, const private_layout &, const spmd::shapes &, unsigned lanes, const vector_analyses &);

  /// A new block of the vector loop, before the item loop's header.
  llvm::BasicBlock *new_block(const llvm::Twine &name);

  const item_loop &items;
  const private_layout &variables;
  const spmd::shapes &shapes;
  const vector_analyses &analyses;
  const unsigned lanes;
  llvm::Constant *const all_lanes, *const no_lanes;  // masks
  llvm::IRBuilder<> build;
  llvm::BasicBlock *preheader;
  lane_values values;

  // Of the basic block that is being emitted.
  llvm::Value *mask = nullptr;
  std::optional<interleave_groups> groups;
  llvm::DenseSet<const llvm::Value *> deferred;  // computed lane by lane, at their only user
};

/// Marks the loop of this back edge as vectorised, so that LLVM's vectoriser leaves it alone.
void mark_vectorised(llvm::Instruction &back_edge, bool unroll = true);

}  // namespace dpep::jit::spmd
