// Attributes of kernels: what sizes they are launched with.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

struct in_groups_of_16 {
  int *p;
  [[sycl::reqd_work_group_size(16)]] void operator()(sycl::nd_item<1> i) const { p[i.get_global_id(0)] = 2; }
};

/// What the launch says; nothing: it went well.
template <class Launch> std::string error_of(sycl::errc expected, Launch launch) {
  try {
    launch();
  } catch (const sycl::exception &e) {
    EXPECT_EQ(e.code(), expected) << e.what();
    return e.what();
  }
  return "";
}
template <int Dimensions> auto launcher(sycl::queue q, sycl::range<Dimensions> global, sycl::range<Dimensions> local) {
  return [=](auto kernel) mutable {
    return error_of(sycl::errc::nd_range,
                    [&] { q.parallel_for(sycl::nd_range<Dimensions>(global, local), kernel).wait_and_throw(); });
  };
}

template <int Size> std::string launch_template(sycl::queue q, int *p, std::size_t local) {
  return launcher<1>(q, {64}, {local})([=](sycl::nd_item<1> i)
                                           [[sycl::reqd_work_group_size(2 * Size)]] { p[i.get_global_id(0)] = Size; });
}

}  // namespace

TEST(Attributes, HoldLaunchesToTheirWorkGroupSize) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  int *const a = p.get();
  EXPECT_EQ(launcher<1>(q, {64}, {16})(in_groups_of_16{a}), "");
  EXPECT_EQ(a[63], 2);
  const std::string error = launcher<1>(q, {64}, {8})(in_groups_of_16{a});
  EXPECT_NE(error.find("reqd_work_group_size"), std::string::npos) << error;
  EXPECT_NE(error.find("8"), std::string::npos) << error;
  EXPECT_EQ(launch_template<4>(q, a, 8), "");
  EXPECT_EQ(a[63], 4);
  EXPECT_NE(launch_template<4>(q, a, 16), "");
  EXPECT_NE(launch_template<8>(q, a, 8), "");
}

TEST(Attributes, CountDimensionsAsRangesDo) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  const auto kernel =
      [a = p.get()](sycl::nd_item<2> i)
          [[sycl::reqd_work_group_size(2, 8), sycl::work_group_size_hint(2, 8)]] { a[i.get_global_linear_id()] = 1; };
  EXPECT_EQ(launcher<2>(q, {8, 8}, {2, 8})(kernel), "");
  EXPECT_EQ(p[63], 1);
  EXPECT_NE(launcher<2>(q, {8, 8}, {8, 2})(kernel), "");
}

TEST(Attributes, HoldDevicesToTheirSubGroupSize) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  int *const a = p.get();
  const auto sizes = q.get_device().get_info<sycl::info::device::sub_group_sizes>();
  const auto works = [&](auto kernel) {
    return error_of(sycl::errc::kernel_not_supported,
                    [&] { q.parallel_for(sycl::nd_range<1>(64, 64), kernel).wait_and_throw(); }) == "";
  };
  const auto has = [&](std::size_t size) { return std::find(sizes.begin(), sizes.end(), size) != sizes.end(); };
  EXPECT_EQ(works([=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(4)]] { a[i.get_global_id(0)] = 4; }), has(4));
  EXPECT_EQ(works([=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(8)]] { a[i.get_global_id(0)] = 8; }), has(8));
  EXPECT_EQ(works([=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(16)]] { a[i.get_global_id(0)] = 16; }), has(16));
}

TEST(Attributes, InStringsAndCommentsAreNone) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  const std::string text = "[[sycl::reqd_work_group_size(3)]]";
  EXPECT_EQ(text.size(), 33u);
  const auto kernel = [a = p.get()](sycl::nd_item<1> i) /* [[sycl::reqd_work_group_size(3)]] */ {
    a[i.get_global_id(0)] = 1'0;  // [[sycl::reqd_work_group_size(5)]]
  };
  EXPECT_EQ(launcher<1>(q, {64}, {4})(kernel), "");
  EXPECT_EQ(p[5], 10);
}
