// Values into cells.
#include "jit/spmd/cells.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/coalesce.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/rematerialise.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
value_cells::value_cells(const work_item_function &item, const region_graph &regions, const uniformity &uniform,
                         llvm::ArrayRef<cell> further)
    : regions_(regions) {
  llvm::Function &function = *item.function;
  rematerialise(function, regions, uniform);
  const llvm::DominatorTree dominators(function);
  llvm::SmallVector<llvm::Instruction *> kept;
  for (llvm::BasicBlock &block : function) {
    const bool head = regions.is_head(&block);
    for (llvm::Instruction &value : block) {
      if (llvm::isa<llvm::AllocaInst>(value)) continue;
      const bool wanted = llvm::any_of(value.uses(), [&](const llvm::Use &use) {
        llvm::BasicBlock *place = place_of(use);
        return place != &block && regions.crosses(&block, place, dominators);
      });
      if (wanted || (head && llvm::isa<llvm::PHINode>(value))) kept.push_back(&value);
    }
  }
  llvm::SmallVector<llvm::AllocaInst *> for_each;
  for (llvm::Instruction *value : kept) {
    const bool same = uniform.uniform(value);  // asked first: the value may be gone when it is kept
    llvm::AllocaInst *variable = keep(*value);
    if (same)
      cells_.push_back({variable, true});
    else
      for_each.push_back(variable);
  }
  coalesce(function, for_each);
  shown_ = find_shown(item, regions, for_each);
  if (shown_) cells_.push_back({shown_->place, true});
  for (llvm::AllocaInst *variable : for_each) cells_.push_back({variable, false});
  cells_.insert(cells_.end(), further.begin(), further.end());
  for (llvm::BasicBlock &block : function)
    if (regions.is_group_branch(&block)) keep_condition(block);
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (const cell &each : cells_) variables.push_back(each.variable);
  live_ = liveness(function, variables, condition_of_);
}

int value_cells::condition_of(llvm::BasicBlock *group_branch) const {
  auto found = condition_of_.find(group_branch);
  return found == condition_of_.end() ? -1 : static_cast<int>(found->second);
}

llvm::AllocaInst *value_cells::make_variable(llvm::Instruction &value) {
  llvm::BasicBlock &entry = value.getFunction()->getEntryBlock();
  return new llvm::AllocaInst(value.getType(), 0, value.getName() + ".cell", entry.begin());
}

llvm::AllocaInst *value_cells::keep(llvm::Instruction &value) {
  llvm::AllocaInst *variable = make_variable(value);
  llvm::BasicBlock *home = value.getParent();
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&value);
  const bool head_phi = phi && regions_.is_head(home);

  // At a block's start no later value can be in the cell yet: a cell is written where the value is made, or, if that is
  // a head's phi, at the very end of the blocks before.
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> loads;
  const auto load_in = [&](llvm::BasicBlock *block) {
    llvm::Value *&load = loads[block];
    if (!load) load = new llvm::LoadInst(value.getType(), variable, value.getName(), block->getFirstInsertionPt());
    return load;
  };
  for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
    llvm::BasicBlock *place = place_of(use);
    if (place != home || head_phi) use.set(load_in(place));
  }
  if (head_phi) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock *before = phi->getIncomingBlock(i);
      if (llvm::is_contained(llvm::ArrayRef(phi->block_begin(), phi->block_begin() + i), before)) continue;
      if (llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i))) continue;
      new llvm::StoreInst(phi->getIncomingValue(i), variable, before->getTerminator()->getIterator());
    }
    phi->eraseFromParent();
  } else {
    new llvm::StoreInst(&value, variable, *value.getInsertionPointAfterDef());
  }
  return variable;
}

// A cell of its own, since that of a head's phi may be written for the next round at the end of this very block.
void value_cells::keep_condition(llvm::BasicBlock &group_branch) {
  auto *condition = llvm::dyn_cast<llvm::Instruction>(group_branch.getTerminator()->getOperand(0));
  if (!condition) return;
  llvm::AllocaInst *variable = make_variable(*condition);
  new llvm::StoreInst(condition, variable, *condition->getInsertionPointAfterDef());
  condition_of_[&group_branch] = static_cast<unsigned>(cells_.size());
  cells_.push_back({variable, true});
}

}  // namespace dpep::jit::spmd
