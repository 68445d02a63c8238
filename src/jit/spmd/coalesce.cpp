// Copy coalescing as register allocators do it (Chaitin): a copy is no reason for two variables to interfere.
#include "jit/spmd/coalesce.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/liveness.hpp"

namespace dpep::jit::spmd {
namespace {

/// The variable that `access`, a load or a store, leaves alike with what it loads or stores, if it is that at `later`.
llvm::AllocaInst *still_alike(llvm::Instruction &access, const llvm::Instruction &later) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getLoadStorePointerOperand(&access));
  if (!variable || access.getParent() != later.getParent() || !access.comesBefore(&later)) return nullptr;
  for (const llvm::Instruction *between = access.getNextNode(); between != &later; between = between->getNextNode())
    if (auto *other = llvm::dyn_cast<llvm::StoreInst>(between); other && other->getPointerOperand() == variable)
      return nullptr;
  return variable;
}

/// The variable whose present value the store writes, if it is one; else null. A value that is both kept and handed on
/// to a loop's next round has been stored before.
llvm::AllocaInst *copied_by(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) return still_alike(*load, store);
  if (!llvm::isa<llvm::Instruction>(value)) return nullptr;
  for (llvm::User *user : value->users())
    if (auto *other = llvm::dyn_cast<llvm::StoreInst>(user); other && other->getValueOperand() == value)
      if (llvm::AllocaInst *source = still_alike(*other, store)) return source;
  return nullptr;
}

llvm::SmallVector<llvm::StoreInst *> stores_to(llvm::AllocaInst *variable) {
  llvm::SmallVector<llvm::StoreInst *> stores;
  for (llvm::User *user : variable->users())
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) stores.push_back(store);
  return stores;
}

bool overwrites(llvm::AllocaInst *written, llvm::AllocaInst *wanted, unsigned number_of_wanted, const liveness &live) {
  return llvm::any_of(stores_to(written), [&](llvm::StoreInst *store) {
    return copied_by(*store) != wanted && live.after(*store, number_of_wanted);
  });
}

void merge(llvm::AllocaInst *kept, llvm::AllocaInst *gone) {
  gone->replaceAllUsesWith(kept);
  gone->eraseFromParent();
  for (llvm::StoreInst *store : stores_to(kept))
    if (copied_by(*store) == kept) store->eraseFromParent();
}

bool merge_one(llvm::Function &function, llvm::SmallVectorImpl<llvm::AllocaInst *> &variables) {
  const liveness live(function, variables);
  const auto number_of = [&](llvm::AllocaInst *variable) {
    return static_cast<unsigned>(llvm::find(variables, variable) - variables.begin());
  };
  for (llvm::AllocaInst *variable : variables)
    for (llvm::StoreInst *store : stores_to(variable)) {
      llvm::AllocaInst *source = copied_by(*store);
      if (!source || source == variable || source->getAllocatedType() != variable->getAllocatedType()) continue;
      if (!llvm::is_contained(variables, source)) continue;
      if (overwrites(variable, source, number_of(source), live) ||
          overwrites(source, variable, number_of(variable), live))
        continue;
      llvm::erase(variables, source);
      merge(variable, source);
      return true;
    }
  return false;
}

}  // namespace

void coalesce(llvm::Function &function, llvm::SmallVectorImpl<llvm::AllocaInst *> &variables) {
  while (merge_one(function, variables)) {}
}

}  // namespace dpep::jit::spmd
