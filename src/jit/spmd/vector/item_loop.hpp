// A loop over work-items in the form that the vectoriser requires.
#pragma once

#include <optional>
#include <string>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace llvm {
class DominatorTree;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit::spmd {

/// A loop `for (index = begin; ; ) { body; if (++index == end) break; }`. The body is any reducible control flow that
/// ends in the latch. Values that are used after the loop pass through phis of `exit`.
struct item_loop {
  llvm::Loop *loop;
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  llvm::PHINode *index;
  llvm::Value *begin, *end;
  std::optional<std::uint64_t> count;  // number of work-items, when it is constant

  /// A variable that advances by a constant with each work-item; the index is one.
  struct induction {
    llvm::PHINode *phi;
    std::int64_t step;  // in bytes for pointers
  };
  llvm::SmallVector<induction> inductions;
  /// A phi that carries a value from one work-item to the next although no work-item reads it: it is used after the
  /// loop, where it is the value of the last work-item that has set it.
  struct live_out {
    llvm::PHINode *phi;
    /// For each value in the loop that may be the phi's: whether the work-item has set it, of type i1.
    llvm::DenseMap<const llvm::Value *, llvm::Value *> is_set;
  };
  llvm::SmallVector<live_out> live_outs;
};

/// Whether the loop is marked as one over work-items (loops.cpp).
bool is_item_loop(const llvm::Loop &);

/// Brings the loop and its inner loops into the form above. Empty: not possible, for the reason `why`.
std::optional<item_loop> recognise_item_loop(llvm::Loop &, llvm::DominatorTree &, llvm::LoopInfo &, std::string &why);

/// Narrows phis at the exits of inner loops that hold a counter of the loop, if all their users truncate them: the
/// incoming values are truncated instead. The vector loop keeps each lane's value from the iteration in which the lane
/// leaves the loop, and a vector of narrow values takes fewer registers.
void narrow_live_outs(const item_loop &, llvm::ScalarEvolution &);

}  // namespace dpep::jit::spmd
