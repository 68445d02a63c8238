// Finding stores of phis of which some operands were loaded from where the phi is stored.
#include "jit/spmd/vector/unchanged_stores.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/Dominators.h>

namespace dpep::jit::spmd {
namespace {

bool untouched(llvm::BasicBlock::const_iterator from, llvm::BasicBlock::const_iterator to,
               const llvm::MemoryLocation &place, llvm::AAResults &aliases, llvm::ModRefInfo what) {
  return std::all_of(from, to, [&](const llvm::Instruction &instruction) {
    return !llvm::isModOrRefSet(aliases.getModRefInfo(&instruction, place) & what);
  });
}

/// Whether it is what the place that is stored to has in it when `block` ends.
bool is_unchanged(const llvm::Value *value, const llvm::BasicBlock *block, const llvm::StoreInst &store,
                  llvm::AAResults &aliases) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && load->isSimple() && load->getParent() == block &&
         load->getPointerOperand() == store.getPointerOperand() &&
         untouched(load->getIterator(), block->end(), llvm::MemoryLocation::get(&store), aliases,
                   llvm::ModRefInfo::Mod);
}

bool keep(llvm::StoreInst &store, const llvm::DominatorTree &dominators, llvm::AAResults &aliases) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(store.getValueOperand());
  llvm::BasicBlock *home = store.getParent();
  if (!phi || phi->getParent() != home || !store.isSimple()) return false;
  if (!untouched(home->begin(), store.getIterator(), llvm::MemoryLocation::get(&store), aliases,
                 llvm::ModRefInfo::ModRef))
    return false;
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::Value *>> changed;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    llvm::BasicBlock *from = phi->getIncomingBlock(i);
    if (is_unchanged(phi->getIncomingValue(i), from, store, aliases)) continue;
    const auto *address = llvm::dyn_cast<llvm::Instruction>(store.getPointerOperand());
    if (from->getSingleSuccessor() != home || (address && !dominators.dominates(address, from->getTerminator())))
      return false;
    changed.emplace_back(from, phi->getIncomingValue(i));
  }
  if (changed.size() == phi->getNumIncomingValues()) return false;
  for (const auto &[from, value] : changed) {
    auto *moved = llvm::cast<llvm::StoreInst>(store.clone());
    moved->setOperand(0, value);
    moved->insertBefore(from->getTerminator()->getIterator());
  }
  store.eraseFromParent();
  return true;
}

}  // namespace

bool keep_unchanged(const item_loop &items, llvm::DominatorTree &dominators, llvm::AAResults &aliases) {
  bool any = false;
  for (llvm::BasicBlock *block : items.loop->blocks())
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) any |= keep(*store, dominators, aliases);
  return any;
}

}  // namespace dpep::jit::spmd
