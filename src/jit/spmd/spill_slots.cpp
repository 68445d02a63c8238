// Selection of the values to spill, and insertion of their loads and stores.
#include "jit/spmd/spill_slots.hpp"

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
spill_slots::spill_slots(const work_item_function &item, const region_graph &regions, const uniformity &uniform,
                         llvm::ArrayRef<spill_slot> further)
    : regions_(regions) {
  llvm::Function &function = *item.function;
  rematerialise(function, regions, uniform);
  const llvm::DominatorTree dominators(function);
  llvm::SmallVector<llvm::Instruction *> spilled;
  for (llvm::BasicBlock &block : function) {
    const bool head = regions.is_head(&block);
    for (llvm::Instruction &value : block) {
      if (llvm::isa<llvm::AllocaInst>(value)) continue;
      const bool crosses = llvm::any_of(value.uses(), [&](const llvm::Use &use) {
        llvm::BasicBlock *used_in = block_of(use);
        return used_in != &block && regions.crosses(&block, used_in, dominators);
      });
      if (crosses || (head && llvm::isa<llvm::PHINode>(value))) spilled.push_back(&value);
    }
  }
  llvm::SmallVector<llvm::AllocaInst *> varying;
  for (llvm::Instruction *value : spilled) {
    const bool is_uniform = uniform.is_uniform(value);  // before spill(), which erases phis
    llvm::AllocaInst *variable = spill(*value);
    if (is_uniform)
      slots_.push_back({variable, true});
    else
      varying.push_back(variable);
  }
  coalesce(function, varying);
  promotion_ = promote_local_array(item, regions, varying);
  if (promotion_) slots_.push_back({promotion_->published, true});
  for (llvm::AllocaInst *variable : varying) slots_.push_back({variable, false});
  slots_.insert(slots_.end(), further.begin(), further.end());
  for (llvm::BasicBlock &block : function)
    if (regions.is_group_branch(&block)) spill_condition(block);
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (const spill_slot &each : slots_) variables.push_back(each.variable);
  live_ = liveness(function, variables, condition_slot_of_);
}

int spill_slots::condition_slot_of(llvm::BasicBlock *group_branch) const {
  auto found = condition_slot_of_.find(group_branch);
  return found == condition_slot_of_.end() ? -1 : static_cast<int>(found->second);
}

llvm::AllocaInst *spill_slots::make_variable(llvm::Instruction &value) {
  llvm::BasicBlock &entry = value.getFunction()->getEntryBlock();
  return new llvm::AllocaInst(value.getType(), 0, value.getName() + ".spill", entry.begin());
}

llvm::AllocaInst *spill_slots::spill(llvm::Instruction &value) {
  llvm::AllocaInst *variable = make_variable(value);
  llvm::BasicBlock *home = value.getParent();
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&value);
  const bool head_phi = phi && regions_.is_head(home);

  // At a block's start, the slot cannot hold a later value yet: it is written at the definition, or, for a head's phi,
  // at the very end of the predecessors.
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> loads;
  const auto load_in = [&](llvm::BasicBlock *block) {
    llvm::Value *&load = loads[block];
    if (!load) load = new llvm::LoadInst(value.getType(), variable, value.getName(), block->getFirstInsertionPt());
    return load;
  };
  for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
    llvm::BasicBlock *used_in = block_of(use);
    if (used_in != home || head_phi) use.set(load_in(used_in));
  }
  if (head_phi) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock *predecessor = phi->getIncomingBlock(i);
      if (llvm::is_contained(llvm::ArrayRef(phi->block_begin(), phi->block_begin() + i), predecessor)) continue;
      if (llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i))) continue;
      new llvm::StoreInst(phi->getIncomingValue(i), variable, predecessor->getTerminator()->getIterator());
    }
    phi->eraseFromParent();
  } else {
    new llvm::StoreInst(&value, variable, *value.getInsertionPointAfterDef());
  }
  return variable;
}

// The condition needs a separate slot: that of a head's phi may already be written for the next iteration at the end of
// this block.
void spill_slots::spill_condition(llvm::BasicBlock &group_branch) {
  auto *condition = llvm::dyn_cast<llvm::Instruction>(group_branch.getTerminator()->getOperand(0));
  if (!condition) return;
  llvm::AllocaInst *variable = make_variable(*condition);
  new llvm::StoreInst(condition, variable, *condition->getInsertionPointAfterDef());
  condition_slot_of_[&group_branch] = static_cast<unsigned>(slots_.size());
  slots_.push_back({variable, true});
}

}  // namespace dpep::jit::spmd
