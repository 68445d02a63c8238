// Sorts of groups: ranges in memory and one value of each work-item, with comparisons, in work-groups and sub-groups.
#include <algorithm>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

namespace ext = sycl::ext::oneapi::experimental;
using sycl::memory_scope;

std::vector<int> numbers(std::size_t count) {
  std::vector<int> all(count);
  for (std::size_t i = 0; i < count; i++) all[i] = int(i * 7919 % 1009) % 100;
  return all;
}

}  // namespace

TEST(group_sort, of_ranges_is_that_of_the_standard_library) {
  sycl::queue q;
  for (const std::size_t count : {0u, 1u, 2u, 31u, 64u, 100u, 777u}) {
    std::vector<int> expected = numbers(count);
    shared_array<int> up(expected, q), down(expected, q);
    q.submit([&](sycl::handler &h) {
       const std::size_t bytes =
           ext::default_sorters::joint_sorter<>::memory_required<int>(memory_scope::work_group, count);
       sycl::local_accessor<std::byte> memory(bytes, h);
       h.parallel_for(sycl::nd_range<1>(64, 64), [=, u = up.get(), d = down.get()](sycl::nd_item<1> i) {
         const sycl::span<std::byte> scratch(&memory[0], bytes);
         ext::joint_sort(ext::group_with_scratchpad(i.get_group(), scratch), u, u + count);
         ext::joint_sort(i.get_group(), d, d + count, ext::default_sorters::joint_sorter<std::greater<>>(scratch));
       });
     }).wait();
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(up.values(), expected) << count;
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(down.values(), expected) << count;
  }
}

TEST(group_sort, of_ranges_is_stable) {
  sycl::queue q;
  const std::vector<int> expected = numbers(300);
  shared_array<int> values(expected, q);
  const auto by_tens = [](int a, int b) { return a / 10 < b / 10; };
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<std::byte> memory(2048, h);
     h.parallel_for(sycl::nd_range<1>(32, 32), [=, p = values.get()](sycl::nd_item<1> i) {
       ext::joint_sort(ext::group_with_scratchpad(i.get_group(), sycl::span<std::byte>(&memory[0], 2048)), p, p + 300,
                       by_tens);
     });
   }).wait();
  std::vector<int> stable;
  for (int tens = 0; tens < 10; tens++)
    std::copy_if(expected.begin(), expected.end(), std::back_inserter(stable), [=](int x) { return x / 10 == tens; });
  EXPECT_EQ(values.values(), stable);
}

TEST(group_sort, of_values_gives_each_work_item_its_own) {
  sycl::queue q;
  const std::vector<int> in = numbers(192);
  shared_array<int> of_groups(in, q), of_sub_groups(in, q), sizes(192, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<std::byte> memory(64 * sizeof(int), h);
     h.parallel_for(sycl::nd_range<1>(192, 64), [=, g = of_groups.get(), s = of_sub_groups.get(),
                                                 z = sizes.get()](sycl::nd_item<1> i) {
       const auto at = i.get_global_id(0);
       const sycl::span<std::byte> scratch(&memory[0], 64 * sizeof(int));
       g[at] = ext::sort_over_group(ext::group_with_scratchpad(i.get_group(), scratch), g[at], std::greater<>());
       sycl::group_barrier(i.get_group());
       const auto sg = i.get_sub_group();
       const std::size_t size = sg.get_max_local_range()[0];
       const sycl::span<std::byte> part(&memory[sg.get_group_linear_id() * size * sizeof(int)], size * sizeof(int));
       s[at] = ext::sort_over_group(sg, s[at], ext::default_sorters::group_sorter<int>(part));
       z[at] = int(size);
     });
   }).wait();
  std::vector<int> expected = in;
  for (std::size_t k = 0; k < 192; k += 64)
    std::sort(expected.begin() + std::ptrdiff_t(k), expected.begin() + std::ptrdiff_t(k + 64), std::greater<>());
  EXPECT_EQ(of_groups.values(), expected);
  expected = in;
  for (std::size_t k = 0; k < 192; k += std::size_t(sizes[0]))
    std::sort(expected.begin() + std::ptrdiff_t(k), expected.begin() + std::ptrdiff_t(k) + sizes[0]);
  EXPECT_EQ(of_sub_groups.values(), expected);
}
