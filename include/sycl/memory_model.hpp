// Memory orders, scopes, address spaces and fences (SYCL 2020, section 3.8).
#pragma once

namespace sycl {

enum class memory_order : int { relaxed, acquire, __consume_unsupported, release, acq_rel, seq_cst };
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

namespace detail {

/// Clang's numbers for orders and scopes, as its __atomic and __scoped_atomic builtins take them.
constexpr int clang_order(memory_order order) noexcept {
  switch (order) {
  case memory_order::relaxed: return __ATOMIC_RELAXED;
  case memory_order::acquire:
  case memory_order::__consume_unsupported: return __ATOMIC_ACQUIRE;
  case memory_order::release: return __ATOMIC_RELEASE;
  case memory_order::acq_rel: return __ATOMIC_ACQ_REL;
  case memory_order::seq_cst: return __ATOMIC_SEQ_CST;
  }
  return __ATOMIC_SEQ_CST;
}

constexpr int clang_scope(memory_scope scope) noexcept {
  switch (scope) {
  case memory_scope::work_item: return __MEMORY_SCOPE_SINGLE;
  case memory_scope::sub_group: return __MEMORY_SCOPE_WVFRNT;
  case memory_scope::work_group: return __MEMORY_SCOPE_WRKGRP;
  case memory_scope::device: return __MEMORY_SCOPE_DEVICE;
  case memory_scope::system: return __MEMORY_SCOPE_SYSTEM;
  }
  return __MEMORY_SCOPE_SYSTEM;
}

}  // namespace detail

inline void atomic_fence(memory_order order, [[maybe_unused]] memory_scope scope) noexcept {
  if (order != memory_order::relaxed) __atomic_thread_fence(detail::clang_order(order));
}

}  // namespace sycl
