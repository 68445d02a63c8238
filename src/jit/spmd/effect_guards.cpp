// Guards are found by edge dominance.
#include "jit/spmd/effect_guards.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {

llvm::SmallVector<llvm::BasicBlock *> blocks_with(const region &within,
                                                  llvm::function_ref<bool(const llvm::Instruction &)> effect) {
  llvm::SmallVector<llvm::BasicBlock *> found;
  for (llvm::BasicBlock *block : within.blocks)
    if (llvm::any_of(*block, effect)) found.push_back(block);
  return found;
}

llvm::SmallVector<effect_guard> guards_of(llvm::ArrayRef<llvm::BasicBlock *> effects, const region &within,
                                          const llvm::DominatorTree &dominators) {
  llvm::SmallVector<effect_guard> guards;
  for (llvm::BasicBlock *block : within.blocks) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    if (dominators.properlyDominates(block, within.head)) continue;  // before the head
    for (unsigned side : {0u, 1u}) {
      const llvm::BasicBlockEdge edge(block, branch->getSuccessor(side));
      if (llvm::all_of(effects, [&](llvm::BasicBlock *guarded) { return dominators.dominates(edge, guarded); }))
        guards.push_back({branch->getCondition(), side == 0});
    }
  }
  return guards;
}

}  // namespace dpep::jit::spmd
