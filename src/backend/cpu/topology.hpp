// What this process may use of the machine: CPUs, memory, caches, NUMA nodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dpep::backend::cpu {

// `root` is where /proc and /sys are looked for: tests bring their own.

/// The cgroup's CPU quota in whole CPUs, rounded up; version 1 and 2, the smallest along the path.
std::optional<unsigned> cgroup_cpu_quota(const std::filesystem::path &root = "/");
struct memory_limit {
  std::uint64_t limit, used;  // bytes; `used` without what the kernel can drop
};
std::optional<memory_limit> cgroup_memory_limit(const std::filesystem::path &root = "/");

/// CPUs of the process's affinity mask.
std::vector<unsigned> allowed_cpus();
/// Threads to use: the least of affinity mask, quota and DPEP_NUM_THREADS; at least one.
unsigned usable_threads();

/// NUMA nodes with the allowed CPUs of each; nodes without any are left out.
std::vector<std::vector<unsigned>> numa_nodes(const std::vector<unsigned> &cpus,
                                              const std::filesystem::path &root = "/");
/// "0-3,8" as sysfs writes lists of CPUs.
std::vector<unsigned> parse_cpu_list(const std::string &);

struct cache_sizes {
  std::uint64_t largest = 0;
  std::uint32_t line = 64;
};
cache_sizes caches(const std::filesystem::path &root = "/");

std::string cpu_brand();
std::string cpu_vendor();
std::uint32_t clock_mhz(const std::filesystem::path &root = "/");

}  // namespace dpep::backend::cpu
