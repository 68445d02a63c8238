// Platforms, devices, sub-devices and contexts on the machine that runs the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <thread>

#include <dpep/memory.hpp>

#include "backend/cpu/topology.hpp"
#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

device native() { return device("native_cpu"); }

TEST(device, the_cpu_always_exists_and_has_properties) {
  const device_info &info = native().info();
  EXPECT_EQ(info.backend, backend_kind::native_cpu);
  EXPECT_EQ(info.type, device_type::cpu);
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.vendor.empty());
  EXPECT_GE(info.max_compute_units, 1u);
  EXPECT_LE(info.max_compute_units, std::thread::hardware_concurrency());
  EXPECT_GT(info.global_mem_size, std::uint64_t{1} << 28);
  EXPECT_GE(info.max_work_group_size, 1024u);
  EXPECT_GE(info.local_mem_size, 32u * 1024);
  EXPECT_EQ(info.native_vector_width[4], info.native_vector_width[2]);
  EXPECT_EQ(info.native_vector_width[4], 2 * info.native_vector_width[5]);
  EXPECT_TRUE(info.fp64);
  EXPECT_TRUE(info.host_unified_memory);
}

TEST(device, is_selected_by_its_filter_string) {
  for (const device &d : all_devices()) EXPECT_EQ(device(d.filter_string()), d);
}

