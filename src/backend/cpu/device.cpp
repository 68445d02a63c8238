// The properties of the CPU, and its partition into sub-devices.
#include "backend/cpu/device.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "backend/common/host_memory.hpp"
#include "backend/cpu/code.hpp"
#include "backend/cpu/guard.hpp"
#include "backend/cpu/kernel_symbols.hpp"
#include "backend/cpu/memory.hpp"
#include "backend/cpu/queue.hpp"
#include "backend/cpu/topology.hpp"

namespace dpep::backend::cpu {
namespace {

constexpr const char *version = DPEP_VERSION;

/// The number of elements of each type in a vector register: char, short, int, long, float, double, half.
std::array<std::uint32_t, 7> vector_widths() {
  const std::uint32_t bytes = __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
  // half is converted to float unless the CPU has half-precision arithmetic
  const std::uint32_t half = __builtin_cpu_supports("avx512fp16") ? bytes / 2 : bytes / 4;
  return {bytes, bytes / 2, bytes / 4, bytes / 8, bytes / 4, bytes / 8, half};
}

device_info describe(std::uint32_t threads) {
  device_info info;
  info.backend = backend_kind::native_cpu;
  info.type = device_type::cpu;
  info.name = cpu_brand();
  info.vendor = cpu_vendor();
  info.vendor_id = info.vendor == "GenuineIntel" ? 0x8086 : info.vendor == "AuthenticAMD" ? 0x1022 : 0;
  info.driver_version = version;
  info.version = fmt::format("dpep {}", version);
  info.max_compute_units = threads;
  info.preferred_vector_width = info.native_vector_width = vector_widths();
  // Larger groups only need more memory and occupy fewer threads. They are allowed nevertheless.
  info.max_work_group_size = 4096;
  info.max_work_item_sizes = {4096, 4096, 4096};
  info.sub_group_sizes = {4, 8, 16, 32, 64};
  info.max_num_sub_groups = static_cast<std::uint32_t>(info.max_work_group_size / info.sub_group_sizes.front());
  info.max_clock_frequency = clock_mhz();
  info.global_mem_size = total_memory();
  info.max_mem_alloc_size = info.global_mem_size;
  const cache_sizes cache = caches();
  info.global_mem_cache_size = cache.largest;
  info.global_mem_cache_line_size = cache.line;
  info.local_mem_size = 256 * 1024;  // ordinary memory: a size that is likely to stay in the L2 cache
  info.local_mem_is_global = true;
  info.max_constant_buffer_size = info.global_mem_size;
  info.max_parameter_size = 64 * 1024;
  info.partition_max_sub_devices = threads;
  info.fp16 = __builtin_cpu_supports("f16c");  // conversions; arithmetic is then done in float
  info.fp64 = info.atomic64 = true;
  info.usm_device = info.usm_host = info.usm_shared = info.usm_system = true;
  info.usm_atomic_host = info.usm_atomic_shared = true;
  info.host_unified_memory = true;
  info.extensions = {"cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"};
  if (info.fp16) info.extensions.push_back("cl_khr_fp16");
  return info;
}

}  // namespace

cpu_device::cpu_device(device_info info, std::shared_ptr<executor> threads)
    : info_(std::move(info)), threads_(std::move(threads)) {}

std::unique_ptr<queue> cpu_device::make_queue(const queue_options &options, ref<error_slot> errors) {
  return std::make_unique<cpu_queue>(threads_, std::move(errors), options);
}

void *cpu_device::allocate(usm_kind, std::size_t bytes, std::size_t alignment, block_use use) noexcept {
  return allocate_pages(bytes, alignment, use);
}
void cpu_device::free(usm_kind, void *block, std::size_t bytes) noexcept { free_pages(block, bytes); }
std::uint64_t cpu_device::free_memory() const noexcept { return available_memory(); }

std::size_t cpu_device::max_concurrent_groups(const code &, std::size_t group_items, std::size_t) const {
  // Each waiting work-item has a stack, of which it mostly uses two pages: 128 MiB.
  constexpr std::size_t most_items = 16384;
  return std::max<std::size_t>(most_items / std::max<std::size_t>(group_items, 1), 1);
}

ref<const code> cpu_device::load(const code_object &object, const code_needs &needs) {
  install_fault_handlers();
  return make_object<loaded_code>(object, needs);
}

std::span<const symbol> cpu_device::symbols() const noexcept { return kernel_symbols(); }

std::vector<partition_domain> cpu_device::affinity_domains() const {
  const auto cpus = threads_->cpus().empty() ? allowed_cpus() : threads_->cpus();
  if (numa_nodes(cpus).size() < 2) return {};
  return {partition_domain::numa, partition_domain::next_partitionable};
}

std::unique_ptr<device> cpu_device::make_sub_device(std::uint32_t compute_units, std::vector<unsigned> cpus) const {
  device_info part = info_;
  part.max_compute_units = part.partition_max_sub_devices = compute_units;
  return std::make_unique<cpu_device>(std::move(part), std::make_shared<executor>(compute_units, std::move(cpus)));
}

std::vector<std::unique_ptr<device>> cpu_device::partition(std::span<const std::uint32_t> compute_units) {
  const std::uint64_t wanted = std::accumulate(compute_units.begin(), compute_units.end(), std::uint64_t{0});
  if (compute_units.empty() || wanted > info_.max_compute_units || std::ranges::count(compute_units, 0u)) {
    throw exception(
        errc::invalid,
        fmt::format("partition: sub-devices of {} compute units requested of a device that has {}: each needs "
                    "at least 1, and together they may have no more than the device",
                    fmt::join(compute_units, " + "), info_.max_compute_units));
  }
  std::vector<std::unique_ptr<device>> parts;
  // a sub-device of a pinned device is pinned to the same CPUs
  for (std::uint32_t units : compute_units) parts.push_back(make_sub_device(units, threads_->cpus()));
  return parts;
}

std::vector<std::unique_ptr<device>> cpu_device::partition(partition_domain domain) {
  if (!std::ranges::count(affinity_domains(), domain)) {
    throw exception(errc::feature_not_supported,
                    "partition: this device can be partitioned by affinity only into NUMA nodes, and the process may "
                    "use no more than one; use partition_equally or partition_by_counts");
  }
  std::vector<std::unique_ptr<device>> parts;
  std::uint32_t left = info_.max_compute_units;  // a cgroup quota may allow fewer threads than CPUs
  for (auto &cpus : numa_nodes(threads_->cpus().empty() ? allowed_cpus() : threads_->cpus())) {
    const auto units = std::min(static_cast<std::uint32_t>(cpus.size()), std::max(left, 1u));
    left -= std::min(left, units);
    parts.push_back(make_sub_device(units, std::move(cpus)));
  }
  return parts;
}

discovery open() noexcept {
  discovery result;
  result.report.name = "native CPU";
  try {
    device_info info = describe(usable_threads());
    result.platform_name = "dpep native CPU";
    result.platform_vendor = "dpep";
    result.platform_version = info.version;
    result.report.available = true;
    result.report.detail = fmt::format("{}, {} threads, {:.1f} GiB", info.name, info.max_compute_units,
                                       static_cast<double>(info.global_mem_size) / (1 << 30));
    auto threads = std::make_shared<executor>(info.max_compute_units);
    result.devices.push_back(std::make_unique<cpu_device>(std::move(info), std::move(threads)));
  } catch (const std::exception &e) {
    result.report.detail = e.what();
  }
  return result;
}

}  // namespace dpep::backend::cpu
