// Emission of an iteration of the item loop: its control flow with lane masks.
#pragma once

#include <llvm/ADT/MapVector.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

/// Emits the body of the item loop once. The blocks of a loop, each inner loop counted as one, are emitted in an order
/// in which a block is directly followed by all blocks that it dominates. So the code that a branch skips is
/// contiguous.
class control_flow {
public:
  explicit control_flow(vector_code &code) : code_(code) {}

  /// Emits the body at the insertion point, for the lanes of `mask`, at least one. The insertion point is then at the
  /// end of the latch.
  void emit_body(llvm::Value *mask);

private:
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

  using carried_phis = llvm::MapVector<llvm::PHINode *, llvm::PHINode *>;
  /// The end of the code before a loop, and the lanes and the values of the header's phis there.
  struct loop_entry {
    llvm::BasicBlock *block;
    llvm::Value *mask;
    llvm::MapVector<llvm::PHINode *, llvm::Value *> values;
  };

  // A level is a loop without the blocks of its inner loops, each of which is one node.
  void emit_subtree(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_children(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_block(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_uniform_branch(llvm::BasicBlock *block, llvm::Loop *level);
  void emit_divergent_branch(llvm::BasicBlock *block);
  bool is_level_node(llvm::BasicBlock *block, llvm::Loop *level) const;
  llvm::BasicBlock *level_node_of(llvm::BasicBlock *block, llvm::Loop *level) const;

  // inner_loops.cpp
  void emit_loop(llvm::Loop *loop, incoming entered);
  carried_phis carry_phis(llvm::BasicBlock &header, const loop_entry &);
  void exit_outer_loop(llvm::Loop *left, llvm::Loop *level);

  // unmasked_loops.cpp
  /// Whether a divergent loop iterates without masks as long as all lanes are active.
  bool has_unmasked_iterations(const llvm::Loop &) const;
  /// Emits these iterations. Sets `entry` to the entry of the masked loop, which the lanes that are left execute.
  void emit_unmasked_iterations(llvm::Loop *, loop_entry &entry, llvm::BasicBlock *after);

  // sparse_loops.cpp
  /// The number of active lanes up to which a divergent loop is executed for one lane after the other; 0: never.
  unsigned max_sparse_lanes(const llvm::Loop &) const;
  /// Emits that. Sets `entry` to the entry of the loop that more lanes execute.
  void emit_sparse_lanes(llvm::Loop *, unsigned max_lanes, loop_entry &entry, llvm::BasicBlock *after);

  void add_edge(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask, bool nonempty);
  void exit_loop(llvm::Loop *level);
  bool no_active_lanes(llvm::Loop *level) const;
  void join(llvm::BasicBlock *where, llvm::MutableArrayRef<predecessor>);
  incoming take_incoming(llvm::BasicBlock *);
  active_lanes active_lanes_at(llvm::BasicBlock *block, const incoming &);
  void set_phi(llvm::PHINode &phi, llvm::Value *value);
  llvm::Value *phi_value(llvm::PHINode &phi, llvm::Value *value);
  llvm::Type *phi_type(const llvm::PHINode &phi) const;
  void start_block(llvm::BasicBlock *);

  vector_code &code_;
  incoming_map pending_;   // of blocks that are not emitted yet
  bool reachable_ = true;  // whether the insertion point is reachable
  bool is_rest_ = false;   // whether a loop after its unmasked iterations is being emitted
  llvm::DenseMap<llvm::BasicBlock *, active_lanes> active_lanes_;
  llvm::DenseMap<llvm::Loop *, llvm::SmallVector<predecessor>> loop_exits_;  // blocks at which loops are left
};

/// Whether a branch must skip the block, and the blocks of the level that it dominates, if no lane is active: they are
/// expensive, or must not be executed then.
bool needs_skip_branch(const vector_code &, llvm::BasicBlock *block, llvm::Loop *level);  // skip_branches.cpp

}  // namespace dpep::jit::spmd
