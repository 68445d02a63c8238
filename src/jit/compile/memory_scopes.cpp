// For whom atomic operations and fences order memory. clang forgets that for the triple that bitcode is stored for, so
// the SYCL headers mark addresses and call a function for fences; here they become LLVM's scopes.
#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/compile/memory_scopes.hpp"
#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

constexpr char marker_name[] = "__dpep_in_scope", fence_name[] = "__dpep_atomic_fence";

/// What is not known when compiling may be the widest.
std::uint64_t number_of(const llvm::Value *given, std::uint64_t widest) {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(given);
  return number ? number->getZExtValue() : widest;
}

template <class Do> void for_each_call(llvm::Function &f, Do &&act) {
  for (llvm::User *user : llvm::make_early_inc_range(f.users()))
    if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == &f) act(*call);
}

/// Of an atomic operation; none for anything else.
const llvm::Value *address_of(const llvm::Instruction &i) {
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return update->getPointerOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return exchange->getPointerOperand();
  return i.isAtomic() ? llvm::getLoadStorePointerOperand(&i) : nullptr;
}

/// The widest scope that the address is marked with, on any way that it comes.
std::uint64_t marked_scope(const llvm::Value *address, const llvm::Function &marker) {
  llvm::SmallVector<const llvm::Value *> origins;
  llvm::getUnderlyingObjects(address, origins);
  std::uint64_t widest = 0;
  for (const llvm::Value *origin : origins) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(origin);
    const bool marked = call && call->getCalledOperand() == &marker;
    widest = std::max(widest, marked ? number_of(call->getArgOperand(1), system_scope) : system_scope);
  }
  return widest;
}

void take_marks(llvm::Module &module, llvm::Function &marker, bool used) {
  llvm::SmallPtrSet<llvm::Function *, 8> users;
  for_each_call(marker, [&](llvm::CallInst &call) { users.insert(call.getFunction()); });
  if (used)
    for (llvm::Function *user : users)
      for (llvm::Instruction &i : llvm::instructions(*user))
        if (const llvm::Value *address = address_of(i))
          llvm::setAtomicSyncScopeID(&i, llvm_scope(module.getContext(), marked_scope(address, marker)));
  for_each_call(marker, [](llvm::CallInst &call) {
    call.replaceAllUsesWith(call.getArgOperand(0));
    call.eraseFromParent();
  });
}

}  // namespace

void settle_scopes(llvm::Module &module, const target &target) {
  const bool used = target.has_memory_scopes();
  if (llvm::Function *const marker = module.getFunction(marker_name)) take_marks(module, *marker, used);
  if (llvm::Function *const fence = module.getFunction(fence_name))
    for_each_call(*fence, [&](llvm::CallInst &call) {
      const llvm::AtomicOrdering order = llvm_order(number_of(call.getArgOperand(0), __ATOMIC_SEQ_CST));
      const std::uint64_t scope = number_of(call.getArgOperand(1), system_scope);
      if (order != llvm::AtomicOrdering::Monotonic)
        llvm::IRBuilder<>(&call).CreateFence(order, llvm_scope(module.getContext(), scope));
      call.eraseFromParent();
    });
  if (used) return;
  // LLVM takes a fence for others than the whole system as one for the compiler only
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (const auto scope = llvm::getAtomicSyncScopeID(&i); scope && *scope != llvm::SyncScope::SingleThread)
        llvm::setAtomicSyncScopeID(&i, llvm::SyncScope::System);
}

}  // namespace dpep::jit
