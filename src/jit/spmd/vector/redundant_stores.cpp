// Detection and elimination of stores of phis with operands that were loaded from the store's address.
#include "jit/spmd/vector/redundant_stores.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/Dominators.h>

namespace dpep::jit::spmd {
namespace {

/// Whether no instruction between the two accesses the location in the given ways.
bool is_unaccessed(llvm::BasicBlock::const_iterator from, llvm::BasicBlock::const_iterator to,
                   const llvm::MemoryLocation &location, llvm::AAResults &aliases, llvm::ModRefInfo accesses) {
  return std::all_of(from, to, [&](const llvm::Instruction &instruction) {
    return !llvm::isModOrRefSet(aliases.getModRefInfo(&instruction, location) & accesses);
  });
}

/// Whether the store's location already holds the value at the end of `block`.
bool is_unchanged(const llvm::Value *value, const llvm::BasicBlock *block, const llvm::StoreInst &store,
                  llvm::AAResults &aliases) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && load->isSimple() && load->getParent() == block &&
         load->getPointerOperand() == store.getPointerOperand() &&
         is_unaccessed(load->getIterator(), block->end(), llvm::MemoryLocation::get(&store), aliases,
                       llvm::ModRefInfo::Mod);
}

/// Moves the store of a phi to the predecessors whose value is new. Returns false if that is impossible or useless.
bool move_to_predecessors(llvm::StoreInst &store, const llvm::DominatorTree &dominators, llvm::AAResults &aliases) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(store.getValueOperand());
  llvm::BasicBlock *block = store.getParent();
  if (!phi || phi->getParent() != block || !store.isSimple()) return false;
  if (!is_unaccessed(block->begin(), store.getIterator(), llvm::MemoryLocation::get(&store), aliases,
                     llvm::ModRefInfo::ModRef))
    return false;
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::Value *>> changed;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    llvm::BasicBlock *from = phi->getIncomingBlock(i);
    if (is_unchanged(phi->getIncomingValue(i), from, store, aliases)) continue;
    const auto *address = llvm::dyn_cast<llvm::Instruction>(store.getPointerOperand());
    if (from->getSingleSuccessor() != block || (address && !dominators.dominates(address, from->getTerminator())))
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

bool eliminate_redundant_stores(const item_loop &items, llvm::DominatorTree &dominators, llvm::AAResults &aliases) {
  bool any = false;
  for (llvm::BasicBlock *block : items.loop->blocks())
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        any |= move_to_predecessors(*store, dominators, aliases);
  return any;
}

}  // namespace dpep::jit::spmd
