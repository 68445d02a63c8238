// Platforms, devices, contexts and selectors: their properties and the selection of devices.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include "error_of.hpp"

TEST(platforms, list_their_devices) {
  const std::vector<sycl::platform> platforms = sycl::platform::get_platforms();
  ASSERT_FALSE(platforms.empty());
  for (const sycl::platform &p : platforms) {
    EXPECT_FALSE(p.get_info<sycl::info::platform::name>().empty());
    EXPECT_FALSE(p.get_info<sycl::info::platform::vendor>().empty());
    EXPECT_FALSE(p.get_info<sycl::info::platform::version>().empty());
    for (const sycl::device &d : p.get_devices()) {
      EXPECT_EQ(d.get_platform(), p);
      EXPECT_EQ(d.get_backend(), p.get_backend());
    }
  }
  EXPECT_EQ(sycl::platform(), sycl::device().get_platform());
}

TEST(devices, of_a_kind_are_of_that_kind) {
  using sycl::info::device_type;
  EXPECT_FALSE(sycl::device::get_devices(device_type::cpu).empty());
  for (const sycl::device &d : sycl::device::get_devices(device_type::cpu)) {
    EXPECT_TRUE(d.is_cpu());
    EXPECT_TRUE(d.has(sycl::aspect::cpu));
    EXPECT_EQ(d.get_info<sycl::info::device::device_type>(), device_type::cpu);
  }
  for (const sycl::device &d : sycl::device::get_devices(device_type::gpu)) EXPECT_TRUE(d.is_gpu());
  EXPECT_GE(sycl::device::get_devices().size(), sycl::device::get_devices(device_type::cpu).size());
}

TEST(devices, describe_themselves) {
  namespace info = sycl::info::device;
  for (const sycl::device &d : sycl::device::get_devices()) {
    EXPECT_FALSE(d.get_info<info::name>().empty());
    EXPECT_FALSE(d.get_info<info::vendor>().empty());
    EXPECT_FALSE(d.get_info<info::driver_version>().empty());
    EXPECT_FALSE(d.get_info<info::version>().empty());
    EXPECT_GE(d.get_info<info::max_compute_units>(), 1u);
    EXPECT_EQ(d.get_info<info::max_work_item_dimensions>(), 3u);
    EXPECT_GE(d.get_info<info::max_work_group_size>(), 256u);
    EXPECT_GE(d.get_info<info::max_work_item_sizes<1>>()[0], 256u);
    EXPECT_GE(d.get_info<info::max_work_item_sizes<3>>()[2], 64u);
    EXPECT_GE(d.get_info<info::max_num_sub_groups>(), 1u);
    EXPECT_FALSE(d.get_info<info::sub_group_sizes>().empty());
    EXPECT_TRUE(d.get_info<info::sub_group_independent_forward_progress>());  // waiting_test.cpp relies on it
    EXPECT_EQ(d.get_info<info::address_bits>(), 64u);
    EXPECT_GE(d.get_info<info::global_mem_size>(), d.get_info<info::local_mem_size>());
    EXPECT_GE(d.get_info<info::local_mem_size>(), 32u << 10);
    EXPECT_GE(d.get_info<info::max_mem_alloc_size>(), 128u << 20);
    EXPECT_GE(d.get_info<info::max_parameter_size>(), 1024u);
    EXPECT_GT(d.get_info<info::mem_base_addr_align>(), 0u);
    EXPECT_GE(d.get_info<info::native_vector_width_float>(), 1u);
    EXPECT_GE(d.get_info<info::preferred_vector_width_double>(), d.has(sycl::aspect::fp64) ? 1u : 0u);
    EXPECT_FALSE(d.get_info<info::single_fp_config>().empty());
    EXPECT_EQ(d.get_info<info::double_fp_config>().empty(), !d.has(sycl::aspect::fp64));
    EXPECT_EQ(d.get_info<info::half_fp_config>().empty(), !d.has(sycl::aspect::fp16));
    EXPECT_TRUE(d.get_info<info::image_support>());
    EXPECT_FALSE(d.get_info<info::atomic_memory_order_capabilities>().empty());
    EXPECT_EQ(d.get_info<info::platform>(), d.get_platform());
    EXPECT_TRUE(d.get_info<info::built_in_kernel_ids>().empty());
  }
}

