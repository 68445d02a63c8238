// The analysis's part about control flow: where work-items' ways part, and where they meet again.
#include <map>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

bool shapes::part_at(llvm::BasicBlock *block) {
  const llvm::Instruction *end = block->getTerminator();
  if (block == items_.latch || parting_.contains(block) || end->getNumSuccessors() < 2) return false;
  const shape condition = of(end->getOperand(0));
  if (condition.what == shape::kind::unknown || condition.is_uniform()) return false;
  parting_.insert(block);
  part_ways(block, llvm::SmallVector<llvm::BasicBlock *>(llvm::successors(block)), loops_.getLoopFor(block));
  return true;
}

void shapes::part_loop(llvm::Loop *loop) {
  if (!parting_loops_.insert(loop).second) return;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop->getUniqueExitBlocks(exits);
  late_exits_.insert(exits.begin(), exits.end());
  part_ways(loop->getHeader(), exits, loop->getParentLoop());
}

// Each way carries the place where it was last told apart from others, its label. Blocks that are reached with two
// labels are where ways meet, and label what follows. Loops inside the level count as one step.
void shapes::part_ways(llvm::BasicBlock *, llvm::ArrayRef<llvm::BasicBlock *> targets, llvm::Loop *level) {
  std::map<unsigned, llvm::BasicBlock *> todo;  // by position: everything that leads to a block comes before it
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> label;
  llvm::SetVector<llvm::BasicBlock *> leaving;  // exits of the level
  llvm::SetVector<llvm::BasicBlock *> ways;     // by which the level's end is reached: labels
  bool stays = false;
  const auto reach = [&](llvm::BasicBlock *target, llvm::BasicBlock *with) {
    if (target == level->getHeader()) {
      stays = true;
      ways.insert(with);
      return;
    }
    const auto [place, first] = label.try_emplace(target, with);
    if (!first && place->second != with) {
      place->second = target;
      joins_.insert(target);
    }
    if (!level->contains(target))
      leaving.insert(target);
    else
      todo.emplace(position_.lookup(target), target);
  };
  for (llvm::BasicBlock *target : targets) reach(target, target);
  while (!todo.empty()) {
    llvm::BasicBlock *block = todo.begin()->second;
    todo.erase(todo.begin());
    if (block == items_.latch) continue;
    llvm::BasicBlock *own = label.lookup(block);
    llvm::Loop *inner = loops_.getLoopFor(block);
    if (inner == level) {
      if (todo.empty() && leaving.empty() && !stays) return;  // all ways have met
      for (llvm::BasicBlock *target : llvm::successors(block)) reach(target, own);
    } else {
      while (inner->getParentLoop() != level) inner = inner->getParentLoop();
      llvm::SmallVector<llvm::BasicBlock *> exits;
      inner->getUniqueExitBlocks(exits);
      for (llvm::BasicBlock *target : exits) reach(target, own);
    }
  }
  if (!leaving.empty() && (stays || leaving.size() > 1)) part_loop(level);
}

}  // namespace dpep::jit::spmd
