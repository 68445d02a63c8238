// Platforms and devices: what hardware there is, what it can do, and how to choose from it.
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

enum class backend_kind { native_cpu, cuda, opencl, level_zero, hip };
enum class device_type { cpu, gpu, accelerator, custom };
enum class partition_domain { not_applicable, numa, l4_cache, l3_cache, l2_cache, l1_cache, next_partitionable };

DPEP_API std::string_view name_of(backend_kind) noexcept;  // "native_cpu", "cuda", …
DPEP_API std::string_view name_of(device_type) noexcept;   // "cpu", "gpu", …

/// What a device reports, as SYCL's device descriptors name it. Sizes are bytes, clocks MHz.
/// A plain structure, filled once by the back end: SYCL and Python read its fields.
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
  bool local_mem_is_global = true;  // local memory is carved out of ordinary memory
  std::uint64_t max_constant_buffer_size = 0;
  std::size_t max_parameter_size = 0;
  std::uint32_t mem_base_addr_align = 512;  // bits
  std::uint32_t partition_max_sub_devices = 0;
  std::size_t profiling_timer_resolution = 1;  // nanoseconds
  // preferred and native vector widths, in elements: char short int long float double half
  std::array<std::uint32_t, 7> preferred_vector_width{}, native_vector_width{};
  bool fp16 = false, fp64 = false, atomic64 = false;
  bool usm_device = true, usm_host = true, usm_shared = true;
  bool usm_atomic_host = false, usm_atomic_shared = false, usm_system = false;
  bool host_unified_memory = false;
  bool error_correction_support = false;
  std::vector<std::string> extensions;
};

class platform;

/// A device or a sub-device. Root devices live as long as the process.
class DPEP_API device : public handle {
public:
  using handle::handle;
  /// The default device: the first that `ONEAPI_DEVICE_SELECTOR` allows, GPUs before CPUs; throws errc::runtime if
  /// none.
  device();
  /// By filter selector: "gpu", "cuda:gpu:0", "0", "cpu,gpu"; throws errc::runtime naming what exists.
  explicit device(std::string_view filter);

  const device_info &info() const noexcept;
  dpep::platform get_platform() const;
  std::optional<device> parent() const;
  /// Position among the root devices with the same backend and type, as in filter strings; a sub-device has none and
  /// throws errc::invalid, here and in filter_string.
  std::size_t relative_index() const;
  /// "backend:type:index", which selects this root device again.
  std::string filter_string() const;

  // Partitions throw errc::invalid for what the device has not got, errc::feature_not_supported for domains it lacks.

  /// Sub-devices of `compute_units` each; what is left over stays unused.
  std::vector<device> partition_equally(std::uint32_t compute_units) const;
  std::vector<device> partition_by_counts(std::span<const std::uint32_t> compute_units) const;
  std::vector<device> partition_by_affinity(partition_domain) const;
  std::vector<partition_domain> affinity_domains() const;
};

/// One back end's driver and its devices.
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

/// All root devices that `ONEAPI_DEVICE_SELECTOR` allows, best first within a platform.
DPEP_API std::vector<device> all_devices();
/// The devices that match a filter selector (see device::device), in order of preference.
DPEP_API std::vector<device> select_devices(std::string_view filter);

/// How each known back end was looked for and what came of it, for `python -m dpep doctor`.
struct backend_report {
  std::string name;
  bool available = false;
  std::string detail;  // version and devices, or what is missing and what to do
};
DPEP_API std::vector<backend_report> report_backends();

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::device);
DPEP_HASH_BY_IDENTITY(dpep::platform);
