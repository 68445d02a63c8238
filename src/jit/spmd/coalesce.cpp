// Copy coalescing as register allocators do it (Chaitin): a copy is no reason for two variables to interfere.
#include "jit/spmd/coalesce.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/liveness.hpp"

namespace dpep::jit::spmd {
namespace {

/// The variable of `access`, a load or a store, if it still holds the value loaded or stored at `later`, in the same
/// block; else null.
llvm::AllocaInst *unchanged_variable(llvm::Instruction &access, const llvm::Instruction &later) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getLoadStorePointerOperand(&access));
  if (!variable || access.getParent() != later.getParent() || !access.comesBefore(&later)) return nullptr;
  for (const llvm::Instruction *between = access.getNextNode(); between != &later; between = between->getNextNode())
    if (auto *other = llvm::dyn_cast<llvm::StoreInst>(between); other && other->getPointerOperand() == variable)
      return nullptr;
  return variable;
}

/// The variable that holds the value which the store writes, if there is one; else null. That is the variable from
/// which the value was loaded, or another one to which it was stored before: a value that is spilled and also passed to
/// the loop's next iteration is stored twice.
llvm::AllocaInst *copy_source(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) return unchanged_variable(*load, store);
  if (!llvm::isa<llvm::Instruction>(value)) return nullptr;
  for (llvm::User *user : value->users())
    if (auto *other = llvm::dyn_cast<llvm::StoreInst>(user); other && other->getValueOperand() == value)
      if (llvm::AllocaInst *source = unchanged_variable(*other, store)) return source;
  return nullptr;
}

llvm::SmallVector<llvm::StoreInst *> stores_to(llvm::AllocaInst *variable) {
  llvm::SmallVector<llvm::StoreInst *> stores;
  for (llvm::User *user : variable->users())
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) stores.push_back(store);
  return stores;
}

/// Whether a store to `written` changes the value of `other` where that is live, if both are merged.
bool interferes(llvm::AllocaInst *written, llvm::AllocaInst *other, unsigned number_of_other, const liveness &live) {
  return llvm::any_of(stores_to(written), [&](llvm::StoreInst *store) {
    return copy_source(*store) != other && live.is_live_after(*store, number_of_other);
  });
}

void merge(llvm::AllocaInst *kept, llvm::AllocaInst *merged) {
  merged->replaceAllUsesWith(kept);
  merged->eraseFromParent();
  for (llvm::StoreInst *store : stores_to(kept))
    if (copy_source(*store) == kept) store->eraseFromParent();
}

bool merge_one(llvm::Function &function, llvm::SmallVectorImpl<llvm::AllocaInst *> &variables) {
  const liveness live(function, variables);
  const auto number_of = [&](llvm::AllocaInst *variable) {
    return static_cast<unsigned>(llvm::find(variables, variable) - variables.begin());
  };
  for (llvm::AllocaInst *variable : variables)
    for (llvm::StoreInst *store : stores_to(variable)) {
      llvm::AllocaInst *source = copy_source(*store);
      if (!source || source == variable || source->getAllocatedType() != variable->getAllocatedType()) continue;
      if (!llvm::is_contained(variables, source)) continue;
      if (interferes(variable, source, number_of(source), live) ||
          interferes(source, variable, number_of(variable), live))
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
