// Reads /proc and /sys, cgroup versions 1 and 2, and CPUID.
#include "backend/cpu/topology.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <cpuid.h>
#include <sched.h>
#include <sys/sysinfo.h>

#include "backend/common/host_memory.hpp"

namespace dpep::backend::cpu {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path &path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;  // "max", "-1": no limit
  return value;
}

std::optional<std::uint64_t> read_number(const fs::path &path) {
  const auto text = read_file(path);
  return text ? parse_number(*text) : std::nullopt;
}

/// The value of a key in a file with lines "key value" or "Key:  value kB".
std::optional<std::uint64_t> read_field(const fs::path &path, std::string_view key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key) || line.size() == key.size()) continue;
    if (const char next = line[key.size()]; next != ' ' && next != ':') continue;
    return parse_number(std::string_view(line).substr(key.size() + 1));
  }
  return std::nullopt;
}

/// The folders whose limits of a controller apply to this process: from its own cgroup up to the mount's root.
std::vector<fs::path> cgroup_folders(const fs::path &root, std::string_view controller, bool version2) {
  // /proc/self/cgroup: "4:memory:/path" (version 1; several controllers are separated by commas), "0::/path" (version
  // 2)
  std::string inside;
  std::ifstream groups(root / "proc/self/cgroup");
  bool member = false;
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    if (version2 ? names != ",," : names.find("," + std::string(controller) + ",") == std::string::npos) continue;
    inside = line.substr(second + 1);
    member = true;
  }
  if (!member) return {};
  // /proc/self/mountinfo: "31 23 0:28 /root /mount/point opts - type source superoptions"
  std::vector<fs::path> folders;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream left(line.substr(0, dash)), right(line.substr(dash + 3));
    std::string id, parent, device, mount_root, point, type, source, options;
    left >> id >> parent >> device >> mount_root >> point;
    right >> type >> source >> options;
    if (type != (version2 ? "cgroup2" : "cgroup")) continue;
    if (!version2 && ("," + options + ",").find("," + std::string(controller) + ",") == std::string::npos) continue;
    const fs::path mount = root / fs::path(point).relative_path();
    // in a container, the path may be relative to a root that is not visible
    std::string relative = inside;
    if (mount_root != "/" && relative.starts_with(mount_root)) relative.erase(0, mount_root.size());
    for (fs::path p = fs::path(relative).relative_path(); !p.empty(); p = p.parent_path())
      if (fs::exists(mount / p)) folders.push_back(mount / p);
    folders.push_back(mount);
  }
  return folders;
}

template <class T> void reduce_to(std::optional<T> &least, T value) {
  if (!least || value < *least) least = value;
}

}  // namespace

std::optional<unsigned> cgroup_cpu_quota(const fs::path &root) {
  std::optional<double> cpus;
  for (const fs::path &folder : cgroup_folders(root, "cpu", true)) {
    const auto text = read_file(folder / "cpu.max");  // "quota period"; the quota may be "max"
    if (!text) continue;
    const auto space = text->find(' ');
    const auto quota = parse_number(*text);
    const auto period = space == std::string::npos ? std::nullopt : parse_number(std::string_view(*text).substr(space));
    if (quota && period && *period) reduce_to(cpus, static_cast<double>(*quota) / static_cast<double>(*period));
  }
  for (const fs::path &folder : cgroup_folders(root, "cpu", false)) {
    const auto quota = read_number(folder / "cpu.cfs_quota_us"), period = read_number(folder / "cpu.cfs_period_us");
    if (quota && period && *period) reduce_to(cpus, static_cast<double>(*quota) / static_cast<double>(*period));
  }
  if (!cpus) return std::nullopt;
  return std::max(1u, static_cast<unsigned>(std::ceil(*cpus - 1e-9)));
}

std::optional<memory_limit> cgroup_memory_limit(const fs::path &root) {
  std::optional<memory_limit> tightest;
  const auto consider = [&](std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used,
                            std::optional<std::uint64_t> reclaimable) {
    if (!limit || *limit >= std::uint64_t{1} << 60) return;  // version 1 means "no limit" by a number near 2^63
    const std::uint64_t net = used.value_or(0) - std::min(reclaimable.value_or(0), used.value_or(0));
    const auto free = [](const memory_limit &m) { return m.limit - std::min(m.used, m.limit); };
    const memory_limit found{*limit, net};
    if (!tightest || free(found) < free(*tightest)) tightest = found;
  };
  for (const fs::path &folder : cgroup_folders(root, "memory", true))
    consider(read_number(folder / "memory.max"), read_number(folder / "memory.current"),
             read_field(folder / "memory.stat", "inactive_file"));
  for (const fs::path &folder : cgroup_folders(root, "memory", false))
    consider(read_number(folder / "memory.limit_in_bytes"), read_number(folder / "memory.usage_in_bytes"),
             read_field(folder / "memory.stat", "total_inactive_file"));
  return tightest;
}

