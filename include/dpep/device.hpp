// Platforms and devices: discovery, properties and selection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/object.hpp>

namespace dpep {

/// The back ends that selectors can name. dpep implements native_cpu and cuda.
enum class backend_kind { native_cpu, cuda, opencl, level_zero, hip };
enum class device_type { cpu, gpu, accelerator, custom };
/// How a sub-device was made.
enum class partition_kind { none, equally, by_counts, by_affinity };
enum class partition_domain { not_applicable, numa, l4_cache, l3_cache, l2_cache, l1_cache, next_partitionable };

DPEP_API std::string_view name_of(backend_kind) noexcept;  // "native_cpu", "cuda", …
DPEP_API std::string_view name_of(device_type) noexcept;   // "cpu", "gpu", …

/// A device's properties, named as SYCL's device descriptors. Sizes are in bytes, clock frequencies in MHz.
/// A plain structure that the back end fills once. SYCL and Python read its fields.
struct device_info {
  backend_kind backend = backend_kind::native_cpu;
  device_type type = device_type::cpu;
  std::string name, vendor, driver_version, version;
  std::uint32_t vendor_id = 0;
  std::uint32_t max_compute_units = 1;
  std::size_t max_work_group_size = 1;
  std::array<std::size_t, 3> max_work_item_sizes{1, 1, 1};  // [0] varies fastest, as in `geometry`
  std::uint32_t max_num_sub_groups = 1;
  std::vector<std::size_t> sub_group_sizes{1};
  std::uint32_t max_clock_frequency = 0;
  std::uint32_t address_bits = 64;
  std::uint64_t max_mem_alloc_size = 0;
  std::uint64_t global_mem_size = 0;
  std::uint64_t global_mem_cache_size = 0;
  std::uint32_t global_mem_cache_line_size = 64;
  std::uint64_t local_mem_size = 0;
  bool local_mem_is_global = true;  // local memory is ordinary memory (SYCL's local_mem_type::global)
  std::uint64_t max_constant_buffer_size = 0;
  std::size_t max_parameter_size = 0;
  std::uint32_t mem_base_addr_align = 512;  // bits
  std::uint32_t partition_max_sub_devices = 0;
  std::size_t profiling_timer_resolution = 1;  // nanoseconds
  // in elements, for char, short, int, long, float, double, half
  std::array<std::uint32_t, 7> preferred_vector_width{}, native_vector_width{};
  bool fp16 = false, fp64 = false, atomic64 = false;
  bool usm_device = true, usm_host = true, usm_shared = true;
  bool usm_atomic_host = false, usm_atomic_shared = false, usm_system = false;
  bool host_unified_memory = false;
  bool error_correction_support = false;
  std::vector<std::string> extensions;
};

class platform;

/// A root device or a sub-device. Root devices live as long as the process.
class DPEP_API device : public handle {
public:
  using handle::handle;
  /// The default device: the first GPU that `ONEAPI_DEVICE_SELECTOR` allows, else the first device that it allows.
  /// Throws errc::runtime if it allows none.
  device();
  /// The first device that matches the filter string, such as "gpu", "cuda:gpu:0", "0" or "cpu,gpu". Throws
  /// errc::runtime, with a list of the devices that exist, if none matches.
  explicit device(std::string_view filter);

  const device_info &info() const noexcept;
  dpep::platform get_platform() const;
  /// The device that this sub-device is a part of; nothing for a root device.
  std::optional<device> parent() const;
  /// The device's index among the root devices with the same back end and type, as in filter strings. Throws
  /// errc::invalid for a sub-device.
  std::size_t relative_index() const;
  /// "backend:type:index", the filter string that selects this root device. Throws errc::invalid for a sub-device.
  std::string filter_string() const;

  // The partition functions throw errc::invalid for counts that the device does not have, and
  // errc::feature_not_supported for affinity domains that it does not have.

  /// As many sub-devices of `compute_units` each as fit. Remaining compute units are in none of them.
  std::vector<device> partition_equally(std::uint32_t compute_units) const;
  /// One sub-device for each count.
  std::vector<device> partition_by_counts(std::span<const std::uint32_t> compute_units) const;
  std::vector<device> partition_by_affinity(partition_domain) const;
  std::vector<partition_domain> affinity_domains() const;
  /// How this sub-device was made; none for a root device.
  partition_kind made_by() const;
  /// The domain by which this sub-device was made; not_applicable for other devices.
  partition_domain made_by_domain() const;
};

/// Bytes of the device's memory that are not in use: on CPUs what the system can give to programs, on GPUs what the
/// driver reports.
DPEP_API std::uint64_t free_memory(const device &);

/// A back end's driver with its devices.
class DPEP_API platform : public handle {
public:
  using handle::handle;
  const std::string &name() const noexcept;
  const std::string &vendor() const noexcept;
  const std::string &version() const noexcept;
  backend_kind backend() const noexcept;
  std::vector<device> devices() const;
  static std::vector<platform> all();
};

/// All root devices that `ONEAPI_DEVICE_SELECTOR` allows, platform by platform, the best device of each first.
DPEP_API std::vector<device> all_devices();
/// The devices that match the filter string (see device::device), in the order of its filters.
DPEP_API std::vector<device> select_devices(std::string_view filter);

/// The result of loading a back end, for `python -m dpep doctor`.
struct backend_report {
  std::string name;
  bool available = false;
  std::string detail;  // version and devices; if not available, the reason and the remedy
};
/// One report for each back end.
DPEP_API std::vector<backend_report> report_backends();

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::device);
DPEP_HASH_BY_IDENTITY(dpep::platform);
