// Exceptions: synchronous and asynchronous ones, and where each is thrown.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

std::string message_of(const std::exception_ptr &error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception &e) {
    return e.what();
  }
}

void fail_later(const sycl::queue &q) {
  q.submit([](sycl::handler &h) { h.host_task([] { throw std::runtime_error("the task's own words"); }); });
}

}  // namespace

TEST(errors, carry_code_and_message) {
  const sycl::exception e(sycl::make_error_code(sycl::errc::nd_range), "why");
  EXPECT_EQ(e.code(), sycl::errc::nd_range);
  EXPECT_EQ(e.category(), sycl::sycl_category());
  EXPECT_STREQ(e.category().name(), "sycl");
  EXPECT_STREQ(e.what(), "why");
  EXPECT_FALSE(e.has_context());
  EXPECT_THROW(e.get_context(), sycl::exception);
  const sycl::context c;
  const sycl::exception with(c, sycl::errc::kernel, "why");
  EXPECT_TRUE(with.has_context());
  EXPECT_EQ(with.get_context(), c);
  const std::exception &base = with;
  EXPECT_STREQ(base.what(), "why");
}

TEST(errors, of_host_tasks_arrive_at_the_handler) {
  std::atomic<int> calls = 0;
  std::string message;
  sycl::queue q([&](sycl::exception_list errors) {
    calls++;
    ASSERT_EQ(errors.size(), 1u);
    for (const std::exception_ptr &e : errors) message = message_of(e);
  });
  fail_later(q);
  q.wait();
  EXPECT_EQ(calls, 0);
  q.throw_asynchronous();
  EXPECT_EQ(calls, 1);
  EXPECT_NE(message.find("the task's own words"), std::string::npos);
  q.wait_and_throw();
  EXPECT_EQ(calls, 1);  // once
}

TEST(errors, of_host_tasks_arrive_through_their_event) {
  int calls = 0;
  sycl::queue q([&](sycl::exception_list errors) { calls += int(errors.size()); });
  const sycl::event e = q.submit([](sycl::handler &h) { h.host_task([] { throw 5; }); });
  e.wait();
  EXPECT_EQ(calls, 0);
  e.wait_and_throw();
  EXPECT_EQ(calls, 1);
}

TEST(errors, of_dependencies_on_other_queues_arrive_through_the_event) {
  std::atomic<bool> may_fail;
  std::size_t first_errors = 0, unrelated_errors = 0;
  const sycl::queue first(sycl::default_selector_v, [&](sycl::exception_list list) { first_errors += list.size(); });
  const sycl::queue unrelated(sycl::default_selector_v,
                              [&](sycl::exception_list list) { unrelated_errors += list.size(); });
  const sycl::queue second(first.get_context(), first.get_device()), third(first.get_context(), first.get_device());
  const auto fail = [&](sycl::queue q) {
    return q.submit([&](sycl::handler &h) {
      h.host_task([&] {
        while (!may_fail) std::this_thread::yield();
        throw std::runtime_error("the first task");
      });
    });
  };
  unrelated.submit([&](sycl::handler &h) { h.host_task([] { throw std::runtime_error("unrelated"); }); }).wait();

  for (const bool complete : {false, true}) {  // before the dependent command is submitted
    SCOPED_TRACE(complete);
    for (const int kind : {0, 1, 2, 3, 4}) {
      SCOPED_TRACE(kind);
      if (kind == 4 && !complete) continue;
      may_fail = complete;
      first_errors = 0;
      const sycl::event failed = fail(first);
      if (complete) failed.wait();
      sycl::event last = second.submit([&](sycl::handler &h) {
        h.depends_on(failed);
        if (kind == 0 || kind == 4) h.host_task([] {});
        if (kind == 1) h.single_task([] {});
        if (kind == 2) h.ext_oneapi_barrier({failed});
        if (kind == 3) h.parallel_for(sycl::range<1>(1 << 20), [](sycl::id<1>) {});
      });
      if (kind == 4) last.wait();  // the next command has no incomplete dependency
      if (kind == 0 || kind == 4)
        last = third.submit([&](sycl::handler &h) {  // through a third queue
          h.depends_on(last);
          h.single_task([] {});
        });
      EXPECT_EQ(first_errors, 0u);
      may_fail = true;
      last.wait_and_throw();
      EXPECT_EQ(first_errors, 1u);
      last.wait_and_throw();
      EXPECT_EQ(first_errors, 1u) << "delivered twice";
    }
  }
  EXPECT_EQ(unrelated_errors, 0u);

  const sycl::queue without_handler(sycl::default_selector_v, [](sycl::exception_list list) {
    for (const std::exception_ptr &e : list) std::rethrow_exception(e);
  });
  const sycl::event failed = fail(without_handler);
  const sycl::event last = second.single_task(failed, [] {});
  EXPECT_THROW(last.wait_and_throw(), std::runtime_error);
  last.wait_and_throw();  // nothing is left
  unrelated.throw_asynchronous();
  EXPECT_EQ(unrelated_errors, 1u);
}

TEST(errors, of_earlier_commands_of_a_queue_arrive_through_the_event_of_a_short_one) {
  for (const bool in_order : {false, true}) {
    std::size_t errors = 0;
    const auto handler = [&](sycl::exception_list list) { errors += list.size(); };
    sycl::queue q = in_order ? sycl::queue(handler, sycl::property::queue::in_order()) : sycl::queue(handler);
    const sycl::event failed = q.submit([](sycl::handler &h) { h.host_task([] { throw 5; }); });
    failed.wait();
    q.single_task(failed, [] {}).wait_and_throw();
    EXPECT_EQ(errors, 1u) << in_order;
  }
}