TEST(device, an_error_for_an_unknown_filter_lists_the_devices) {
  for (const char *filter : {"hip", "native_cpu:cpu:99"}) {
    try {
      device d{std::string_view(filter)};
      FAIL();
    } catch (const exception &e) {
      EXPECT_EQ(e.code(), errc::runtime);
      EXPECT_NE(std::string(e.what()).find("native_cpu:cpu:0"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(filter), std::string::npos) << e.what();
    }
  }
}

TEST(device, platforms_list_their_devices) {
  std::size_t devices = 0;
  for (const platform &p : platform::all()) {
    EXPECT_FALSE(p.name().empty());
    for (const device &d : p.devices()) {
      EXPECT_EQ(d.get_platform(), p);
      ++devices;
    }
  }
  EXPECT_EQ(devices, all_devices().size());
}

TEST(device, every_back_end_has_a_report) {
  const auto reports = report_backends();
  ASSERT_GE(reports.size(), 4u);
  for (const backend_report &r : reports) EXPECT_FALSE(r.detail.empty()) << r.name;
  EXPECT_TRUE(std::ranges::any_of(reports, [](const backend_report &r) { return r.available; }));
}

TEST(sub_devices, equally_and_by_counts_have_the_requested_units) {
  const device whole = native();
  const std::uint32_t units = whole.info().max_compute_units;
  const auto singles = whole.partition_equally(1);
  EXPECT_EQ(singles.size(), units);
  for (const device &d : singles) {
    EXPECT_EQ(d.info().max_compute_units, 1u);
    EXPECT_EQ(d.parent(), whole);
    EXPECT_EQ(d.get_platform(), whole.get_platform());
  }
  const std::vector<std::uint32_t> all{units};
  EXPECT_EQ(whole.partition_by_counts(all).size(), 1u);
  EXPECT_FALSE(whole.parent());
}

TEST(sub_devices, impossible_partitions_are_refused) {
  const device whole = native();
  const std::uint32_t units = whole.info().max_compute_units;
  const std::vector<std::uint32_t> too_many{units, 1}, none, zero{0};
  for (const auto &counts : {too_many, none, zero}) {
    try {
      whole.partition_by_counts(counts);
      FAIL();
    } catch (const exception &e) {
      EXPECT_EQ(e.code(), errc::invalid);
    }
  }
  EXPECT_THROW(whole.partition_equally(units + 1), exception);
  EXPECT_THROW(whole.partition_equally(0), exception);
  if (whole.affinity_domains().empty()) {
    try {
      whole.partition_by_affinity(partition_domain::numa);
      FAIL();
    } catch (const exception &e) {
      EXPECT_EQ(e.code(), errc::feature_not_supported);
    }
  }
}

TEST(sub_devices, never_use_more_threads_than_they_have) {
  const device part = native().partition_equally(1).front();
  const queue q(part);
  struct arguments {
    std::atomic<int> *inside, *max;
  };
  const auto code = load(part, each<arguments, [](const arguments &a, std::size_t) {
                           const int now = a.inside->fetch_add(1) + 1;
                           int seen = a.max->load();
                           while (seen < now && !a.max->compare_exchange_weak(seen, now)) {}
                           a.inside->fetch_sub(1);
                         }>);
  std::atomic<int> inside{0}, max{0};
  for (int i = 0; i < 20; ++i) launch(q, code, flat(100'000), arguments{&inside, &max}).wait();
  EXPECT_EQ(max, 1);
}

TEST(sub_devices, share_their_root_devices_context_and_memory) {
  const device root = native(), part = root.partition_equally(1).front();
  const context where = context::default_for(root);
  EXPECT_TRUE(where.contains(part));
  EXPECT_EQ(context::default_for(part), where);
  void *p = allocate(usm_kind::device, 100, 64, where, part);
  EXPECT_EQ(find_allocation(p)->device, part);
  free(p, where);
  const context only_part(part);
  EXPECT_FALSE(only_part.contains(root));
  EXPECT_THROW(queue(only_part, root), exception);
}

TEST(context, needs_devices) {
  EXPECT_THROW(context(std::span<const device>()), exception);
  EXPECT_EQ(context(native()).devices().size(), 1u);
}

// -- The limits of the process, with files of other machines

class system_files : public ::testing::Test {
protected:
  system_files() : root(std::filesystem::temp_directory_path() / ("dpep_topology_" + std::to_string(getpid()))) {}
  ~system_files() override { std::filesystem::remove_all(root); }
  void write(const std::string &path, const std::string &text) const {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  const std::filesystem::path root;
};

TEST_F(system_files, version_2_quota_is_the_smallest_along_the_path_rounded_up) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/outer/cpu.max", "250000 100000\n");
  write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/outer/memory.max", "1000000000\n");
  write("sys/fs/cgroup/outer/memory.current", "700000000\n");
  write("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 100000000\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(backend::cpu::cgroup_cpu_quota(root), 3u);
  const auto memory = backend::cpu::cgroup_memory_limit(root);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->limit, 1'000'000'000u);
  EXPECT_EQ(memory->used, 600'000'000u);
}

TEST_F(system_files, version_1_quota_and_limit) {
  write("proc/self/cgroup", "4:memory:/box\n1:cpu,cpuacct:/box\n");
  write("proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                               "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "50000\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "2000000\n");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "500000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(backend::cpu::cgroup_cpu_quota(root), 1u);
  const auto memory = backend::cpu::cgroup_memory_limit(root);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->limit, 2'000'000u);
  EXPECT_EQ(memory->used, 500'000u);
}

TEST_F(system_files, a_path_outside_the_container_falls_back_to_the_mount) {
  write("proc/self/cgroup", "0::/host/path/of/container\n");
  write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(backend::cpu::cgroup_cpu_quota(root), 4u);
}

TEST_F(system_files, without_limits_returns_none) {
  EXPECT_EQ(backend::cpu::cgroup_cpu_quota(root), std::nullopt);
  EXPECT_FALSE(backend::cpu::cgroup_memory_limit(root));
}

TEST_F(system_files, numa_nodes_have_the_allowed_cpus_only) {
  write("sys/devices/system/node/online", "0-2\n");
  write("sys/devices/system/node/node0/cpulist", "0-3,8\n");
  write("sys/devices/system/node/node1/cpulist", "4-7\n");
  write("sys/devices/system/node/node2/cpulist", "9\n");
  const auto nodes = backend::cpu::numa_nodes({2, 3, 4, 8}, root);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0], (std::vector<unsigned>{2, 3, 8}));
  EXPECT_EQ(nodes[1], (std::vector<unsigned>{4}));
}

}  // namespace
}  // namespace dpep::testing
