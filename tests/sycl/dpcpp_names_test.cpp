// Names of DPC++ that programs use: headers, members and types that SYCL 2020 does not have or has elsewhere.
#include <sycl/detail/core.hpp>

#include <gtest/gtest.h>

#include <sycl/accessor_image.hpp>
#include <sycl/ext/oneapi/accessor_property_list.hpp>
#include <sycl/ext/oneapi/experimental/builtins.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/functional.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/half_type.hpp>
#include <sycl/properties/all_properties.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/sycl.hpp>
#include <sycl/vector.hpp>

#include "error_of.hpp"
#include "shared_array.hpp"

TEST(dpcpp_names, lists_of_accessor_properties) {
  namespace oneapi = sycl::ext::oneapi;
  int data[4] = {1, 2, 3, 4};
  {
    sycl::queue q;
    sycl::buffer<int> b(data, sycl::range<1>(4));
    q.submit([&](sycl::handler &h) {
      const oneapi::accessor_property_list list{oneapi::no_alias, oneapi::no_offset, sycl::no_init};
      EXPECT_TRUE(list.has_property<sycl::property::no_init>());
      const sycl::accessor a(b, h, sycl::write_only, list);
      const sycl::accessor whole(b, h, oneapi::accessor_property_list{oneapi::no_alias});
      static_assert(std::is_same_v<decltype(whole), const sycl::accessor<int, 1>>);
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 7; });
    });
  }
  EXPECT_EQ(data[3], 7);
}

TEST(dpcpp_names, events_of_in_order_queues) {
  sycl::queue q, ordered{sycl::property::queue::in_order()};
  const shared_array<int> p(2, q);
  const sycl::event first = q.single_task([p = p.get()] { p[0] = 5; });
  ordered.ext_oneapi_set_external_event(first);
  ordered.single_task([p = p.get()] { p[1] = p[0] + 1; });
  const std::optional<sycl::event> last = ordered.ext_oneapi_get_last_event();
  ASSERT_TRUE(last.has_value());
  sycl::event(*last).wait();
  EXPECT_EQ(p[1], 6);
  EXPECT_EQ(test::error_of([&] { q.ext_oneapi_get_last_event(); }).code, sycl::errc::invalid);
  EXPECT_EQ(test::error_of([&] { q.ext_oneapi_set_external_event(first); }).code, sycl::errc::invalid);
}

TEST(dpcpp_names, members_of_sub_groups) {
  sycl::queue q;
  const shared_array<int> p(8, q);
  q.parallel_for(sycl::nd_range<1>(8, 8), [p = p.get()](sycl::nd_item<1> item) {
     const sycl::sub_group g = item.get_sub_group();
     const auto i = static_cast<int>(g.get_local_linear_id()), n = static_cast<int>(g.get_local_linear_range());
     const bool right =
         g.any(i == 0) && !g.all(i == n) && g.broadcast(i + 3, 0) == 3 && g.reduce(1, sycl::plus<int>()) == n &&
         g.reduce(1, 5, sycl::plus<int>()) == n + 5 && g.exclusive_scan(1, sycl::plus<int>()) == i &&
         g.exclusive_scan(1, 2, sycl::plus<int>()) == i + 2 && g.inclusive_scan(1, sycl::plus<int>()) == i + 1 &&
         g.inclusive_scan(1, sycl::plus<int>(), 2) == i + 3;
     p[item.get_global_linear_id()] = right;
   }).wait();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(p[i], 1) << i;
}

TEST(dpcpp_names, of_before_sycl_2020) {
  sycl::queue q;
  int ran = 0;
  q.submit([&](sycl::handler &h) { h.codeplay_host_task([&] { ran = 1; }); }).wait();
  EXPECT_EQ(ran, 1);
  static_assert(std::is_same_v<sycl::cl_float4, sycl::vec<float, 4>>);
  static_assert(std::is_same_v<sycl::cl_ulong16, sycl::vec<std::uint64_t, 16>>);
  static_assert(sycl::nd_range<3>().get_global_range().size() == 0);
}

TEST(dpcpp_names, parameters_of_properties) {
  constexpr auto sizes = sycl::ext::oneapi::experimental::work_group_size<8, 4>;
  static_assert(sizes[0] == 8 && sizes[1] == 4);
}

TEST(dpcpp_names, final_data_of_shared_pointers) {
  const std::shared_ptr<int[]> all(new int[3]{});
  {
    sycl::queue q;
    const int data[3] = {1, 2, 3};
    sycl::buffer<int> b(data, sycl::range<1>(3));
    b.set_final_data(all);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h);
      h.parallel_for(3, [=](sycl::id<1> i) { a[i] += 10; });
    });
  }
  EXPECT_EQ(all[2], 13);
}

TEST(dpcpp_names, functions_of_bfloat16) {
  namespace experimental = sycl::ext::oneapi::experimental;
  using sycl::ext::oneapi::bfloat16;
  EXPECT_EQ(static_cast<float>(experimental::sqrt(bfloat16(4.0f))), 2.0f);
  EXPECT_EQ(static_cast<float>(experimental::fmax(bfloat16(4.0f), bfloat16(1.0f))), 4.0f);
  EXPECT_EQ(static_cast<float>(experimental::tanh(bfloat16(0.0f))), 0.0f);
  EXPECT_EQ(static_cast<float>(experimental::exp(bfloat16(0.0f))), 1.0f);
}

namespace {
sycl::ext::oneapi::experimental::work_group_static<int> scalar;
static sycl::ext::oneapi::experimental::work_group_static<int[8]> array;
}  // namespace

TEST(dpcpp_names, variables_in_local_memory) {
  sycl::queue q;
  const shared_array<int> p(16, q);
  q.parallel_for(sycl::nd_range<1>(16, 8), [p = p.get()](sycl::nd_item<1> item) {
     static sycl::ext::oneapi::experimental::work_group_static<int> a, b;
     const int local = static_cast<int>(item.get_local_id(0));
     if (local == 0) {
       scalar = 100 * static_cast<int>(1 + item.get_group(0));
       a = 1;
       b = 2;
       a += 10;
     }
     array[7 - local] = local;
     sycl::group_barrier(item.get_group());
     p[item.get_global_id(0)] = scalar + array[local] + a * 1000 + *&b * 100000;
   }).wait();
  for (int i = 0; i < 16; ++i) EXPECT_EQ(p[i], 200000 + 11000 + 100 * (1 + i / 8) + 7 - i % 8) << i;
}

TEST(dpcpp_names, free_memory) {
  const sycl::device d;
  ASSERT_TRUE(d.has(sycl::aspect::ext_intel_free_memory));
  const auto bytes = d.get_info<sycl::ext::intel::info::device::free_memory>();
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, d.get_info<sycl::info::device::global_mem_size>());
}

TEST(dpcpp_names, descriptors_of_intels_gpus) {
  namespace intel = sycl::ext::intel::info::device;
  const sycl::device d;
  EXPECT_FALSE(d.has(sycl::aspect::ext_intel_gpu_slices));
  EXPECT_EQ(test::error_of([&] { d.get_info<intel::device_id>(); }).code, sycl::errc::feature_not_supported);
  EXPECT_TRUE(test::error_of([&] { d.get_info<intel::pci_address>(); }).mentions("pci_address"));
}