TEST(devices, have_the_aspects_that_they_list) {
  for (const sycl::device &d : sycl::device::get_devices()) {
    const std::vector<sycl::aspect> listed = d.get_info<sycl::info::device::aspects>();
    for (int i = 0; i <= int(sycl::aspect::usm_system_allocations); i++) {
      const auto a = sycl::aspect(i);
      EXPECT_EQ(d.has(a), std::find(listed.begin(), listed.end(), a) != listed.end()) << i;
    }
    EXPECT_TRUE(d.has(sycl::aspect::queue_profiling));
  }
  static_assert(sycl::all_devices_have_v<sycl::aspect::queue_profiling>);
  static_assert(sycl::any_device_has_v<sycl::aspect::fp64>);
  static_assert(sycl::any_device_has_v<sycl::aspect::image>);
}

TEST(devices, can_be_divided) {
  const sycl::device d{sycl::cpu_selector_v};
  const auto units = d.get_info<sycl::info::device::max_compute_units>();
  EXPECT_THROW(d.get_info<sycl::info::device::parent_device>(), sycl::exception);
  if (units < 2) GTEST_SKIP() << "one compute unit cannot be divided";
  const auto ways = d.get_info<sycl::info::device::partition_properties>();
  EXPECT_TRUE(std::count(ways.begin(), ways.end(), sycl::info::partition_property::partition_equally));
  const auto parts = d.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  ASSERT_EQ(parts.size(), units);
  EXPECT_EQ(parts[0].get_info<sycl::info::device::parent_device>(), d);
  EXPECT_EQ(parts[0].get_info<sycl::info::device::max_compute_units>(), 1u);
  const auto counted = d.create_sub_devices<sycl::info::partition_property::partition_by_counts>({1, 1});
  EXPECT_EQ(counted.size(), 2u);
  EXPECT_THROW(d.create_sub_devices<sycl::info::partition_property::partition_equally>(units + 1), sycl::exception);

  sycl::queue q(parts[1]);
  int *p = sycl::malloc_shared<int>(100, q);
  q.parallel_for(100, [=](sycl::id<1> i) { p[i] = int(i[0]); }).wait();
  EXPECT_EQ(p[99], 99);
  sycl::free(p, q);
}

TEST(devices, are_compared_and_hashed) {
  const sycl::device a, b;
  EXPECT_EQ(a, b);
  EXPECT_EQ(std::hash<sycl::device>()(a), std::hash<sycl::device>()(b));
}

TEST(contexts, list_their_devices) {
  const sycl::device d;
  const sycl::context one(d), all(d.get_platform());
  EXPECT_EQ(one.get_devices(), std::vector{d});
  EXPECT_EQ(one.get_platform(), d.get_platform());
  EXPECT_EQ(all.get_info<sycl::info::context::devices>(), d.get_platform().get_devices());
  EXPECT_EQ(one.get_info<sycl::info::context::platform>(), d.get_platform());
  EXPECT_NE(one, sycl::context(d));
  EXPECT_EQ(d.get_platform().ext_oneapi_get_default_context(), sycl::queue(d).get_context());
}

TEST(selectors, choose_the_best) {
  const sycl::device cpu{sycl::cpu_selector_v};
  EXPECT_TRUE(cpu.is_cpu());
  EXPECT_EQ(sycl::device{sycl::default_selector_v}, sycl::device());
  EXPECT_EQ(sycl::device([&](const sycl::device &d) { return d == cpu ? 10 : 1; }), cpu);
  EXPECT_EQ(sycl::device{sycl::cpu_selector()}, cpu);
  EXPECT_EQ(sycl::cpu_selector().select_device(), cpu);
  EXPECT_TRUE(sycl::device{sycl::ext::oneapi::filter_selector("cpu")}.is_cpu());
}

