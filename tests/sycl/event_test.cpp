// Events: completion, waiting lists, times; host tasks.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "shared_array.hpp"

TEST(Events, OfNothingAreComplete) {
  const sycl::event e;
  e.wait();
  EXPECT_EQ(e.get_info<sycl::info::event::command_execution_status>(), sycl::info::event_command_status::complete);
  EXPECT_TRUE(e.get_wait_list().empty());
  EXPECT_EQ(e.get_backend(), sycl::device().get_backend());
}

TEST(Events, AreOfTheirQueuesBackEnd) {
  sycl::queue q;
  const sycl::event e = q.submit([](sycl::handler &h) { h.host_task([] {}); });
  EXPECT_EQ(e.get_backend(), q.get_backend());
}

TEST(Events, TellWhatTheyWaitFor) {
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

TEST(Events, HaveTimesWhenAsked) {
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

TEST(Events, HaveNoTimesUnlessAsked) {
  sycl::queue q;
  const sycl::event e = q.single_task([] {});
  try {
    e.get_profiling_info<sycl::info::event_profiling::command_end>();
    FAIL() << "times of a queue without profiling";
  } catch (const sycl::exception &error) {
    EXPECT_EQ(error.code(), sycl::errc::invalid);
  }
}

TEST(HostTasks, RunBetweenKernels) {
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

TEST(HostTasks, LearnTheBackend) {
  sycl::queue q;
  sycl::backend seen = sycl::backend::all;
  q.submit([&](sycl::handler &h) { h.host_task([&](sycl::interop_handle i) { seen = i.get_backend(); }); }).wait();
  EXPECT_EQ(seen, q.get_backend());
}

TEST(HostTasks, KeepWhatTheyCapture) {
  sycl::queue q;
  auto text = std::make_shared<std::string>("kept");
  std::atomic<bool> seen = false;
  const sycl::event e = q.submit([&](sycl::handler &h) { h.host_task([text, &seen] { seen = *text == "kept"; }); });
  const std::weak_ptr<std::string> watch = text;
  text.reset();
  e.wait();
  EXPECT_TRUE(seen);
}

TEST(CommandGroups, WithoutACommandWaitForTheirDependencies) {
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

TEST(CommandGroups, CarryLargeFunctionObjects) {
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

TEST(CommandGroups, WaitForWhatIsNamedAfterTheCommand) {
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
