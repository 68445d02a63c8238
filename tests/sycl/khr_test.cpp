// Khronos' extensions of SYCL 2020.
#include <atomic>
#include <type_traits>

#include <gtest/gtest.h>
#include <sycl/khr/split_headers/vec.hpp>
#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace khr = sycl::khr;

namespace {

/// What a work-item of a 2-dimensional range says about its groups.
struct view {
  std::size_t group, group_count, group_size, member, member_count;
  std::size_t sub_group, sub_group_size, lane;
  bool leads_group, leads_sub_group, agrees;
};

view of_work_item(const sycl::nd_item<2> &it) {
  const khr::work_group group = it.get_group();
  const khr::sub_group sub_group = it.get_sub_group();
  const auto member = khr::get_member_item(group);
  const auto lane = khr::get_member_item(sub_group);
  static_assert(std::is_same_v<decltype(member), const khr::member_item<khr::work_group<2>>>);
  const bool same = group.id() == it.get_group().get_group_id() && member.id() == it.get_local_id() &&
                    khr::this_nd_item<2>() == it && khr::this_group<2>() == it.get_group() &&
                    khr::this_sub_group() == it.get_sub_group() && khr::leader_of(member) && member.size() == 1 &&
                    sub_group.size() <= sub_group.max_size();
  return {group.linear_id(),
          group.range().size(),
          group.size(),
          member.linear_id(),
          member.range().size(),
          sub_group.linear_id(),
          sub_group.size(),
          lane.linear_id(),
          khr::leader_of(group),
          khr::leader_of(sub_group),
          same};
}

}  // namespace

TEST(khr, groups_have_one_interface) {
  sycl::queue q;
  const shared_array<view> views(64, q);
  q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 2}), [p = views.get()](sycl::nd_item<2> it) {
     p[it.get_group_linear_id() * 8 + it.get_local_linear_id()] = of_work_item(it);
   }).wait_and_throw();
  for (std::size_t i = 0; i < 64; ++i) {
    const view &v = views.get()[i];
    EXPECT_EQ(v.group, i / 8);
    EXPECT_EQ(v.group_count, 8U);
    EXPECT_EQ(v.group_size, 8U);
    EXPECT_EQ(v.member, i % 8);
    EXPECT_EQ(v.member_count, 8U);
    EXPECT_EQ(v.leads_group, i % 8 == 0);
    EXPECT_EQ(v.leads_sub_group, v.lane == 0);
    EXPECT_LT(v.lane, v.sub_group_size);
    EXPECT_TRUE(v.agrees);
  }
}

TEST(khr, queues_say_whether_they_are_empty) {
  for (const sycl::property_list &properties : {sycl::property_list(), {sycl::property::queue::in_order()}}) {
    sycl::queue q(properties);
    EXPECT_TRUE(q.khr_empty());
    std::atomic<bool> proceed = false;
    const sycl::event e = q.submit([&](sycl::handler &h) { h.host_task([&] { proceed.wait(false); }); });
    q.khr_flush();
    EXPECT_FALSE(q.khr_empty());
    proceed = true;
    proceed.notify_all();
    sycl::event(e).wait();
    q.wait();
    EXPECT_TRUE(q.khr_empty());
  }
}

TEST(khr, platforms_have_a_default_context) {
  const sycl::queue q;
  const sycl::context c = q.get_device().get_platform().khr_get_default_context();
  EXPECT_EQ(c, q.get_context());
  EXPECT_EQ(c, q.get_device().get_platform().khr_get_default_context());
}

TEST(khr, devices_say_how_many_work_groups_they_run) {
  const sycl::device d;
  const std::size_t all = d.get_info<khr::info::device::max_work_group_range_size>();
  const auto three = d.get_info<khr::info::device::max_work_group_range<3>>();
  const auto one = d.get_info<khr::info::device::max_work_group_range<1>>();
  EXPECT_GT(all, 0U);
  for (int i = 0; i < 3; ++i) EXPECT_GT(three[i], 0U);
  EXPECT_GT(one[0], 0U);
}

