// Values into cells, and the liveness of cells.
#include "jit/spmd/cells.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/regions.hpp"
#include "jit/spmd/rematerialise.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
namespace {

/// The block at whose end (a phi's operand) or in which the value is wanted.
llvm::BasicBlock *place_of(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

}  // namespace

value_cells::value_cells(llvm::Function &function, const region_graph &regions, const uniformity &uniform)
    : regions_(regions), uniform_(uniform) {
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
  for (llvm::Instruction *value : kept) keep(*value);
  for (llvm::BasicBlock &block : function)
    if (regions.is_group_branch(&block)) keep_condition(block);
  find_live(function);
}

int value_cells::condition_of(llvm::BasicBlock *group_branch) const {
  auto found = condition_of_.find(group_branch);
  return found == condition_of_.end() ? -1 : found->second;
}

unsigned value_cells::make_cell(llvm::Instruction &value) {
  llvm::BasicBlock &entry = value.getFunction()->getEntryBlock();
  auto *variable = new llvm::AllocaInst(value.getType(), 0, value.getName() + ".cell", entry.begin());
  cells_.push_back({variable, uniform_.uniform(&value)});
  return static_cast<unsigned>(cells_.size() - 1);
}

void value_cells::keep(llvm::Instruction &value) {
  const unsigned number = make_cell(value);
  llvm::AllocaInst *variable = cells_[number].variable;
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
}

// A cell of its own, since that of a head's phi may be written for the next round at the end of this very block.
void value_cells::keep_condition(llvm::BasicBlock &group_branch) {
  auto *condition = llvm::dyn_cast<llvm::Instruction>(group_branch.getTerminator()->getOperand(0));
  if (!condition) return;
  const unsigned number = make_cell(*condition);
  new llvm::StoreInst(condition, cells_[number].variable, *condition->getInsertionPointAfterDef());
  condition_of_[&group_branch] = static_cast<int>(number);
}

void value_cells::find_live(llvm::Function &function) {
  llvm::DenseMap<const llvm::Value *, unsigned> number;
  for (unsigned i = 0; i < cells_.size(); ++i) number[cells_[i].variable] = i;
  const unsigned count = static_cast<unsigned>(cells_.size());
  llvm::SmallVector<llvm::BasicBlock *> todo;
  for (llvm::BasicBlock &block : function) {
    llvm::BitVector read(count), written(count);
    for (llvm::Instruction &instruction : block) {
      const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
      auto found = address ? number.find(address) : number.end();
      if (found == number.end()) continue;
      if (llvm::isa<llvm::StoreInst>(instruction))
        written.set(found->second);
      else if (!written[found->second])
        read.set(found->second);
    }
    if (int condition = condition_of(&block); condition >= 0 && !written[condition]) read.set(condition);
    live_[&block] = std::move(read);
    written_[&block] = std::move(written);
    todo.push_back(&block);
  }
  while (!todo.empty()) {
    llvm::BasicBlock *block = todo.pop_back_val();
    for (llvm::BasicBlock *before : llvm::predecessors(block)) {
      llvm::BitVector live = live_[block];
      live.reset(written_[before]);
      live |= live_[before];
      if (live == live_[before]) continue;
      live_[before] = std::move(live);
      todo.push_back(before);
    }
  }
}

}  // namespace dpep::jit::spmd
