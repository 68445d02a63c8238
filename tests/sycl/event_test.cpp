// Events: completion, dependencies, times; host tasks.
#include <atomic>
#include <thread>
#include <unordered_set>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

TEST(events, of_nothing_are_complete) {
  const sycl::event e;
  e.wait();
  EXPECT_EQ(e.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
  EXPECT_TRUE(e.get_wait_list().empty());
  EXPECT_EQ(e.get_backend(), sycl::device().get_backend());
}

TEST(events, are_equal_to_their_copies_only) {
  sycl::queue q;
  const sycl::event empty, other, copy = empty;
  EXPECT_TRUE(empty == copy && copy == empty);
  EXPECT_FALSE(empty != copy || copy != empty);
  EXPECT_TRUE(empty != other && other != empty);
  std::unordered_set<sycl::event> all{empty, copy, other};
  EXPECT_EQ(all.size(), 2u);
  for (int i = 0; i < 100; i++) {  // short commands may be complete when their submission returns
    const sycl::event done = q.single_task([] {}), same = done;
    EXPECT_TRUE(done == same && !(done != same) && done != empty);
    all.insert(done);
    all.insert(same);
  }
  EXPECT_EQ(all.size(), 102u);
  std::vector<sycl::event> list;
  std::thread([&] { list.emplace_back(); }).join();
  list.emplace_back();
  EXPECT_NE(list[0], list[1]);
}

TEST(events, are_of_their_queues_back_end) {
  sycl::queue q;
  const sycl::event e = q.submit([](sycl::handler &h) { h.host_task([] {}); });
  EXPECT_EQ(e.get_backend(), q.get_backend());
}

TEST(events, list_their_dependencies) {
  sycl::queue q;
  std::atomic<bool> go = false;
  const sycl::event first = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      while (!go) std::this_thread::yield();
    });
  });
  const sycl::event second = q.submit([&](sycl::handler &h) {
    h.depends_on(first);
    h.host_task([] {});
  });
  EXPECT_NE(second.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
  const std::vector<sycl::event> list = second.get_wait_list();
  EXPECT_EQ(list, std::vector{first});
  go = true;
  sycl::event::wait({first, second});
  EXPECT_EQ(second.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
}

TEST(events, have_times_with_profiling) {
  sycl::queue q{sycl::property::queue::enable_profiling()};
  const shared_array<float> p(100000, q);
  const sycl::event e = q.parallel_for(100000, [p = p.get()](sycl::id<1> i) { p[i] = float(i) * 2; });
  const auto submit = e.get_profiling_info<sycl::info::event_profiling::command_submit>();
  const auto start = e.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = e.get_profiling_info<sycl::info::event_profiling::command_end>();
  EXPECT_GT(submit, 0u);
  EXPECT_LE(submit, start);
  EXPECT_LT(start, end);
}

TEST(events, have_no_times_without_profiling) {
  sycl::queue q;
  const sycl::event e = q.single_task([] {});
  const auto read_time = [&] { e.get_profiling_info<sycl::info::event_profiling::command_end>(); };
  EXPECT_EQ(test::error_of(read_time).code, sycl::errc::invalid);
}

TEST(host_tasks, run_between_kernels) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  const sycl::event first = q.single_task([p = p.get()] { p[0] = 20; });
  const sycl::event second = q.submit([&](sycl::handler &h) {
    h.depends_on(first);
    h.host_task([&p] { p[0]++; });
  });
  q.single_task(second, [p = p.get()] { p[0] *= 2; }).wait();
  EXPECT_EQ(p[0], 42);
}

TEST(host_tasks, receive_the_backend) {
  sycl::queue q;
  sycl::backend seen = sycl::backend::all;
  q.submit([&](sycl::handler &h) { h.host_task([&](sycl::interop_handle i) { seen = i.get_backend(); }); }).wait();
  EXPECT_EQ(seen, q.get_backend());
}

TEST(host_tasks, keep_their_captures_alive) {
  sycl::queue q;
  auto text = std::make_shared<std::string>("kept");
  std::atomic<bool> seen = false;
  const sycl::event e = q.submit([&](sycl::handler &h) { h.host_task([text, &seen] { seen = *text == "kept"; }); });
  const std::weak_ptr<std::string> watch = text;
  text.reset();
  e.wait();
  EXPECT_TRUE(seen);
}

TEST(command_groups, without_a_command_wait_for_their_dependencies) {
  sycl::queue q;
  std::atomic<bool> done = false;
  const sycl::event first = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
  });
  q.submit([&](sycl::handler &h) { h.depends_on(first); }).wait();
  EXPECT_TRUE(done);
}

TEST(command_groups, carry_large_function_objects) {
  sycl::queue q;
  const shared_array<int> p(300, q);
  struct {
    int values[300];
  } large;
  for (int i = 0; i < 300; i++) large.values[i] = i * 3;
  q.submit([&](sycl::handler &h) {
     h.parallel_for(300, [=, p = p.get()](sycl::id<1> i) { p[i] = large.values[i]; });
   }).wait();
  for (int i = 0; i < 300; i++) ASSERT_EQ(p[i], 3 * i);
}

TEST(command_groups, wait_for_dependencies_named_after_the_command) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  std::atomic<bool> go = false;
  const sycl::event first = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      while (!go) std::this_thread::yield();
      p[0] = 1;
    });
  });
  const sycl::event second = q.submit([&](sycl::handler &h) {
    h.single_task([p = p.get()] { p[0] = p[0] * 10 + 2; });
    h.depends_on(first);
  });
  go = true;
  second.wait();
  EXPECT_EQ(p[0], 12);
}
