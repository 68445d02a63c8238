// Aspects: boolean capabilities of devices, by SYCL 2020's names (section 4.6.4.5).
#pragma once

#include <dpep/device.hpp>

namespace dpep {

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
  ext_oneapi_virtual_mem,  // see has_virtual_memory
  ext_oneapi_ballot_group,
  ext_oneapi_fixed_size_group,
  ext_oneapi_opportunistic_group,
  ext_oneapi_tangle_group,  // on no device
  // Intel's descriptors of devices, of which devices here have ext_intel_free_memory only.
  ext_intel_pci_address,
  ext_intel_gpu_eu_count,
  ext_intel_gpu_eu_simd_width,
  ext_intel_gpu_slices,
  ext_intel_gpu_subslices_per_slice,
  ext_intel_gpu_eu_count_per_subslice,
  ext_intel_gpu_hw_threads_per_eu,
  ext_intel_max_mem_bandwidth,
  ext_intel_device_info_uuid,
  ext_intel_device_id,
  ext_intel_free_memory,
  ext_intel_memory_clock_rate,
  ext_intel_memory_bus_width,
};

inline bool has(const device_info &info, aspect wanted) {
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
  case aspect::ext_oneapi_ballot_group:
  case aspect::ext_oneapi_fixed_size_group:
  case aspect::ext_oneapi_opportunistic_group:
  case aspect::ext_intel_free_memory:
    return true;
  default:
    return false;  // ext_oneapi_tangle_group, ext_intel_…
  }
}

constexpr const char *name_of(aspect a) {
  switch (a) {
  case aspect::cpu:
    return "cpu";
  case aspect::gpu:
    return "gpu";
  case aspect::accelerator:
    return "accelerator";
  case aspect::custom:
    return "custom";
  case aspect::emulated:
    return "emulated";
  case aspect::host_debuggable:
    return "host_debuggable";
  case aspect::fp16:
    return "fp16";
  case aspect::fp64:
    return "fp64";
  case aspect::atomic64:
    return "atomic64";
  case aspect::image:
    return "image";
  case aspect::online_compiler:
    return "online_compiler";
  case aspect::online_linker:
    return "online_linker";
  case aspect::queue_profiling:
    return "queue_profiling";
  case aspect::usm_device_allocations:
    return "usm_device_allocations";
  case aspect::usm_host_allocations:
    return "usm_host_allocations";
  case aspect::usm_atomic_host_allocations:
    return "usm_atomic_host_allocations";
  case aspect::usm_shared_allocations:
    return "usm_shared_allocations";
  case aspect::usm_atomic_shared_allocations:
    return "usm_atomic_shared_allocations";
  case aspect::usm_system_allocations:
    return "usm_system_allocations";
  case aspect::ext_oneapi_graph:
    return "ext_oneapi_graph";
  case aspect::ext_oneapi_limited_graph:
    return "ext_oneapi_limited_graph";
  case aspect::ext_oneapi_virtual_mem:
    return "ext_oneapi_virtual_mem";
  case aspect::ext_oneapi_ballot_group:
    return "ext_oneapi_ballot_group";
  case aspect::ext_oneapi_fixed_size_group:
    return "ext_oneapi_fixed_size_group";
  case aspect::ext_oneapi_opportunistic_group:
    return "ext_oneapi_opportunistic_group";
  case aspect::ext_oneapi_tangle_group:
    return "ext_oneapi_tangle_group";
  case aspect::ext_intel_pci_address:
    return "ext_intel_pci_address";
  case aspect::ext_intel_gpu_eu_count:
    return "ext_intel_gpu_eu_count";
  case aspect::ext_intel_gpu_eu_simd_width:
    return "ext_intel_gpu_eu_simd_width";
  case aspect::ext_intel_gpu_slices:
    return "ext_intel_gpu_slices";
  case aspect::ext_intel_gpu_subslices_per_slice:
    return "ext_intel_gpu_subslices_per_slice";
  case aspect::ext_intel_gpu_eu_count_per_subslice:
    return "ext_intel_gpu_eu_count_per_subslice";
  case aspect::ext_intel_gpu_hw_threads_per_eu:
    return "ext_intel_gpu_hw_threads_per_eu";
  case aspect::ext_intel_max_mem_bandwidth:
    return "ext_intel_max_mem_bandwidth";
  case aspect::ext_intel_device_info_uuid:
    return "ext_intel_device_info_uuid";
  case aspect::ext_intel_device_id:
    return "ext_intel_device_id";
  case aspect::ext_intel_free_memory:
    return "ext_intel_free_memory";
  case aspect::ext_intel_memory_clock_rate:
    return "ext_intel_memory_clock_rate";
  case aspect::ext_intel_memory_bus_width:
    return "ext_intel_memory_bus_width";
  }
  return "of an unknown number";
}

}  // namespace dpep
