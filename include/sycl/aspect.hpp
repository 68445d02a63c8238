// Aspects: boolean capabilities of devices (SYCL 2020, section 4.6.4.5).
#pragma once

#include <type_traits>
#include <vector>

#include <dpep/aspects.hpp>
#include <dpep/virtual_memory.hpp>

namespace sycl {

using dpep::aspect;

namespace detail {

inline bool has(const dpep::device &device, aspect wanted) {
  return wanted == aspect::ext_oneapi_virtual_mem ? has_virtual_memory(device) : dpep::has(device.info(), wanted);
}

inline std::vector<aspect> aspects_of(const dpep::device &device) {
  std::vector<aspect> found;
  for (int i = 0; i <= static_cast<int>(aspect::ext_intel_memory_bus_width); i++)
    if (has(device, static_cast<aspect>(i))) found.push_back(static_cast<aspect>(i));
  return found;
}

}  // namespace detail

/// Whether any or all devices that the program may use have an aspect. Devices are found at run time, so only aspects
/// that dpep implements on every device are known here.
template <aspect A>
struct any_device_has
    : std::bool_constant<A != aspect::emulated && A != aspect::host_debuggable &&
                         (A <= aspect::ext_oneapi_opportunistic_group || A == aspect::ext_intel_free_memory)> {};
template <aspect A>
struct all_devices_have
    : std::bool_constant<A == aspect::online_compiler || A == aspect::online_linker || A == aspect::queue_profiling ||
                         A == aspect::image || A == aspect::ext_oneapi_graph || A == aspect::ext_oneapi_limited_graph ||
                         A == aspect::ext_oneapi_ballot_group || A == aspect::ext_oneapi_fixed_size_group ||
                         A == aspect::ext_oneapi_opportunistic_group || A == aspect::ext_intel_free_memory> {};
template <aspect A> inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A> inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

}  // namespace sycl
