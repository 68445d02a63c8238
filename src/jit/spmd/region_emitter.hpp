// The code of one region in a work_function: a copy of its blocks in loops over the work-items, and the branch to the
// next region.
#pragma once

#include <array>
#include <utility>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "jit/spmd/group_context.hpp"
#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {

struct region;
struct region_promotion;

class region_emitter {
public:
  region_emitter(const group_context &context, const region &code);
  /// Emits the code from `start`, an empty block, on.
  void emit(llvm::BasicBlock *start);

  // Properties of the emitted code.
  bool has_item_loops() const { return !loops_.empty(); }
  /// Whether the next region is selected at run time.
  bool has_dynamic_exit() const { return exit_number_ != nullptr; }

private:
  // The next region's head, or the group branch to take, or, if both are null, the group's return.
  using successor = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
  struct region_exit {
    llvm::BasicBlock *block;   // executed by each work-item that takes this exit
    llvm::BitVector live_out;  // slots that the region writes and that are live after it
  };

  void emit_group_barrier();
  void start_lane_lifetimes();
  void find_exits();
  bool has_effect(const llvm::Instruction &) const;
  void open_loops();
  bool checks_exits() const;
  bool copies_pending_values() const;
  llvm::BasicBlock *make_divergence_check();
  void close_loops();
  void map_arguments();
  void declare_to_debugger(llvm::AllocaInst &variable, llvm::Value *address);
  void load_slots();
  void copy_blocks();
  void store_slots();
  const region_promotion *double_buffering() const;
  void publish();
  llvm::Value *item_array_start(unsigned slot, bool to_store);
  void mark_accesses(llvm::BasicBlock &);
  void branch_to_successor();
  llvm::BasicBlock *successor_block(const successor &);
  llvm::AllocaInst *make_variable(llvm::Type *, const llvm::Twine &name);

  const group_context &context_;
  const region &region_;
  llvm::IRBuilder<> build_;
  llvm::ValueToValueMapTy copies_;
  llvm::MapVector<unsigned, llvm::AllocaInst *> item_values_;  // the current work-item's value, by slot number
  llvm::MapVector<successor, region_exit> exits_;              // in an order independent of addresses
  llvm::AllocaInst *exit_number_ = nullptr;                    // the exit taken, if there are several
  llvm::SmallVector<counting_loop> loops_;
  std::array<llvm::Value *, 3> local_id_{};
  llvm::Value *linear_id_ = nullptr;
  llvm::BasicBlock *item_done_ = nullptr;  // reached by a work-item at the end of the region
  llvm::MDNode *access_group_ = nullptr;
};

}  // namespace dpep::jit::spmd
