// Emission of the vector loop of an item loop: its control flow with lane masks, and its instructions for all lanes.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/interleave_groups.hpp"
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
    llvm::PostDominatorTree &postdominators;
    llvm::LoopInfo &loops;
    const llvm::TargetTransformInfo &target;
    bool scalarised = false;  // the vectors will be scalarised afterwards: no gathers
  };
  vector_code(const item_loop &, const private_layout &, const shapes &, unsigned lanes, const analyses &);

  /// Emits the vector loop before the item loop. The remainder is one masked vector, or the item loop without a tail.
  void emit(bool with_tail);

private:
  // Control flow (control_flow.cpp, inner_loops.cpp, skip_branches.cpp). The blocks of a loop, each inner loop counted
  // as one, are emitted in an order in which a block is directly followed by all blocks that it dominates. So the code
  // that a branch skips is contiguous.

  /// The lanes that reach a block that is not emitted yet, and the values of its phis.
  struct incoming {
    llvm::Value *mask = nullptr;  // null: no edge to the block so far
    bool nonempty = false;        // at least one lane is active
    llvm::MapVector<llvm::PHINode *, llvm::Value *> values;
  };
  using incoming_map = llvm::MapVector<llvm::BasicBlock *, incoming>;
  struct predecessor {
    llvm::BasicBlock *end;  // its branch to the join is emitted at the end of this block
    incoming_map pending;
  };
  struct active_lanes {
    llvm::Value *mask;
    bool nonempty;
  };

  void emit_subtree(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_children(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_block(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_loop(llvm::Loop *loop, incoming entered);
  void exit_outer_loop(llvm::Loop *left, llvm::Loop *level);
  void emit_uniform_branch(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_divergent_branch(llvm::BasicBlock *block);
  void add_edge(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask, bool nonempty);
  void exit_loop(llvm::Loop *level);
  bool no_active_lanes(llvm::Loop *level) const;
  void join(llvm::BasicBlock *where, llvm::MutableArrayRef<predecessor>);
  incoming take_incoming(llvm::BasicBlock *);
  active_lanes active_lanes_at(llvm::BasicBlock *block, const incoming &);
  bool needs_skip_branch(llvm::BasicBlock *block, llvm::Loop *level) const;
  bool is_level_node(llvm::BasicBlock *block, llvm::Loop *level) const;
  llvm::BasicBlock *level_node_of(llvm::BasicBlock *block, llvm::Loop *level) const;
  void set_phi(llvm::PHINode &phi, llvm::Value *value);
  llvm::Value *phi_value(llvm::PHINode &phi, llvm::Value *value);
  llvm::Type *phi_type(const llvm::PHINode &phi) const;
  llvm::BasicBlock *new_block(const llvm::Twine &name);
  void start_block(llvm::BasicBlock *);

  // The loop around (vector_loop.cpp).
  using header_values = llvm::MapVector<llvm::PHINode *, llvm::Value *>;
  struct iteration_end {
    header_values next;       // values of the header's phis in the next iteration
    header_values live_outs;  // values of the exit's phis
    llvm::BasicBlock *block = nullptr;
  };
  iteration_end emit_iteration(const header_values &at_start, llvm::Value *mask, llvm::Value *last_lane);
  void emit_masked_tail(llvm::BasicBlock *tail, const header_values &at_start);
  llvm::Value *emit_assumption_checks();
  void create_lane_variables();
  void mark_vectorised(llvm::Instruction *back_edge, bool unroll = true);

  // Masks (masks.cpp): vectors of i1.
  llvm::Value *mask_and(llvm::Value *a, llvm::Value *b);
  llvm::Value *mask_or(llvm::Value *a, llvm::Value *b);
  llvm::Value *mask_not(llvm::Value *a);
  llvm::Value *any_lane(llvm::Value *mask);
  llvm::Value *mask_as_integer(llvm::Value *mask);
  llvm::Value *compare_with_bound(llvm::CmpInst &);
  llvm::Value *test_bits(llvm::CmpInst &);  // bit_tests.cpp
  llvm::Value *select_lanes(llvm::Value *mask, llvm::Value *a, llvm::Value *b);
  bool is_all_lanes(const llvm::Value *mask) const { return mask == all_; }

  // Instructions (instructions.cpp, calls.cpp), for the lanes of `mask_`.
  void emit_instruction(llvm::Instruction &);
  void emit_first_lane(llvm::Instruction &);
  llvm::Value *emit_wide(llvm::Instruction &);
  llvm::Value *emit_arithmetic(llvm::BinaryOperator &);
  llvm::Value *emit_address(llvm::GetElementPtrInst &);
  llvm::Value *emit_select(llvm::SelectInst &);
  llvm::Value *emit_call(llvm::CallBase &);
  llvm::Value *emit_intrinsic(llvm::IntrinsicInst &);
  void emit_noreturn_exit(llvm::CallInst &);
  llvm::Value *emit_lane_interleaved_address(llvm::GetElementPtrInst &);
  /// Emits the scalar instruction once for each active lane.
  llvm::Value *emit_per_lane(llvm::Instruction &);
  llvm::Value *emit_for_lane(llvm::Instruction &, llvm::Value *lane);
  bool can_defer_to_lanes(const llvm::Instruction &) const;

  // Memory (memory.cpp, interleaved_access.cpp, permuted_access.cpp, atomics.cpp).
  llvm::Value *emit_load(llvm::LoadInst &);
  void emit_store(llvm::StoreInst &);
  llvm::Value *group_address(const interleave_group &, const llvm::Instruction &access, std::uint64_t element);
  llvm::Value *group_mask(const interleave_group &, std::uint64_t start);
  void load_group(const interleave_group &);
  void store_group(const interleave_group &);
  bool is_permuted_block(const llvm::Value *pointer, llvm::Type *element) const;
  void emit_permuted_id(llvm::Instruction &);
  void for_each_register(llvm::Value *pointer, llvm::Type *element,
                         llvm::function_ref<void(unsigned, unsigned, llvm::Value *, llvm::Value *)> use);
  llvm::Value *permuted_mask(unsigned first, unsigned count, llvm::Value *order);
  llvm::Value *load_permuted(llvm::LoadInst &);
  void store_permuted(llvm::StoreInst &);
  llvm::Value *emit_atomic(llvm::AtomicRMWInst &);
  llvm::Value *last_active_lane(llvm::Value *value);
  /// Alignment of the access as a vector: inactive lanes may be at addresses that are aligned less than the others'.
  static llvm::Align lane_alignment(const llvm::Instruction &access);
  void copy_metadata(llvm::Instruction *made, const llvm::Instruction &from);

  const item_loop &items_;
  const private_layout &variables_;
  const shapes &shapes_;
  const analyses &analyses_;
  const unsigned lanes_;
  llvm::Constant *const all_, *const none_;  // masks
  llvm::IRBuilder<> build_;
  llvm::BasicBlock *preheader_;  // of the vector loop
  lane_values values_;

  incoming_map pending_;   // of blocks that are not emitted yet
  bool reachable_ = true;  // whether the insertion point is reachable
  llvm::DenseMap<llvm::BasicBlock *, active_lanes> active_lanes_;
  llvm::DenseMap<llvm::Loop *, llvm::SmallVector<predecessor>> loop_exits_;  // blocks at which loops are left
  llvm::Value *mask_ = nullptr;                                              // of the current block
  std::optional<interleave_groups> groups_;                                  // of the current block
  llvm::DenseSet<const llvm::Value *> deferred_;  // computed lane by lane, at their only user
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Value *>> lane_variables_;
};

}  // namespace dpep::jit::spmd
