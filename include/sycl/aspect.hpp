// Aspects: boolean capabilities of devices (SYCL 2020, section 4.6.4.5).
#pragma once

#include <type_traits>
#include <vector>

#include <dpep/device.hpp>

namespace sycl {

enum class aspect {
  cpu,
  gpu,
  accelerator,
  custom,
  emulated,
  host_debuggable,
  fp16,
  fp64,
  atomic64,
  image,
  online_compiler,
  online_linker,
  queue_profiling,
  usm_device_allocations,
  usm_host_allocations,
  usm_atomic_host_allocations,
  usm_shared_allocations,
  usm_atomic_shared_allocations,
  usm_system_allocations,
  ext_oneapi_graph,
  ext_oneapi_limited_graph,
};

namespace detail {

inline bool has(const dpep::device &device, aspect wanted) {
  const dpep::device_info &info = device.info();
  switch (wanted) {
  case aspect::cpu:
    return info.type == dpep::device_type::cpu;
  case aspect::gpu:
    return info.type == dpep::device_type::gpu;
  case aspect::accelerator:
    return info.type == dpep::device_type::accelerator;
  case aspect::custom:
    return info.type == dpep::device_type::custom;
  case aspect::emulated:
    return false;
  case aspect::host_debuggable:
    return false;
  case aspect::fp16:
    return info.fp16;
  case aspect::fp64:
    return info.fp64;
  case aspect::atomic64:
    return info.atomic64;
  case aspect::image:
    return true;  // in memory
  case aspect::online_compiler:
    return true;  // kernels are always compiled for the device at run time
  case aspect::online_linker:
    return true;
  case aspect::queue_profiling:
    return true;
  case aspect::usm_device_allocations:
    return info.usm_device;
  case aspect::usm_host_allocations:
    return info.usm_host;
  case aspect::usm_atomic_host_allocations:
    return info.usm_atomic_host;
  case aspect::usm_shared_allocations:
    return info.usm_shared;
  case aspect::usm_atomic_shared_allocations:
    return info.usm_atomic_shared;
  case aspect::usm_system_allocations:
    return info.usm_system;
  case aspect::ext_oneapi_graph:
  case aspect::ext_oneapi_limited_graph:
    return true;
  }
  return false;
}

inline std::vector<aspect> aspects_of(const dpep::device &device) {
  std::vector<aspect> found;
  for (int i = 0; i <= static_cast<int>(aspect::ext_oneapi_limited_graph); i++)
    if (has(device, static_cast<aspect>(i))) found.push_back(static_cast<aspect>(i));
  return found;
}

}  // namespace detail

/// Whether any or all devices that the program may use have an aspect. Devices are found at run time, so only aspects
/// that dpep implements on every device are known here.
template <aspect A>
struct any_device_has : std::bool_constant<A != aspect::emulated && A != aspect::host_debuggable> {};
template <aspect A>
struct all_devices_have
    : std::bool_constant<A == aspect::online_compiler || A == aspect::online_linker || A == aspect::queue_profiling ||
                         A == aspect::image || A == aspect::ext_oneapi_graph || A == aspect::ext_oneapi_limited_graph> {
};
template <aspect A> inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A> inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

}  // namespace sycl