std::vector<unsigned> allowed_cpus() {
  // on machines with more than 1024 CPUs the mask may be larger than cpu_set_t
  for (std::size_t count = CPU_SETSIZE; count <= 1 << 16; count *= 2) {
    cpu_set_t *const mask = CPU_ALLOC(count);
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    std::vector<unsigned> cpus;
    const bool fits = mask && sched_getaffinity(0, bytes, mask) == 0;
    if (fits)
      for (unsigned cpu = 0; cpu < count; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, mask)) cpus.push_back(cpu);
    CPU_FREE(mask);
    if (!cpus.empty()) return cpus;
  }
  std::vector<unsigned> all(std::max(1u, std::thread::hardware_concurrency()));
  for (unsigned cpu = 0; cpu < all.size(); ++cpu) all[cpu] = cpu;
  return all;
}

unsigned usable_threads() {
  auto threads = static_cast<unsigned>(allowed_cpus().size());
  if (const auto quota = cgroup_cpu_quota()) threads = std::min(threads, *quota);
  if (const char *wanted = std::getenv("DPEP_NUM_THREADS"))
    if (const auto n = parse_number(wanted); n && *n > 0) threads = std::min(threads, static_cast<unsigned>(*n));
  return std::max(1u, threads);
}

std::vector<unsigned> parse_cpu_list(const std::string &text) {
  std::vector<unsigned> cpus;
  std::istringstream in(text);
  for (std::string range; std::getline(in, range, ',');) {
    unsigned first = 0;
    const char *const end = range.data() + range.size();
    const auto [stop, error] = std::from_chars(range.data(), end, first);
    if (error != std::errc()) continue;
    unsigned last = first;
    if (stop != end && *stop == '-') std::from_chars(stop + 1, end, last);
    for (unsigned cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<std::vector<unsigned>> numa_nodes(const std::vector<unsigned> &cpus, const fs::path &root) {
  std::vector<std::vector<unsigned>> nodes;
  for (unsigned node : parse_cpu_list(read_file(root / "sys/devices/system/node/online").value_or(""))) {
    const auto list = read_file(root / "sys/devices/system/node" / ("node" + std::to_string(node)) / "cpulist");
    std::vector<unsigned> node_cpus;
    for (unsigned cpu : parse_cpu_list(list.value_or("")))
      if (std::ranges::binary_search(cpus, cpu)) node_cpus.push_back(cpu);
    if (!node_cpus.empty()) nodes.push_back(std::move(node_cpus));
  }
  return nodes;
}

cache_sizes caches(const fs::path &root) {
  cache_sizes found;
  for (unsigned index = 0;; ++index) {
    const fs::path folder = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    const auto size = read_file(folder / "size");  // "2048K"
    if (!size) return found;
    const std::uint64_t unit = size->find('M') != std::string::npos   ? 1 << 20
                               : size->find('K') != std::string::npos ? 1024
                                                                      : 1;
    found.largest = std::max(found.largest, parse_number(*size).value_or(0) * unit);
    if (const auto line = read_number(folder / "coherency_line_size")) found.line = static_cast<std::uint32_t>(*line);
  }
}

std::string cpu_brand() {
  std::array<unsigned, 12> words{};
  for (unsigned i = 0; i < 3; ++i)
    if (!__get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]))
      return "x86-64 CPU";
  char text[sizeof words + 1] = {};
  std::memcpy(text, words.data(), sizeof words);
  std::istringstream in(text);
  std::string brand;  // with single spaces between words
  for (std::string word; in >> word;) brand += (brand.empty() ? "" : " ") + word;
  return brand.empty() ? "x86-64 CPU" : brand;
}

std::string cpu_vendor() {
  unsigned most = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &most, &b, &c, &d)) return "unknown";
  char text[13] = {};
  std::memcpy(text, &b, 4);
  std::memcpy(text + 4, &d, 4);
  std::memcpy(text + 8, &c, 4);
  return text;
}

std::uint32_t clock_mhz(const fs::path &root) {
  if (const auto khz = read_number(root / "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    return static_cast<std::uint32_t>(*khz / 1000);
  std::ifstream in(root / "proc/cpuinfo");  // virtual machines have no cpufreq
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("cpu MHz"))
      return static_cast<std::uint32_t>(std::strtod(line.c_str() + line.find(':') + 1, nullptr));
  return 0;
}

}  // namespace dpep::backend::cpu

namespace dpep::backend {

std::uint64_t total_memory() {
  struct sysinfo info{};
  sysinfo(&info);
  std::uint64_t total = std::uint64_t{info.totalram} * info.mem_unit;
  if (const auto group = cpu::cgroup_memory_limit()) total = std::min(total, group->limit);
  return total;
}

std::uint64_t available_memory() {
  std::uint64_t available = total_memory();
  if (const auto kib = cpu::read_field("/proc/meminfo", "MemAvailable")) available = std::min(available, *kib * 1024);
  if (const auto group = cpu::cgroup_memory_limit())
    available = std::min(available, group->limit - std::min(group->used, group->limit));
  return available;
}

}  // namespace dpep::backend
