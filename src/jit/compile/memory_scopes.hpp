// Converts the numbers of memory orders and scopes in C++, SYCL and Python to LLVM's types.
#pragma once

#include <cstdint>

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/AtomicOrdering.h>

namespace dpep::jit {

/// Values of sycl::memory_scope. Smaller values are the scopes work-item, sub-group and work-group.
inline constexpr std::uint64_t device_scope = 3, system_scope = 4;

/// Returns the ordering for a value of C's and C++'s memory_order.
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

/// Returns the scope for a value of sycl::memory_scope.
inline llvm::SyncScope::ID llvm_scope(llvm::LLVMContext &context, std::uint64_t number) {
  // no device has a cheaper ordering within a sub-group than within a work-group
  if (number < device_scope) return context.getOrInsertSyncScopeID("block");
  return number == device_scope ? context.getOrInsertSyncScopeID("device")
                                : llvm::SyncScope::ID(llvm::SyncScope::System);
}

}  // namespace dpep::jit
