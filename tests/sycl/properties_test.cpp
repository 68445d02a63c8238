// Lists of compile-time properties, and those of kernels.
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace ext = sycl::ext::oneapi::experimental;
using test::error_of;

struct at_run_time {
  int value;
  friend bool operator==(const at_run_time &, const at_run_time &) = default;
};

struct grouped {
  int *out;
  void operator()(sycl::nd_item<1> i) const {
    out[i.get_global_id(0)] = int(i.get_sub_group().get_max_local_range()[0]);
  }
  auto get(ext::properties_tag) const { return ext::properties{ext::work_group_size<32>, ext::sub_group_size<32>}; }
};

}  // namespace

template <> struct sycl::ext::oneapi::experimental::is_property_key<at_run_time> : std::true_type {};

TEST(property_lists, have_values_in_their_types) {
  constexpr ext::properties list{ext::work_group_size<4, 8>, ext::sub_group_size<16>};
  static_assert(list.has_property<ext::sub_group_size_key>());
  static_assert(!list.has_property<ext::device_has_key>());
  static_assert(list.get_property<ext::sub_group_size_key>().value == 16);
  static_assert(decltype(list)::get_property<ext::sub_group_size_key>() == ext::sub_group_size<16>);
  static_assert(ext::sub_group_size<16> != ext::sub_group_size<8>);
  static_assert(ext::is_property_list_v<ext::empty_properties_t>);
  static_assert(!ext::is_property_list_v<int>);
  static_assert(ext::is_property_key_v<ext::work_group_size_key>);
  static_assert(ext::is_property_value_v<decltype(ext::sub_group_size<8>)>);
  static_assert(!ext::is_property_key_v<int>);
  const ext::properties mixed{at_run_time{7}, ext::sub_group_size<8>};
  EXPECT_EQ(mixed.get_property<at_run_time>().value, 7);
  EXPECT_EQ(mixed, (ext::properties{at_run_time{7}, ext::sub_group_size<8>}));
  EXPECT_FALSE(mixed == (ext::properties{at_run_time{8}, ext::sub_group_size<8>}));
}

TEST(property_lists, of_kernels_are_enforced) {
  sycl::queue q;
  shared_array<int> out(64, q);
  q.parallel_for(sycl::nd_range<1>(64, 32), grouped{out.get()}).wait();
  EXPECT_EQ(out[40], 32);
  EXPECT_EQ(error_of([&] { q.parallel_for(sycl::nd_range<1>(64, 16), grouped{out.get()}).wait(); }).code,
            sycl::errc::nd_range);
  constexpr ext::properties of_32{ext::work_group_size<32>};
  const auto kernel = [p = out.get()](sycl::nd_item<1> i) { p[i.get_global_id(0)] = int(i.get_local_range(0)); };
  q.parallel_for(sycl::nd_range<1>(64, 32), of_32, kernel).wait();
  EXPECT_EQ(out[63], 32);
  EXPECT_EQ(error_of([&] { q.parallel_for(sycl::nd_range<1>(64, 64), of_32, kernel).wait(); }).code,
            sycl::errc::nd_range);
  const sycl::event before = q.fill(out.get(), 0, 64);
  q.parallel_for(sycl::nd_range<1>(64, 32), before, of_32, kernel).wait();
  EXPECT_EQ(out[1], 32);
}

