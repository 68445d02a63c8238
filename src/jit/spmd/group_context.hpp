// What the emission of all regions of a work-group or sub-group shares.
#pragma once

#include <array>
#include <vector>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/axis_order.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/work_item.hpp"

namespace llvm {
class DominatorTree;
}

namespace dpep::jit::spmd {

class region_graph;
class spill_slots;
struct barrier;
struct group_memory;
struct shuffle;

/// The context shared by all regions of a work-group or sub-group.
struct group_context {
  work_item_function &item;
  const entry_frame &frame;
  const region_graph &graph;
  const spill_slots &slots;
  const group_memory &memory;
  const llvm::DominatorTree &dominators;  // of the item's function
  std::array<llvm::Value *, 3> group_id;
  axis_order order;                // of the loops over work-items
  llvm::Value *sub_group;          // its number, in a sub-group's code
  llvm::BasicBlock *return_block;  // the target of the work-items' returns
  llvm::ArrayRef<barrier> barriers;
  llvm::ArrayRef<shuffle> shuffles;
  llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)>
      start_of;                                           // the first block of a region's code, by its head
  llvm::SmallVectorImpl<llvm::AllocaInst *> &promotable;  // variables for mem2reg at the end
  std::vector<const llvm::Value *> *lane_counts;          // output: the bounds of loops over lanes
};

}  // namespace dpep::jit::spmd
