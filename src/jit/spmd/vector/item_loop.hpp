// A loop over work-items in the form that the vectoriser requires.
#pragma once

#include <optional>
#include <string>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace llvm {
class DominatorTree;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit::spmd {

/// for (index = begin; ; ) { body; if (++index == end) break; } The body is any reducible control flow that ends in the
/// latch. Values that are used after the loop pass through phis of `exit`.
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
  /// Phis whose values are carried between work-items but not read by them: only the last one's is used, after the
  /// loop.
  llvm::SmallVector<llvm::PHINode *> live_out_only;
};

/// Whether the loop is marked as one over work-items (loops.cpp).
bool is_item_loop(const llvm::Loop &);

/// Brings the loop and its inner loops into the form above. Empty: not possible, for the reason `why`.
std::optional<item_loop> recognise_item_loop(llvm::Loop &, llvm::DominatorTree &, llvm::LoopInfo &, std::string &why);

/// Truncates live-out counters of inner loops before their phi if all users truncate them: each lane keeps its value
/// from when it leaves the loop.
void narrow_live_outs(const item_loop &, llvm::ScalarEvolution &);

}  // namespace dpep::jit::spmd
