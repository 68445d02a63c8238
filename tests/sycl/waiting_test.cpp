// Work-items that wait for each other in loops: every work-item of a launch makes progress, whichever of them wait.
#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

using sycl::memory_order, sycl::memory_scope;
using sycl::access::address_space;
using global_ref = sycl::atomic_ref<int, memory_order::acq_rel, memory_scope::device, address_space::global_space>;
using local_ref = sycl::atomic_ref<int, memory_order::acq_rel, memory_scope::work_group, address_space::local_space>;

TEST(waiting, lock_in_local_memory) {
  constexpr int groups = 12, size = 40;
  sycl::queue q;
  if (!q.get_device().is_cpu())
    GTEST_SKIP() << "on a GPU, the work-items of a sub-group leave a loop together, so the lock's owner would wait for "
                    "the others";
  const shared_array<int> counts(groups, q);
  int *const out = counts.get();
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<int> memory(2, h);
    h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
      if (item.get_local_id(0) == 0) memory[0] = memory[1] = 0;
      sycl::group_barrier(item.get_group());
      const local_ref lock(memory[0]);
      for (int expected = 0; !lock.compare_exchange_weak(expected, 1); expected = 0) {}
      memory[1] = memory[1] + 1;
      lock.store(0);
      sycl::group_barrier(item.get_group());
      if (item.get_local_id(0) == 0) out[item.get_group(0)] = memory[1];
    });
  });
  q.wait_and_throw();
  for (int g = 0; g < groups; ++g) EXPECT_EQ(out[g], size) << g;
}

TEST(waiting, groups_wait_for_later_ones) {
  constexpr int groups = 30, size = 8;
  sycl::queue q;
  const shared_array<int> flags(groups + 1, q), sums(groups, q);
  int *const flag = flags.get(), *const sum = sums.get();
  flag[groups] = 1;
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
    const auto g = static_cast<int>(item.get_group(0));
    if (item.get_local_id(0) == 3) {
      while (global_ref(flag[g + 1]).load() == 0) {}
      sum[g] = (g + 1 < groups ? sum[g + 1] : 0) + g;
    }
    sycl::group_barrier(item.get_group());
    if (item.get_local_id(0) == 5) global_ref(flag[g]).store(1);
  });
  q.wait_and_throw();
  for (int g = 0, expected = groups * (groups - 1) / 2; g < groups; expected -= g++) EXPECT_EQ(sum[g], expected);
}

TEST(waiting, sub_groups_exchange_values_around_a_spin_wait) {
  constexpr int size = 52;  // the last sub-group is partial
  sycl::queue q;
  const shared_array<int> results(size, q), flags(1, q), widths(1, q);
  int *const result = results.get(), *const flag = flags.get(), *const width_there = widths.get();
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
    const auto lanes = item.get_sub_group();
    const auto i = static_cast<int>(item.get_local_id(0));
    if (i == 0) *width_there = static_cast<int>(lanes.get_max_local_range()[0]);
    const int total = sycl::reduce_over_group(lanes, i, sycl::plus<>());
    if (i + 1 == size) global_ref(*flag).store(1);
    while (global_ref(*flag).load() == 0) {}
    result[i] = total + sycl::group_broadcast(lanes, i, 0) + sycl::inclusive_scan_over_group(lanes, 1, sycl::plus<>());
  });
  q.wait_and_throw();
  const int width = widths.get()[0];
  for (int i = 0; i < size; ++i) {
    const int first = i / width * width, end = std::min(first + width, size);
    EXPECT_EQ(result[i], (first + end - 1) * (end - first) / 2 + first + i - first + 1) << i;
  }
}

TEST(waiting, work_items_wait_for_the_host) {
  sycl::queue q;
  const shared_array<int> flags(2, q);
  int *const flag = flags.get();
  sycl::event done = q.single_task([=] {
    while (global_ref(flag[0]).load() == 0) {}
    flag[1] = 2;
  });
  EXPECT_NE(done.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
  global_ref(flag[0]).store(1);
  done.wait_and_throw();
  EXPECT_EQ(flag[1], 2);
}

TEST(waiting, private_memory_beyond_the_stack_is_an_error) {
  sycl::queue q;
  if (!q.get_device().is_cpu()) GTEST_SKIP() << "only CPU work-items have stacks that dpep allocates";
  const shared_array<int> flags(std::vector<int>{0, 5}, q);
  volatile int *const flag = flags.get();
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1>) {
    volatile int large[200'000];
    for (int k = 0; k < 200'000; k += 100) large[k] = flag[1];
    while (flag[0] != large[500]) {}
  });
  EXPECT_THROW(q.wait_and_throw(), sycl::exception);
}

}  // namespace
