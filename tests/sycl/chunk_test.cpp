// Chunks of sub-groups: their identifiers, and group algorithms on them against sums of the same numbers on the host.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
constexpr int items = 128, size = 4;

struct results {
  std::uint32_t id, rank, groups, leaders, sub_group;
  int sum, before, up_to, from_last, left, swapped, total;
  bool any, all;
};

}  // namespace

TEST(chunks, have_the_group_algorithms) {
  sycl::queue q;
  const shared_array<results> out(items, q);
  const shared_array<int> numbers(items, q);
  for (int i = 0; i < items; ++i) numbers[i] = i * i % 23;
  q.parallel_for(sycl::nd_range<1>(items, 32), [out = out.get(), numbers = numbers.get()](sycl::nd_item<1> item) {
     const std::size_t i = item.get_global_linear_id();
     const sycl::sub_group whole = item.get_sub_group();
     const auto g = experimental::chunked_partition<size>(whole);
     static_assert(sycl::is_group_v<std::remove_cv_t<decltype(g)>>);
     results &r = out[i];
     const int x = numbers[i], *const first = numbers + (i - g.get_local_linear_id());
     r.id = g.get_group_linear_id();
     r.rank = g.get_local_linear_id();
     r.groups = static_cast<std::uint32_t>(g.get_group_range()[0]);
     r.leaders = g.leader();
     r.sub_group = whole.get_local_linear_range();
     r.sum = sycl::reduce_over_group(g, x, sycl::plus<>());
     r.before = sycl::exclusive_scan_over_group(g, x, 100, sycl::plus<>());
     r.up_to = sycl::inclusive_scan_over_group(g, x, sycl::plus<>());
     r.from_last = sycl::group_broadcast(g, x, size - 1);
     r.left = sycl::shift_group_left(g, x);
     r.swapped = sycl::permute_group_by_xor(g, x, 3);
     r.total = sycl::joint_reduce(g, first, first + size, sycl::plus<>());
     r.any = sycl::any_of_group(g, x == 0);
     r.all = sycl::all_of_group(g, x > 1);
     sycl::group_barrier(g);
   }).wait();
  for (int i = 0; i < items; ++i) {
    const results &r = out[i];
    const int rank = i % size, *const first = &numbers[i - rank];
    const auto lane = static_cast<std::uint32_t>(i % 32) % r.sub_group;
    EXPECT_EQ(r.id, lane / size) << i;
    EXPECT_EQ(r.rank, static_cast<std::uint32_t>(rank)) << i;
    EXPECT_EQ(r.groups, r.sub_group / size) << i;
    EXPECT_EQ(r.leaders, rank == 0 ? 1u : 0u) << i;
    EXPECT_EQ(r.sum, std::accumulate(first, first + size, 0)) << i;
    EXPECT_EQ(r.before, std::accumulate(first, first + rank, 100)) << i;
    EXPECT_EQ(r.up_to, std::accumulate(first, first + rank + 1, 0)) << i;
    EXPECT_EQ(r.from_last, first[size - 1]) << i;
    if (rank + 1 < size) EXPECT_EQ(r.left, first[rank + 1]) << i;
    EXPECT_EQ(r.swapped, first[rank ^ 3]) << i;
    EXPECT_EQ(r.total, r.sum) << i;
    EXPECT_EQ(r.any, std::count(first, first + size, 0) > 0) << i;
    EXPECT_EQ(r.all, std::count_if(first, first + size, [](int x) { return x > 1; }) == size) << i;
  }
}

TEST(chunks, divide_chunks_in_order) {
  sycl::queue q;
  const shared_array<std::uint32_t> ids(32, q);
  const shared_array<double> texts(32, q);
  q.parallel_for(sycl::nd_range<1>(32, 32), [ids = ids.get(), texts = texts.get()](sycl::nd_item<1> item) {
     const auto four = experimental::get_fixed_size_group<4>(item.get_sub_group());
     const auto two = experimental::chunked_partition<2>(four);
     const std::size_t i = item.get_global_linear_id();
     ids[i] = 10 * two.get_group_linear_id() + two.get_local_linear_id();
     // not commutative: the digits of the chunk's numbers in order
     texts[i] = sycl::reduce_over_group(two, static_cast<double>(i), [](double a, double b) { return 100 * a + b; });
   }).wait();
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(ids[i], 10 * (i % 4 / 2) + i % 2) << i;
    EXPECT_EQ(texts[i], 100.0 * (i / 2 * 2) + (i / 2 * 2 + 1)) << i;
  }
}
