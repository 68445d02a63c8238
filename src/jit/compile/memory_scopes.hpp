// Memory orders and scopes as C++, SYCL and Python number them, as LLVM has them.
#pragma once

#include <cstdint>

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/AtomicOrdering.h>

namespace dpep::jit {

/// sycl::memory_scope's numbers; below the device's are those of the work-item, the sub-group and the work-group.
inline constexpr std::uint64_t device_scope = 3, system_scope = 4;

/// Of C's and C++'s number.
inline llvm::AtomicOrdering llvm_order(std::uint64_t number) {
  using enum llvm::AtomicOrdering;
  switch (number) {
  case __ATOMIC_RELAXED:
    return Monotonic;
  case __ATOMIC_CONSUME:
  case __ATOMIC_ACQUIRE:
    return Acquire;
  case __ATOMIC_RELEASE:
    return Release;
  case __ATOMIC_ACQ_REL:
    return AcquireRelease;
  default:
    return SequentiallyConsistent;
  }
}

inline llvm::SyncScope::ID llvm_scope(llvm::LLVMContext &context, std::uint64_t number) {
  // no device orders memory within a sub-group at less cost than within a work-group
  if (number < device_scope) return context.getOrInsertSyncScopeID("block");
  return number == device_scope ? context.getOrInsertSyncScopeID("device")
                                : llvm::SyncScope::ID(llvm::SyncScope::System);
}

}  // namespace dpep::jit
