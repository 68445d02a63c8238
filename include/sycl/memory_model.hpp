// Memory orders, scopes, address spaces and fences (SYCL 2020, section 3.8).
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
#include <dpep/device_builtins.hpp>
#endif

namespace sycl {

/// The values are those of clang's __ATOMIC_* macros.
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  __consume_unsupported = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};
inline constexpr auto memory_order_relaxed = memory_order::relaxed;
inline constexpr auto memory_order_acquire = memory_order::acquire;
inline constexpr auto memory_order_release = memory_order::release;
inline constexpr auto memory_order_acq_rel = memory_order::acq_rel;
inline constexpr auto memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr auto memory_scope_work_item = memory_scope::work_item;
inline constexpr auto memory_scope_sub_group = memory_scope::sub_group;
inline constexpr auto memory_scope_work_group = memory_scope::work_group;
inline constexpr auto memory_scope_device = memory_scope::device;
inline constexpr auto memory_scope_system = memory_scope::system;

namespace access {
enum class address_space : int {
  global_space,
  local_space,
  constant_space,  // deprecated by SYCL 2020
  private_space,
  generic_space,
  ext_intel_global_device_space,
  ext_intel_global_host_space,
};
enum class decorated : int { no, yes, legacy };
}  // namespace access

inline void atomic_fence(memory_order order, [[maybe_unused]] memory_scope scope) noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  __dpep_atomic_fence(static_cast<int>(order), static_cast<int>(scope));
#else
  if (order != memory_order::relaxed) __atomic_thread_fence(static_cast<int>(order));
#endif
}

}  // namespace sycl
