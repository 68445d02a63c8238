// The code of one region in a work_function: a copy of its blocks in loops over the work-items, and the jump to what
// follows.
#pragma once

#include <vector>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/work_item.hpp"

namespace llvm {
class DominatorTree;
}

namespace dpep::jit::spmd {

class region_graph;
class value_cells;
struct barrier;
struct exchange;
struct group_memory;
struct region;
struct shown_in_region;

/// What all regions of a work-group or sub-group have in common.
struct group_context {
  work_item_function &item;
  const entry_frame &frame;
  const region_graph &graph;
  const value_cells &cells;
  const group_memory &memory;
  const llvm::DominatorTree &dominators;  // of the item's function
  std::array<llvm::Value *, 3> group_id;
  llvm::Value *sub_group;      // its number, in the code of one
  llvm::BasicBlock *finished;  // where goes who has returned
  llvm::ArrayRef<barrier> barriers;
  llvm::ArrayRef<exchange> exchanges;
  llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> start_of;  // the code of the region with this head
  llvm::SmallVectorImpl<llvm::AllocaInst *> &promotable;                // variables to be made values in the end
  std::vector<const llvm::Value *> *lane_counts;                        // gets where loops over lanes end
};

class region_code {
public:
  region_code(const group_context &context, const region &where);
  /// Fills `start`, an empty block.
  void make(llvm::BasicBlock *start);

  // Of code that is made.
  bool runs_for_every_item() const { return !loops_.empty(); }
  /// It is only known when running what comes after it.
  bool chooses_successor() const { return taken_ != nullptr; }

private:
  // What happens after the region: the head of the next one, or the group branch to take; neither: the group returns.
  using successor = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
  struct leaving {
    llvm::BasicBlock *block;  // passed by each work-item that leaves this way
    llvm::BitVector kept;     // cells that the region has written and that are wanted later
  };

  void meet();
  void forget_dead_lanes();
  void find_exits();
  bool has_effect(const llvm::Instruction &) const;
  void open_loops();
  bool checks_ways() const;
  bool moves_shown() const;
  llvm::BasicBlock *before_check();
  void close_loops();
  void map_names();
  void show_to_debuggers(llvm::AllocaInst &variable, llvm::Value *address);
  void load_cells();
  void copy_blocks();
  void keep_cells();
  const shown_in_region *with_shown() const;
  void show();
  llvm::Value *slots_of(unsigned cell, bool to_store);
  void mark_accesses(llvm::BasicBlock &);
  void go_on();
  llvm::BasicBlock *continuation(const successor &);
  llvm::AllocaInst *variable(llvm::Type *, const llvm::Twine &name);

  const group_context &context_;
  const region &where_;
  llvm::IRBuilder<> build_;
  llvm::ValueToValueMapTy copies_;
  llvm::MapVector<unsigned, llvm::AllocaInst *> own_;  // by cell: its value for the work-item that runs
  llvm::MapVector<successor, leaving> exits_;          // in an order that doesn't depend on addresses
  llvm::AllocaInst *taken_ = nullptr;                  // the exit's number, where there are several
  llvm::SmallVector<counting_loop> loops_;
  std::array<llvm::Value *, 3> local_id_{};
  llvm::Value *linear_id_ = nullptr;
  llvm::BasicBlock *item_done_ = nullptr;  // where a work-item goes that has finished the region
  llvm::MDNode *accesses_ = nullptr;
};

}  // namespace dpep::jit::spmd
