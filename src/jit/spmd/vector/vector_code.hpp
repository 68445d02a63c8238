// Making the vector loop of an item loop: its control flow with masks, and its instructions for all lanes.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/access_groups.hpp"
#include "jit/spmd/vector/lane_values.hpp"
#include "jit/spmd/vector/shapes.hpp"

namespace llvm {
class IntrinsicInst;
class PostDominatorTree;
class TargetTransformInfo;
}  // namespace llvm

namespace dpep::jit::spmd {

class vector_code {
public:
  struct analyses {
    llvm::DominatorTree &dominators;
    llvm::PostDominatorTree &ends;
    llvm::LoopInfo &loops;
    const llvm::TargetTransformInfo &target;
    bool scalars = false;  // vectors will be taken apart: nothing is to be gathered
  };
  vector_code(const item_loop &, const private_layout &, const shapes &, unsigned lanes, const analyses &);

  /// Puts the vector loop before the item loop. What is left over is done by one more vector, which is not full, or,
  /// without a tail, by the item loop.
  void make(bool with_tail);

private:
  // Control flow (flow.cpp, item_frame.cpp). The blocks of a loop, loops inside counted as one, are made in an order in
  // which everything that a block dominates directly follows it; so what a branch skips is one piece of code.

  /// What has come to a block that is still to be made: the lanes, and the values of its phis.
  struct arrival {
    llvm::Value *mask = nullptr;  // null: nobody so far
    bool surely = false;          // some lane has
    llvm::MapVector<llvm::PHINode *, llvm::Value *> values;
  };
  using state = llvm::MapVector<llvm::BasicBlock *, arrival>;
  struct way {
    llvm::BasicBlock *end;  // its branch to where ways meet is there
    state arrivals;
  };
  struct lanes_here {
    llvm::Value *mask;
    bool surely;
  };

  void make_subtree(llvm::BasicBlock *block, llvm::Loop *level);
  void make_children(llvm::BasicBlock *block, llvm::Loop *level);
  void make_block(llvm::BasicBlock *block, llvm::Loop *level);
  void make_loop(llvm::Loop *loop, arrival entered);
  void leave_further(llvm::Loop *left, llvm::Loop *level);
  void branch_together(llvm::BasicBlock *block, llvm::Loop *level);
  void branch_apart(llvm::BasicBlock *block);
  void go(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask, bool surely);
  void leave(llvm::Loop *level);
  bool nobody_stays(llvm::Loop *level) const;
  void meet(llvm::BasicBlock *where, llvm::MutableArrayRef<way> ways);
  arrival take(llvm::BasicBlock *);
  lanes_here lanes_at(llvm::BasicBlock *block, const arrival &);
  bool wants_jump(llvm::BasicBlock *block, llvm::Loop *level) const;
  bool is_node(llvm::BasicBlock *block, llvm::Loop *level) const;
  llvm::BasicBlock *node_of(llvm::BasicBlock *block, llvm::Loop *level) const;
  void set_phi(llvm::PHINode &phi, llvm::Value *value);
  llvm::Value *phi_value(llvm::PHINode &phi, llvm::Value *value);
  llvm::Type *type_of(const llvm::PHINode &phi) const;
  llvm::BasicBlock *new_block(const llvm::Twine &name);
  void stand_in(llvm::BasicBlock *);

  // The frame (item_frame.cpp).
  using header_values = llvm::MapVector<llvm::PHINode *, llvm::Value *>;
  struct step_end {
    header_values next;  // of the header's phis, a vector further on
    header_values left;  // of the exit's phis
    llvm::BasicBlock *block = nullptr;
  };
  step_end make_step(const header_values &at_start, llvm::Value *mask, llvm::Value *last_lane);
  void make_tail(llvm::BasicBlock *tail, const header_values &at_start);
  llvm::Value *as_assumed();
  void make_variables();
  void mark_vectorised(llvm::Instruction *back_edge, bool unroll = true);

