// Work-items that wait for each other in loops: every one of a launch goes on, whatever waits.
#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

using sycl::memory_order, sycl::memory_scope;
using sycl::access::address_space;
using global_ref = sycl::atomic_ref<int, memory_order::acq_rel, memory_scope::device, address_space::global_space>;
using local_ref = sycl::atomic_ref<int, memory_order::acq_rel, memory_scope::work_group, address_space::local_space>;

std::vector<int> zeros(std::size_t count) { return std::vector<int>(count); }

TEST(Waiting, LockInLocalMemory) {
  constexpr int groups = 12, size = 40;
  sycl::queue q;
  if (!q.get_device().is_cpu())
    GTEST_SKIP() << "a GPU's work-items of one sub-group leave a loop together: who has the lock waits for the others";
  const test::shared_copy<int> counts(zeros(groups));
  int *const out = counts.data();
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

TEST(Waiting, GroupsWaitForLaterOnes) {
  constexpr int groups = 30, size = 8;
  sycl::queue q;
  const test::shared_copy<int> flags(zeros(groups + 1)), sums(zeros(groups));
  int *const flag = flags.data(), *const sum = sums.data();
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

TEST(Waiting, SubGroupsExchangeMeanwhile) {
  constexpr int size = 52;  // the last sub-group is not whole
  sycl::queue q;
  const test::shared_copy<int> results(zeros(size)), flags(zeros(1)), widths(zeros(1));
  int *const result = results.data(), *const flag = flags.data(), *const width_there = widths.data();
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
  const int width = widths.data()[0];
  for (int i = 0; i < size; ++i) {
    const int first = i / width * width, end = std::min(first + width, size);
    EXPECT_EQ(result[i], (first + end - 1) * (end - first) / 2 + first + i - first + 1) << i;
  }
}

TEST(Waiting, TheHostIsWaitedFor) {
  sycl::queue q;
  const test::shared_copy<int> flags(zeros(2));
  int *const flag = flags.data();
  sycl::event done = q.single_task([=] {
    while (global_ref(flag[0]).load() == 0) {}
    flag[1] = 2;
  });
  EXPECT_NE(done.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
  global_ref(flag[0]).store(1);
  done.wait_and_throw();
  EXPECT_EQ(flag[1], 2);
}

TEST(Waiting, StacksOfTooMuchAreAnError) {
  sycl::queue q;
  if (!q.get_device().is_cpu()) GTEST_SKIP() << "work-items of other devices have no stacks that we make";
  const test::shared_copy<int> flags(std::vector<int>{0, 5});
  volatile int *const flag = flags.data();
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1>) {
    volatile int large[200'000];
    for (int k = 0; k < 200'000; k += 100) large[k] = flag[1];
    while (flag[0] != large[500]) {}
  });
  EXPECT_THROW(q.wait_and_throw(), sycl::exception);
}

}  // namespace