TEST(property_lists, stand_before_reductions_and_in_launch_configurations) {
  sycl::queue q;
  shared_array<int> sum(1, q), out(64, q);
  q.parallel_for(sycl::nd_range<1>(64, 16), ext::properties{ext::work_group_size<16>},
                 sycl::reduction(sum.get(), sycl::plus<int>()), [](sycl::nd_item<1>, auto &s) { s += 1; })
      .wait();
  EXPECT_EQ(sum[0], 64);
  q.submit([&](sycl::handler &h) {
     h.parallel_for(sycl::range<2>(8, 8), ext::properties{ext::device_has<sycl::aspect::queue_profiling>},
                    [p = out.get()](sycl::item<2> i) { p[i.get_linear_id()] = 3; });
   }).wait();
  EXPECT_EQ(out[63], 3);
  const ext::launch_config configuration(sycl::nd_range<1>(64, 8), ext::properties{ext::work_group_size<8>});
  ext::nd_launch(q, configuration, [p = out.get()](sycl::nd_item<1> i) { p[i.get_global_id(0)] = 4; });
  q.wait();
  EXPECT_EQ(out[5], 4);
  q.single_task(ext::properties{ext::sub_group_size<32>, ext::work_group_size_hint<1>}, [p = out.get()] {
     p[0] = 9;
   }).wait();
  EXPECT_EQ(out[0], 9);
  EXPECT_EQ(error_of([&] { q.single_task(ext::properties{ext::device_has<sycl::aspect::emulated>}, [] {}); }).code,
            sycl::errc::kernel_not_supported);
}

TEST(kernel_queries, give_the_sizes_that_kernels_require) {
  sycl::queue q;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const auto query = [&](auto kernel) {
    namespace info = sycl::info::kernel_device_specific;
    return std::pair(kernel.template get_info<info::compile_work_group_size>(q.get_device()),
                     kernel.template get_info<info::compile_sub_group_size>(q.get_device()));
  };
  const auto [groups, sub_groups] = query(bundle.get_kernel(sycl::get_kernel_id<class with_sizes>()));
  EXPECT_EQ(groups, sycl::range<3>(1, 4, 8));
  EXPECT_EQ(sub_groups, 32u);
  const auto [none, no_sub_groups] = query(bundle.get_kernel(sycl::get_kernel_id<class without_sizes>()));
  EXPECT_EQ(none, sycl::range<3>(0, 0, 0));
  EXPECT_EQ(no_sub_groups, 0u);
  if (false) {  // kernels need not run
    q.parallel_for<with_sizes>(sycl::nd_range<2>({4, 8}, {4, 8}),
                               ext::properties{ext::work_group_size<4, 8>, ext::sub_group_size<32>},
                               [](sycl::nd_item<2>) {});
    q.single_task<without_sizes>([] {});
  }
}

TEST(work_group_memory, holds_objects_and_arrays) {
  sycl::queue q;
  shared_array<int> out(64, q);
  q.submit([&](sycl::handler &h) {
     ext::work_group_memory<int> one(h);
     ext::work_group_memory<int[16]> bounded(h);
     ext::work_group_memory<int[]> open(16, h);
     ext::work_group_memory<int[][2]> rows(8, h);
     h.parallel_for(sycl::nd_range<1>(64, 16), [=, p = out.get()](sycl::nd_item<1> i) {
       const auto l = i.get_local_id(0);
       bounded[l] = int(l);
       open[l] = int(2 * l);
       rows[l / 2][l % 2] = int(l);
       if (l == 0) one = int(i.get_group(0));
       sycl::group_barrier(i.get_group());
       p[i.get_global_id(0)] = bounded[15 - l] + open[15 - l] + rows[(15 - l) / 2][(15 - l) % 2] + 1000 * one;
     });
   }).wait();
  for (int i = 0; i < 64; i++) EXPECT_EQ(out[std::size_t(i)], 4 * (15 - i % 16) + 1000 * (i / 16));
}

TEST(devices, have_limits_of_work_groups) {
  const sycl::device d;
  namespace limits = ext::info::device;
  EXPECT_GE(d.get_info<limits::max_work_groups<3>>()[0], 65535u);
  EXPECT_GE(d.get_info<limits::max_global_work_groups>(), 65535u);
}

TEST(property_lists, have_one_type_in_any_order) {
  constexpr ext::properties one{ext::sub_group_size<32>, ext::work_group_size<64>};
  constexpr ext::properties other{ext::work_group_size<64>, ext::sub_group_size<32>};
  static_assert(std::is_same_v<decltype(one), decltype(other)>);
  static_assert(sycl::is_device_copyable_v<std::remove_const_t<decltype(one)>>);
}
