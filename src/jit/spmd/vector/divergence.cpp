// The shape analysis of control flow: divergent branches and loops, and the joins of divergent paths.
#include <map>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

bool shapes::mark_divergent(llvm::BasicBlock *block) {
  const llvm::Instruction *end = block->getTerminator();
  if (block == items_.latch || divergent_branches_.contains(block) || end->getNumSuccessors() < 2) return false;
  const shape condition = of(end->getOperand(0));
  if (condition.kind == shape_kind::unknown || condition.is_uniform()) return false;
  divergent_branches_.insert(block);
  propagate_divergence(llvm::SmallVector<llvm::BasicBlock *>(llvm::successors(block)), loops_.getLoopFor(block));
  return true;
}

void shapes::mark_divergent(llvm::Loop *loop) {
  if (!divergent_loops_.insert(loop).second) return;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop->getUniqueExitBlocks(exits);
  divergent_exits_.insert(exits.begin(), exits.end());
  propagate_divergence(exits, loop->getParentLoop());
}

// As LLVM's SyncDependenceAnalysis: each path carries as a label the block at which it last diverged from others.
// Blocks that are reached with two labels are joins, and become the label of the paths behind them. Loops inside the
// level count as one node.
void shapes::propagate_divergence(llvm::ArrayRef<llvm::BasicBlock *> targets, llvm::Loop *level) {
  std::map<unsigned, llvm::BasicBlock *> todo;  // by position, so that a block follows all its predecessors
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> labels;
  llvm::SetVector<llvm::BasicBlock *> exits_reached;  // of the level
  bool header_reached = false;
  const auto reach = [&](llvm::BasicBlock *target, llvm::BasicBlock *label) {
    if (target == level->getHeader()) {
      header_reached = true;
      return;
    }
    const auto [known, first] = labels.try_emplace(target, label);
    if (!first && known->second != label) {
      known->second = target;
      joins_.insert(target);
    }
    if (!level->contains(target))
      exits_reached.insert(target);
    else
      todo.emplace(position_.lookup(target), target);
  };
  for (llvm::BasicBlock *target : targets) reach(target, target);
  while (!todo.empty()) {
    llvm::BasicBlock *block = todo.begin()->second;
    todo.erase(todo.begin());
    if (block == items_.latch) continue;
    llvm::BasicBlock *label = labels.lookup(block);
    llvm::Loop *inner = loops_.getLoopFor(block);
    if (inner == level) {
      if (todo.empty() && exits_reached.empty() && !header_reached) return;  // all paths have joined
      for (llvm::BasicBlock *target : llvm::successors(block)) reach(target, label);
    } else {
      while (inner->getParentLoop() != level) inner = inner->getParentLoop();
      llvm::SmallVector<llvm::BasicBlock *> exits;
      inner->getUniqueExitBlocks(exits);
      for (llvm::BasicBlock *target : exits) reach(target, label);
    }
  }
  if (!exits_reached.empty() && (header_reached || exits_reached.size() > 1)) mark_divergent(level);
}

}  // namespace dpep::jit::spmd
