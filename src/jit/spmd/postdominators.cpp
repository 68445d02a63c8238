// The algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
#include "jit/spmd/postdominators.hpp"

#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {

postdominators::postdominators(llvm::Function &function) {
  // Number 0 is the virtual exit; blocks are numbered in postorder of the reversed graph, which visits only those that
  // can return. A smaller number is further from the exit, which has the largest.
  std::vector<llvm::BasicBlock *> order;
  llvm::DenseMap<llvm::BasicBlock *, int> number;
  for (llvm::BasicBlock &block : function) {
    if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::pred_iterator>> path;
    if (number.try_emplace(&block, -1).second) path.emplace_back(&block, llvm::pred_begin(&block));
    while (!path.empty()) {
      auto &[top, next] = path.back();
      if (next == llvm::pred_end(top)) {
        number[top] = static_cast<int>(order.size());
        order.push_back(top);
        path.pop_back();
      } else if (llvm::BasicBlock *predecessor = *next++; number.try_emplace(predecessor, -1).second) {
        path.emplace_back(predecessor, llvm::pred_begin(predecessor));
      }
    }
  }
  const int exit = static_cast<int>(order.size()), unknown = -1;
  std::vector<int> parent(order.size() + 1, unknown);
  parent[exit] = exit;
  const auto nearest_common = [&](int a, int b) {
    while (a != b) {
      while (a < b) a = parent[a];
      while (b < a) b = parent[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = exit; i-- > 0;) {
      int merged = llvm::isa<llvm::ReturnInst>(order[i]->getTerminator()) ? exit : unknown;
      for (llvm::BasicBlock *next : llvm::successors(order[i])) {
        auto found = number.find(next);
        if (found == number.end() || parent[found->second] == unknown) continue;
        merged = merged == unknown ? found->second : nearest_common(merged, found->second);
      }
      if (merged != parent[i]) {
        parent[i] = merged;
        changed = true;
      }
    }
  }
  for (int i = 0; i < exit; ++i)
    if (parent[i] != exit) immediate_[order[i]] = order[parent[i]];
}

}  // namespace dpep::jit::spmd
