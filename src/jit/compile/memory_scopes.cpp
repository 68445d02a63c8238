// Lowers SYCL memory scopes of atomic operations and fences to LLVM's synchronisation scopes. clang drops scopes for
// the triple of stored bitcode, so the SYCL headers mark addresses with scopes, and call a function for fences.
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

/// The constant, or `widest` if the value is not known at compile time.
std::uint64_t constant_or(const llvm::Value *value, std::uint64_t widest) {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number ? number->getZExtValue() : widest;
}

template <class Do> void for_each_call(llvm::Function &f, Do &&act) {
  for (llvm::User *user : llvm::make_early_inc_range(f.users()))
    if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == &f) act(*call);
}

/// The address of an atomic operation; null for other instructions.
const llvm::Value *address_of(const llvm::Instruction &i) {
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return update->getPointerOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) return exchange->getPointerOperand();
  return i.isAtomic() ? llvm::getLoadStorePointerOperand(&i) : nullptr;
}

/// The widest scope of all origins of the address. Origins without a mark have system scope.
std::uint64_t marked_scope(const llvm::Value *address, const llvm::Function &marker) {
  llvm::SmallVector<const llvm::Value *> origins;
  llvm::getUnderlyingObjects(address, origins);
  std::uint64_t widest = 0;
  for (const llvm::Value *origin : origins) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(origin);
    const bool marked = call && call->getCalledOperand() == &marker;
    widest = std::max(widest, marked ? constant_or(call->getArgOperand(1), system_scope) : system_scope);
  }
  return widest;
}

void apply_marks(llvm::Module &module, llvm::Function &marker, bool has_scopes) {
  llvm::SmallPtrSet<llvm::Function *, 8> users;
  for_each_call(marker, [&](llvm::CallInst &call) { users.insert(call.getFunction()); });
  if (has_scopes)
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

void lower_memory_scopes(llvm::Module &module, const target &target) {
  const bool has_scopes = target.has_memory_scopes();
  if (llvm::Function *const marker = module.getFunction(marker_name)) apply_marks(module, *marker, has_scopes);
  if (llvm::Function *const fence = module.getFunction(fence_name))
    for_each_call(*fence, [&](llvm::CallInst &call) {
      const llvm::AtomicOrdering order = llvm_order(constant_or(call.getArgOperand(0), __ATOMIC_SEQ_CST));
      const std::uint64_t scope = constant_or(call.getArgOperand(1), system_scope);
      if (order != llvm::AtomicOrdering::Monotonic)
        llvm::IRBuilder<>(&call).CreateFence(order, llvm_scope(module.getContext(), scope));
      call.eraseFromParent();
    });
  if (has_scopes) return;
  // On targets without scopes, LLVM lowers a fence of another scope than the system to a compiler fence.
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (const auto scope = llvm::getAtomicSyncScopeID(&i); scope && *scope != llvm::SyncScope::SingleThread)
        llvm::setAtomicSyncScopeID(&i, llvm::SyncScope::System);
}

}  // namespace dpep::jit
