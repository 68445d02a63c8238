// Hierarchical kernels: code of the work-group runs once, and loops over work-items read its results.
#include <gtest/gtest.h>

#include "shared_array.hpp"

TEST(hierarchical, work_groups_share_variables_and_local_memory) {
  constexpr std::size_t groups = 8, items = 16;
  sycl::queue q;
  const shared_array<int> result(groups * items, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> local(items, h);
     h.parallel_for_work_group(
         sycl::range<1>(groups), sycl::range<1>(items), [=, out = result.get()](sycl::group<1> group) {
           int sum = 0;
           sycl::private_memory<int> mine(group);
           group.parallel_for_work_item([&](sycl::h_item<1> item) {
             local[item.get_local_id(0)] = static_cast<int>(item.get_global_id(0));
             mine(item) = static_cast<int>(item.get_local_id(0));
           });
           for (std::size_t i = 0; i < items; i++) sum += local[i];
           group.parallel_for_work_item([&](sycl::h_item<1> item) {
             out[item.get_global().get_id()] = sum * 100 + local[items - 1 - item.get_local_id(0)] + mine(item);
           });
         });
   }).wait();
  for (std::size_t g = 0; g < groups; g++) {
    const int sum = static_cast<int>(items * (g * items) + items * (items - 1) / 2);
    for (std::size_t i = 0; i < items; i++)
      EXPECT_EQ(result[g * items + i], sum * 100 + static_cast<int>(g * items + items - 1));
  }
}

TEST(hierarchical, logical_ranges_in_two_dimensions) {
  sycl::queue q;
  const shared_array<int> result(6 * 8, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<2>(2, 2), [=, out = result.get()](sycl::group<2> group) {
       sycl::parallel_for_work_item(group, sycl::range<2>(3, 4), [&](sycl::h_item<2> item) {
         const sycl::id<2> i = item.get_global_id();
         out[i[0] * item.get_global_range(1) + i[1]] +=
             static_cast<int>(item.get_logical_local_id(0) * 10 + item.get_logical_local_id(1) + 1);
       });
     });
   }).wait();
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 8; x++) EXPECT_EQ(result[y * 8 + x], y % 3 * 10 + x % 4 + 1) << y << ", " << x;
}

TEST(hierarchical, physical_work_items_share_larger_and_smaller_logical_ranges) {
  constexpr std::size_t groups = 3, physical = 4;
  sycl::queue q;
  for (const std::size_t logical : {1u, 3u, 4u, 5u, 11u}) {
    const shared_array<std::size_t> global(groups * logical, q), local(groups * logical, q);
    q.submit([&](sycl::handler &h) {
       h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(physical),
                                 [=, global = global.get(), local = local.get()](sycl::group<1> group) {
                                   group.parallel_for_work_item(sycl::range<1>(logical), [&](sycl::h_item<1> item) {
                                     const std::size_t at = group.get_group_id(0) * logical + item.get_local_id(0);
                                     global[at] = item.get_global_id(0);
                                     local[at] = item.get_physical_local_id(0) * 1000 +
                                                 item.get_physical_local_range(0) * 100 + item.get_global_range(0);
                                   });
                                 });
     }).wait();
    for (std::size_t g = 0; g < groups; g++)
      for (std::size_t i = 0; i < logical; i++) {
        EXPECT_EQ(global[g * logical + i], g * physical + i % physical) << logical;
        EXPECT_EQ(local[g * logical + i], i % physical * 1000 + physical * 100 + groups * physical) << logical;
      }
  }
}

TEST(groups, have_no_work_item_on_the_host) {
  sycl::queue q;
  auto *const kept = sycl::malloc_shared<sycl::group<1>>(1, q);
  q.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> item) { *kept = item.get_group(); }).wait();
  EXPECT_EQ(kept->get_group_id(0), 0U);
  EXPECT_EQ(kept->get_local_range(0), 4U);
  EXPECT_THROW(kept->get_local_id(), sycl::exception);
  EXPECT_THROW(kept->leader(), sycl::exception);
  EXPECT_THROW(sycl::ext::oneapi::experimental::this_group<1>(), sycl::exception);
  sycl::free(kept, q);
}