TEST(khr, addresses_are_cast_to_their_space) {
  sycl::queue q;
  const shared_array<int> memory(2, q);
  q.single_task([p = memory.get()] {
     using sycl::access::address_space;
     int own = 3;
     const auto of_item = khr::static_addrspace_cast<address_space::private_space>(&own);
     const auto global = khr::static_addrspace_cast<address_space::global_space>(p);
     *global = *of_item + 1;
   }).wait_and_throw();
  EXPECT_EQ(memory.get()[0], 4);
}

TEST(khr, kernels_are_launched_by_functions) {
  sycl::queue q;
  constexpr std::size_t n = 24;
  const shared_array<int> memory(n + 1, q);
  int *const p = memory.get();
  const auto each = [&](auto launch) {
    std::fill_n(p, n + 1, 0);
    launch(q);
    q.wait();
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(p[i], int(i)) << i;
    std::fill_n(p, n + 1, 0);
    EXPECT_NO_THROW(khr::submit_tracked(q, [&](sycl::handler &h) { launch(h); }).wait());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(p[i], int(i)) << i;
  };
  each([=](auto &to) { khr::launch(to, n, [=](sycl::id<1> i) { p[i] = int(i); }); });
  each([=](auto &to) {
    khr::launch(to, {4, 6}, [=](sycl::item<2> i) { p[i.get_linear_id()] = int(i.get_linear_id()); });
  });
  each([=](auto &to) {
    khr::launch_grouped(to, {2, 3, 4}, {1, 3, 2},
                        [=](sycl::nd_item<3> i) { p[i.get_global_linear_id()] = int(i.get_global_linear_id()); });
  });
  each([=](auto &to) {
    khr::launch_task(to, [=] {
      for (int i = 0; i < int(n); ++i) p[i] = i;
    });
  });
  const auto sums = [&](auto launch) {
    p[n] = 0;
    launch(q, sycl::reduction(p + n, sycl::plus<int>()));
    q.wait();
    EXPECT_EQ(p[n], 276);
  };
  sums([=](auto &to, auto sum) { khr::launch_reduce(to, n, [=](sycl::id<1> i, auto &s) { s += p[i]; }, sum); });
  sums([=](auto &to, auto sum) {
    khr::launch_grouped_reduce(
        to, {4, 6}, {2, 6}, [=](sycl::nd_item<2> i, auto &s) { s += p[i.get_global_linear_id()]; }, sum);
  });
}

TEST(khr, memory_is_moved_by_functions) {
  sycl::queue q{sycl::property::queue::in_order()};
  const shared_array<int> memory(8, q);
  int *const p = memory.get();
  const int host[3] = {1, 2, 3};
  khr::fill(q, p, 9, 8);
  khr::memcpy(q, p, host, sizeof host);
  khr::copy(q, host, p + 4, 2);
  khr::submit(q, [&](sycl::handler &h) { khr::memset(h, p + 7, 0, sizeof(int)); });
  khr::prefetch(q, p, sizeof(int));
  khr::mem_advise(q, p, sizeof(int), 0);
  q.wait();
  EXPECT_EQ(memory.values(), (std::vector<int>{1, 2, 3, 9, 1, 2, 9, 0}));
  sycl::buffer<int> b{sycl::range<1>(3)};
  khr::submit(q, [&](sycl::handler &h) { khr::copy(h, host, sycl::accessor(b, h, sycl::write_only)); });
  khr::submit(q, [&](sycl::handler &h) { khr::update_host(h, sycl::accessor(b, h, sycl::read_only)); });
  EXPECT_EQ(b.get_host_access()[2], 3);
}

TEST(khr, barriers_are_functions) {
  sycl::queue q;
  const shared_array<int> memory(2, q);
  int *const p = memory.get();
  const auto first = khr::submit_tracked(q, [&](sycl::handler &h) { h.single_task([=] { p[0] = 5; }); });
  khr::event_barrier(q, {first});
  khr::submit(q, [](sycl::handler &h) { khr::command_barrier(h); });
  khr::launch_task(q, [=] { p[1] = p[0] + 1; });
  khr::command_barrier(q);
  q.wait();
  EXPECT_EQ(p[1], 6);
}
