// Descriptors of the extension sycl_ext_intel_device_info: free memory, and those of Intel's GPUs, which no device of
// dpep has.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <dpep/device.hpp>

#include <sycl/exception.hpp>

namespace sycl::ext::intel::info::device {

// Programs ask for the aspect ext_intel_<descriptor> first, which devices here do not have.
#define DPEP_INTEL_DEVICE_INFO(descriptor, type)                                                                       \
  struct descriptor {                                                                                                  \
    using return_type = type;                                                                                          \
    static return_type get(const dpep::device &d) {                                                                    \
      throw exception(errc::feature_not_supported, "device::get_info<ext::intel::info::device::" #descriptor ">: " +   \
                                                       d.info().name + " does not have this information");             \
    }                                                                                                                  \
  }
using uuid_bytes = std::array<unsigned char, 16>;
DPEP_INTEL_DEVICE_INFO(device_id, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(pci_address, std::string);
DPEP_INTEL_DEVICE_INFO(uuid, uuid_bytes);
DPEP_INTEL_DEVICE_INFO(gpu_eu_count, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(gpu_eu_simd_width, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(gpu_slices, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(gpu_subslices_per_slice, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(gpu_eu_count_per_subslice, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(gpu_hw_threads_per_eu, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(max_mem_bandwidth, std::uint64_t);
DPEP_INTEL_DEVICE_INFO(memory_clock_rate, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(memory_bus_width, std::uint32_t);
DPEP_INTEL_DEVICE_INFO(max_compute_queue_indices, int);
#undef DPEP_INTEL_DEVICE_INFO

/// Bytes of the device's memory that are not in use.
struct free_memory {
  using return_type = std::uint64_t;
  static return_type get(const dpep::device &d) { return dpep::free_memory(d); }
};

}  // namespace sycl::ext::intel::info::device