  // Masks (masks.cpp): vectors of bits.
  llvm::Value *both(llvm::Value *a, llvm::Value *b);
  llvm::Value *either(llvm::Value *a, llvm::Value *b);
  llvm::Value *opposite(llvm::Value *a);
  llvm::Value *any(llvm::Value *mask);
  llvm::Value *bits(llvm::Value *mask);  // as an integer
  llvm::Value *compare_with_bound(llvm::CmpInst &);
  llvm::Value *test_bits(llvm::CmpInst &);  // bit_tests.cpp
  llvm::Value *choose(llvm::Value *mask, llvm::Value *a, llvm::Value *b);
  bool is_all(const llvm::Value *mask) const { return mask == all_; }

  // Instructions (instructions.cpp, calls.cpp). `mask_` has the lanes that they are for.
  void make_instruction(llvm::Instruction &);
  void make_first(llvm::Instruction &);
  llvm::Value *make_wide(llvm::Instruction &);
  llvm::Value *make_arithmetic(llvm::BinaryOperator &);
  llvm::Value *make_address(llvm::GetElementPtrInst &);
  llvm::Value *make_choice(llvm::SelectInst &);
  llvm::Value *make_call(llvm::CallBase &);
  llvm::Value *make_intrinsic(llvm::IntrinsicInst &);
  void make_ending(llvm::CallInst &);
  llvm::Value *alternating_address(llvm::GetElementPtrInst &);
  /// Does the instruction for one lane after the other.
  llvm::Value *lane_by_lane(llvm::Instruction &);
  llvm::Value *once(llvm::Instruction &, llvm::Value *lane);
  bool waits_for_lanes(const llvm::Instruction &) const;

  // Memory (memory.cpp, grouped_access.cpp, turned_access.cpp, atomics.cpp).
  llvm::Value *group_address(const access_group &, const llvm::Instruction &access, std::uint64_t element);
  llvm::Value *group_mask(const access_group &, std::uint64_t start);
  void load_group(const access_group &);
  void store_group(const access_group &);
  bool is_block(const llvm::Value *pointer, llvm::Type *element) const;
  void make_exchange(llvm::Instruction &);
  void for_each_piece(llvm::Value *pointer, llvm::Type *element,
                      llvm::function_ref<void(unsigned, unsigned, llvm::Value *, llvm::Value *)> use);
  llvm::Value *piece_of_mask(unsigned first, unsigned count, llvm::Value *order);
  llvm::Value *load_block(llvm::LoadInst &);
  void store_block(llvm::StoreInst &);
  llvm::Value *make_load(llvm::LoadInst &);
  void make_store(llvm::StoreInst &);
  llvm::Value *make_atomic(llvm::AtomicRMWInst &);
  llvm::Value *last_of(llvm::Value *value);  // the last lane's that is here
  /// Of a vector in memory: lanes that are not meant may be at places that are aligned less than the others'.
  static llvm::Align lane_alignment(const llvm::Instruction &access);
  void keep_metadata(llvm::Instruction *made, const llvm::Instruction &from);

  const item_loop &items_;
  const private_layout &variables_;
  const shapes &shapes_;
  const analyses &analyses_;
  const unsigned lanes_;
  llvm::Constant *const all_, *const none_;
  llvm::IRBuilder<> build_;
  llvm::BasicBlock *before_;  // the vector loop
  lane_values values_;

  state arrivals_;
  bool reached_ = true;  // whether code here can be reached at all
  llvm::DenseMap<llvm::BasicBlock *, lanes_here> lanes_at_;
  llvm::DenseMap<llvm::Loop *, llvm::SmallVector<way>> left_;
  llvm::Value *mask_ = nullptr;
  std::optional<access_groups> groups_;          // of the block that is being made
  llvm::DenseSet<const llvm::Value *> waiting_;  // computed lane by lane, by who wants it
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Value *>> variables_made_;
};

}  // namespace dpep::jit::spmd
