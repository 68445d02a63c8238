// Attributes of kernels: the sizes with which they may be launched.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "attributes_in_a_header.hpp"
#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

struct in_groups_of_16 {
  int *p;
  [[sycl::reqd_work_group_size(16)]] void operator()(sycl::nd_item<1> i) const { p[i.get_global_id(0)] = 2; }
};

/// The message of the launch's exception, which must have this code; empty if there was none.
template <class Launch> std::string message_of(sycl::errc expected, Launch launch) {
  const test::caught_error error = test::error_of(launch);
  if (!error.message.empty()) EXPECT_EQ(error.code, expected) << error.message;
  return error.message;
}
template <int Dimensions> auto launcher(sycl::queue q, sycl::range<Dimensions> global, sycl::range<Dimensions> local) {
  return [=](auto kernel) mutable {
    return message_of(sycl::errc::nd_range,
                      [&] { q.parallel_for(sycl::nd_range<Dimensions>(global, local), kernel).wait_and_throw(); });
  };
}

template <int Size> std::string launch_template(sycl::queue q, int *p, std::size_t local) {
  return launcher<1>(q, {64}, {local})([=](sycl::nd_item<1> i)
                                           [[sycl::reqd_work_group_size(2 * Size)]] { p[i.get_global_id(0)] = Size; });
}

}  // namespace

TEST(attributes, require_their_work_group_size) {
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

TEST(attributes, count_dimensions_as_ranges_do) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  const auto kernel =
      [a = p.get()](sycl::nd_item<2> i)
          [[sycl::reqd_work_group_size(2, 8), sycl::work_group_size_hint(2, 8)]] { a[i.get_global_linear_id()] = 1; };
  EXPECT_EQ(launcher<2>(q, {8, 8}, {2, 8})(kernel), "");
  EXPECT_EQ(p[63], 1);
  EXPECT_NE(launcher<2>(q, {8, 8}, {8, 2})(kernel), "");
}

namespace {

/// For each work-item: the sum over its sub-group, a neighbour's value, and the sub-group's size.
template <int Size> std::vector<int> work_in_sub_groups_of(sycl::queue &q) {
  const shared_array<int> p(3 * 100, q);
  q.parallel_for(sycl::nd_range<1>(100, 100), [a = p.get()](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(Size)]] {
     const auto lanes = i.get_sub_group();
     const auto n = static_cast<int>(i.get_local_id(0));
     a[n] = sycl::reduce_over_group(lanes, n, sycl::plus<>());
     a[100 + n] = sycl::permute_group_by_xor(lanes, n, 1);
     a[200 + n] = static_cast<int>(lanes.get_max_local_range()[0]);
   }).wait_and_throw();
  return {p.get(), p.get() + 300};
}

template <int Size> void expect_sub_groups_of(sycl::queue &q) {
  SCOPED_TRACE(Size);
  const auto sizes = q.get_device().get_info<sycl::info::device::sub_group_sizes>();
  std::vector<int> got;
  const std::string error = message_of(sycl::errc::kernel_not_supported, [&] { got = work_in_sub_groups_of<Size>(q); });
  if (std::find(sizes.begin(), sizes.end(), Size) == sizes.end()) {
    EXPECT_NE(error.find("reqd_sub_group_size"), std::string::npos) << error;
    return;
  }
  EXPECT_EQ(error, "");
  for (int i = 0; i < 100; ++i) {
    const int first = i / Size * Size, end = std::min(first + Size, 100);
    EXPECT_EQ(got[i], (first + end - 1) * (end - first) / 2) << i;
    EXPECT_EQ(got[100 + i], i ^ 1) << i;
    EXPECT_EQ(got[200 + i], Size) << i;
  }
}

}  // namespace

TEST(attributes, sub_groups_have_the_required_size) {
  sycl::queue q;
  expect_sub_groups_of<4>(q);
  expect_sub_groups_of<8>(q);
  expect_sub_groups_of<16>(q);
  expect_sub_groups_of<32>(q);
  expect_sub_groups_of<64>(q);
  expect_sub_groups_of<2>(q);
  expect_sub_groups_of<24>(q);
  expect_sub_groups_of<128>(q);
}

#define IN_SUB_GROUPS_OF(n) [[intel::reqd_sub_group_size(n)]]
#define IN_GROUPS_OF_8 [[sycl::reqd_work_group_size(8)]]

TEST(attributes, are_seen_in_macros) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  const auto kernel = [a = p.get()](sycl::nd_item<1> i) IN_GROUPS_OF_8 { a[i.get_global_id(0)] = 1; };
  EXPECT_EQ(launcher<1>(q, {64}, {8})(kernel), "");
  EXPECT_NE(launcher<1>(q, {64}, {4})(kernel), "");
  const std::string error = message_of(sycl::errc::kernel_not_supported, [&] {
    q.parallel_for(sycl::nd_range<1>(64, 64), [a = p.get()](sycl::nd_item<1> i) IN_SUB_GROUPS_OF(3) {
       a[i.get_global_id(0)] = 1;
     }).wait_and_throw();
  });
  EXPECT_NE(error.find("reqd_sub_group_size(3)"), std::string::npos) << error;
}

TEST(attributes, are_seen_in_headers) {
  sycl::queue q;
  const shared_array<int> p(64, q);
  EXPECT_EQ(launcher<1>(q, {64}, {32})(in_groups_of_32{p.get()}), "");
  EXPECT_NE(launcher<1>(q, {64}, {64})(in_groups_of_32{p.get()}), "");
}

TEST(attributes, in_strings_and_comments_are_ignored) {
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
