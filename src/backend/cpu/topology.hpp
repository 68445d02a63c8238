// The part of the machine that this process may use: CPUs, memory, caches and NUMA nodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dpep::backend::cpu {

// `root` is the folder that contains proc and sys; tests provide their own.

/// The cgroup's CPU quota in whole CPUs, rounded up: the smallest along the path, of versions 1 and 2.
std::optional<unsigned> cgroup_cpu_quota(const std::filesystem::path &root = "/");
struct memory_limit {
  std::uint64_t limit, used;  // bytes; `used` excludes memory that the kernel can reclaim
};
/// The cgroup's memory limit: the one along the path with the least free memory.
std::optional<memory_limit> cgroup_memory_limit(const std::filesystem::path &root = "/");

/// The CPUs in the process's affinity mask.
std::vector<unsigned> allowed_cpus();
/// The number of threads to use: the minimum of affinity mask, quota and DPEP_NUM_THREADS; at least 1.
unsigned usable_threads();

/// The CPUs of each NUMA node, restricted to `cpus`, without empty nodes.
std::vector<std::vector<unsigned>> numa_nodes(const std::vector<unsigned> &cpus,
                                              const std::filesystem::path &root = "/");
/// Parses a list of CPUs as sysfs writes it: "0-3,8".
std::vector<unsigned> parse_cpu_list(const std::string &);

struct cache_sizes {
  std::uint64_t largest = 0;  // bytes of the last-level cache
  std::uint32_t line = 64;    // bytes
};
cache_sizes caches(const std::filesystem::path &root = "/");

std::string cpu_brand();
std::string cpu_vendor();
std::uint32_t clock_mhz(const std::filesystem::path &root = "/");

}  // namespace dpep::backend::cpu
