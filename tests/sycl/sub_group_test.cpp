// Sub-groups: for every size that the device gives them, they cover the work-group, and their algorithms agree with
// loops.
#include <vector>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

struct place {
  unsigned group, sub_group, lane, size, count, max_size;
};
struct answers {
  int sum, before, up_to, first, left, right, permuted, selected, shuffled;
  bool any, all;
};

constexpr int value(std::size_t i) { return static_cast<int>(i * 7919 % 101) - 50; }

TEST(sub_group, covers_the_work_group_and_agrees_with_loops) {
  for (const std::size_t size : {1, 7, 16, 31, 64, 100, 256, 1000}) {
    constexpr std::size_t groups = 3;
    sycl::queue q;
    place *const places = sycl::malloc_shared<place>(groups * size, q);
    answers *const got = sycl::malloc_shared<answers>(groups * size, q);
    q.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
      const auto sg = item.get_sub_group();
      const std::size_t i = item.get_global_id(0);
      const unsigned lane = sg.get_local_linear_id(), n = sg.get_local_linear_range();
      places[i] = {static_cast<unsigned>(item.get_group(0)),
                   sg.get_group_linear_id(),
                   lane,
                   n,
                   sg.get_group_linear_range(),
                   static_cast<unsigned>(sg.get_max_local_range()[0])};
      const int x = value(i);
      answers a;
      a.sum = sycl::reduce_over_group(sg, x, sycl::plus<>());
      a.before = sycl::exclusive_scan_over_group(sg, x, 10, sycl::plus<>());
      a.up_to = sycl::inclusive_scan_over_group(sg, x, sycl::maximum<>());
      a.first = sycl::group_broadcast(sg, x);
      a.left = sycl::shift_group_left(sg, x);
      a.right = sycl::shift_group_right(sg, x);
      a.permuted = sycl::permute_group_by_xor(sg, x, 1);
      if (lane + 1 >= n) a.left = 0;  // unspecified there
      if (lane == 0) a.right = 0;
      if ((lane ^ 1) >= n) a.permuted = 0;
      a.selected = sycl::select_from_group(sg, x, n - 1 - lane);
      a.shuffled = sg.shuffle(x, n - 1 - lane);
      a.any = sycl::any_of_group(sg, x > 45);
      a.all = sycl::all_of_group(sg, x < 49);
      sycl::group_barrier(sg);
      got[i] = a;
    });
    q.wait_and_throw();
    // Members of each sub-group, in the order of their lanes.
    std::vector<std::vector<std::vector<std::size_t>>> members(groups);
    for (std::size_t i = 0; i < groups * size; i++) {
      const place &p = places[i];
      ASSERT_LE(p.size, p.max_size);
      ASSERT_LT(p.sub_group, p.count);
      ASSERT_LT(p.lane, p.size);
      members[p.group].resize(p.count);
      auto &mine = members[p.group][p.sub_group];
      mine.resize(p.size, SIZE_MAX);
      ASSERT_EQ(mine[p.lane], SIZE_MAX) << "two work-items have the same lane";
      mine[p.lane] = i;
    }
    for (const auto &group : members) {
      std::size_t total = 0;
      for (const auto &lanes : group) {
        total += lanes.size();
        const std::size_t n = lanes.size();
        int sum = 0, most = -1000;
        bool any = false, all = true;
        for (const std::size_t i : lanes) {
          ASSERT_EQ(got[i].before, 10 + sum);
          sum += value(i);
          most = std::max(most, value(i));
          ASSERT_EQ(got[i].up_to, most);
          any |= value(i) > 45;
          all &= value(i) < 49;
        }
        for (std::size_t lane = 0; lane < n; lane++) {
          const answers &a = got[lanes[lane]];
          ASSERT_EQ(a.sum, sum);
          ASSERT_EQ(a.first, value(lanes[0]));
          ASSERT_EQ(a.left, lane + 1 < n ? value(lanes[lane + 1]) : 0);
          ASSERT_EQ(a.right, lane ? value(lanes[lane - 1]) : 0);
          ASSERT_EQ(a.permuted, (lane ^ 1) < n ? value(lanes[lane ^ 1]) : 0);
          ASSERT_EQ(a.selected, value(lanes[n - 1 - lane]));
          ASSERT_EQ(a.shuffled, value(lanes[n - 1 - lane]));
          ASSERT_EQ(a.any, any);
          ASSERT_EQ(a.all, all);
        }
      }
      ASSERT_EQ(total, size);
    }
    sycl::free(places, q);
    sycl::free(got, q);
  }
}

TEST(sub_group, loads_and_stores_blocks) {
  constexpr std::size_t n = 64;
  sycl::queue q;
  float *const from = sycl::malloc_shared<float>(n, q), *const to = sycl::malloc_shared<float>(n, q);
  for (std::size_t i = 0; i < n; i++) from[i] = static_cast<float>(i);
  q.parallel_for(sycl::nd_range<1>(n, n), [=](sycl::nd_item<1> item) {
    const auto sg = item.get_sub_group();
    const std::size_t block = sg.get_group_linear_id() * sg.get_max_local_range()[0];
    sg.store(to + block, 2 * sg.load(from + block));
  });
  q.wait_and_throw();
  for (std::size_t i = 0; i < n; i++) EXPECT_EQ(to[i], 2 * static_cast<float>(i));
  sycl::free(from, q);
  sycl::free(to, q);
}

}  // namespace