TEST(selectors, choose_by_aspects) {
  using sycl::aspect;
  EXPECT_TRUE(sycl::device{sycl::aspect_selector(aspect::cpu)}.is_cpu());
  EXPECT_TRUE(sycl::device{sycl::aspect_selector(aspect::cpu, aspect::queue_profiling)}.is_cpu());
  EXPECT_TRUE((sycl::device{sycl::aspect_selector<aspect::cpu, aspect::usm_shared_allocations>()}.is_cpu()));
  EXPECT_TRUE(sycl::device{sycl::aspect_selector(std::vector{aspect::cpu}, std::vector{aspect::gpu})}.is_cpu());
  EXPECT_THROW(sycl::device{sycl::aspect_selector(std::vector{aspect::cpu}, std::vector{aspect::cpu})},
               sycl::exception);
}

TEST(selectors, name_the_devices_that_they_refused) {
  const test::caught_error error = test::error_of([] { sycl::device none([](const sycl::device &) { return -1; }); });
  EXPECT_EQ(error.code, sycl::errc::runtime);
  EXPECT_TRUE(error.mentions(sycl::device().get_info<sycl::info::device::name>())) << error.message;
}

TEST(devices, have_descriptors_of_earlier_versions) {
  namespace info = sycl::info::device;
  const sycl::device d;
  EXPECT_EQ(d.get_info<info::atomic64>(), d.has(sycl::aspect::atomic64));
  EXPECT_EQ(d.get_info<info::opencl_c_version>(), "");
  EXPECT_GE(d.get_info<info::reference_count>(), 1u);
  EXPECT_EQ(d.get_info<info::partition_type_property>(), sycl::info::partition_property::no_partition);
  EXPECT_EQ(d.get_info<info::partition_type_affinity_domain>(), sycl::info::partition_affinity_domain::not_applicable);
  const sycl::queue q(d), copy = q;
  EXPECT_GE(q.get_info<sycl::info::queue::reference_count>(), 2u);
  EXPECT_GE(q.get_context().get_info<sycl::info::context::reference_count>(), 1u);
  EXPECT_GE(sycl::event().get_info<sycl::info::event::reference_count>(), 1u);
}

TEST(sub_devices, know_the_partition_that_made_them) {
  namespace info = sycl::info::device;
  using enum sycl::info::partition_property;
  using domain = sycl::info::partition_affinity_domain;
  const sycl::device cpu(sycl::cpu_selector_v);
  const auto made_by = [](const std::vector<sycl::device> &parts) {
    return std::pair(parts.front().get_info<info::partition_type_property>(),
                     parts.front().get_info<info::partition_type_affinity_domain>());
  };
  EXPECT_EQ(made_by({cpu}), std::pair(no_partition, domain::not_applicable));
  EXPECT_EQ(made_by(cpu.create_sub_devices<partition_equally>(1)),
            std::pair(partition_equally, domain::not_applicable));
  EXPECT_EQ(made_by(cpu.create_sub_devices<partition_by_counts>({1})),
            std::pair(partition_by_counts, domain::not_applicable));
  if (!cpu.get_info<info::partition_affinity_domains>().empty()) {
    for (const domain each : {domain::numa, domain::next_partitionable})
      EXPECT_EQ(made_by(cpu.create_sub_devices<partition_by_affinity_domain>(each)),
                std::pair(partition_by_affinity_domain, domain::numa));
  } else {
    EXPECT_EQ(test::error_of([&] { cpu.create_sub_devices<partition_by_affinity_domain>(domain::numa); }).code,
              sycl::errc::feature_not_supported);
  }
  EXPECT_EQ(test::error_of([&] { cpu.create_sub_devices<partition_equally>(0); }).code, sycl::errc::invalid);
}