TEST(errors, of_queues_without_a_handler_arrive_at_their_context_s) {
  int of_the_context = 0, of_the_queue = 0;
  const sycl::device d;
  const auto counter = [](int &n) { return [&n](sycl::exception_list errors) { n += int(errors.size()); }; };
  for (const sycl::context &c :
       {sycl::context(d, counter(of_the_context)), sycl::context(std::vector{d}, counter(of_the_context)),
        sycl::context(d.get_platform(), counter(of_the_context))}) {
    sycl::queue plain(c, d), with_handler(c, d, counter(of_the_queue));
    fail_later(plain);
    plain.wait_and_throw();
    EXPECT_EQ(std::exchange(of_the_context, 0), 1);
    fail_later(with_handler);
    with_handler.wait_and_throw();
    EXPECT_EQ(std::exchange(of_the_queue, 0), 1);
    EXPECT_EQ(of_the_context, 0);
  }
}

TEST(errors, without_a_handler_are_thrown_by_wait) {
  sycl::queue q;
  fail_later(q);
  EXPECT_THROW(q.wait(), std::runtime_error);
  q.wait();
}

TEST(errors, of_kernels_name_the_kernel) {
  sycl::queue q(sycl::cpu_selector_v);  // GPUs divide by zero without a fault
  const shared_array<int> p(2, q);
  p[0] = 7;
  q.single_task<class divides_by_zero>([p = p.get()] { p[0] = p[0] / p[1]; });
  const test::caught_error error = test::error_of([&] { q.wait_and_throw(); });
  EXPECT_TRUE(error.mentions("divides_by_zero")) << error.message;
  q.single_task([p = p.get()] { p[1] = 3; }).wait();
  EXPECT_EQ(p[1], 3);
}

TEST(errors, of_short_kernels_arrive_through_their_event) {
  sycl::queue q(sycl::cpu_selector_v);  // GPUs divide by zero without a fault
  const shared_array<int> p(2, q);
  p[0] = 7;
  const sycl::event e = q.single_task([p = p.get()] { p[0] = p[0] / p[1]; });
  EXPECT_THROW(e.wait_and_throw(), sycl::exception);
}

TEST(errors, assertions_in_kernels_are_reported) {
  sycl::queue q;
  const shared_array<int> p(10, q);
  q.parallel_for(10, [p = p.get()](sycl::id<1> i) { assert(p[i] == 0 && "all is well"); }).wait_and_throw();
  q.parallel_for(10, [p = p.get()](sycl::id<1> i) { assert(p[i] + 5 < int(i[0]) && "too small"); });
  const test::caught_error error = test::error_of([&] { q.wait_and_throw(); });
  EXPECT_TRUE(error.mentions("too small")) << error.message;
  EXPECT_TRUE(error.mentions("error_test.cpp")) << error.message;
  // a CPU reports the first work-item, a GPU any of those that fail
  EXPECT_TRUE(error.mentions(q.get_device().is_cpu() ? "work-item (0)" : "work-item (")) << error.message;
}

TEST(errors, assertions_say_which_work_item_failed) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  q.parallel_for(sycl::range<2>(5, 40), [p = p.get()](sycl::id<2> i) { assert(p[0] + 1 != int(i[0] * i[1]) - 92); });
  const test::caught_error error = test::error_of([&] { q.wait_and_throw(); });
  EXPECT_TRUE(error.mentions("work-item (3, 31)")) << error.message;
}

TEST(errors, command_groups_have_one_command) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  const auto two_commands = [&](sycl::handler &h) {
    h.single_task([p = p.get()] { p[0] = 1; });
    h.memset(p.get(), 0, 4);
  };
  EXPECT_EQ(test::error_of([&] { q.submit(two_commands); }).code, sycl::errc::invalid);
  EXPECT_EQ(p[0], 0);
}

TEST(errors, of_the_command_group_function_are_passed_on) {
  sycl::queue q;
  EXPECT_THROW(q.submit([](sycl::handler &) { throw std::out_of_range("mine"); }), std::out_of_range);
}

TEST(errors, secondary_queues_take_over) {
  sycl::queue q, second;
  const shared_array<int> p(10, q);
  int tries = 0;
  q.submit(
       [&](sycl::handler &h) {
         if (tries++ == 0) throw sycl::exception(sycl::errc::runtime, "the first refuses");
         h.parallel_for(10, [p = p.get()](sycl::id<1> i) { p[i] = 4; });
       },
       second)
      .wait();
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(p.values(), std::vector<int>(10, 4));
}

TEST(errors, local_memory_beyond_any_device_is_refused_not_wrapped_around) {
  sycl::queue q;
  const auto group = [](sycl::handler &h) {
    const sycl::local_accessor<double, 2> local(sycl::range<2>(1ULL << 33, 1ULL << 31), h);  // 2^67 bytes
    h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> i) { local[i.get_local_id(0)][0] = 1; });
  };
  const test::caught_error error = test::error_of([&] { q.submit(group); });
  EXPECT_EQ(error.code, sycl::errc::memory_allocation) << error.message;
}
