// A loop over work-items, as the vectoriser wants it.
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

/// for (index = begin; ; ) { body; if (++index == end) break; } The body may be any reducible control flow that ends in
/// the latch; everything that lives on after the loop does so through phis of `exit`.
struct item_loop {
  llvm::Loop *loop;
  llvm::BasicBlock *before, *header, *latch, *exit;
  llvm::PHINode *index;
  llvm::Value *begin, *end;
  std::optional<std::uint64_t> count;  // of work-items, when it is known

  /// A variable that advances by a constant with each work-item; the index is one.
  struct counter {
    llvm::PHINode *phi;
    std::int64_t step;  // of pointers: in bytes
  };
  llvm::SmallVector<counter> counters;
  /// Values handed from one work-item to the next that none looks at: what the last one leaves behind.
  llvm::SmallVector<llvm::PHINode *> passed_on;
};

/// Whether the loop is marked as one over work-items (loops.cpp).
bool is_item_loop(const llvm::Loop &);

/// Brings the loop and those inside into the form above. Empty: it has another one; `why` says which.
std::optional<item_loop> recognise(llvm::Loop &, llvm::DominatorTree &, llvm::LoopInfo &, std::string &why);

/// What a loop inside leaves with is kept for each lane from when it leaves: a counter that is only wanted in fewer
/// bits is cut to them before.
void narrow_left_values(const item_loop &, llvm::ScalarEvolution &);

}  // namespace dpep::jit::spmd
