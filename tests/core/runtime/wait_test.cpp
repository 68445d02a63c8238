// Waiting for queues and events: work on the waiting thread, abandoned waits, and waits in host tasks.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

using namespace std::chrono_literals;

struct add_arguments {
  int *values;
  int by;
};
constexpr auto add = [](const add_arguments &a, std::size_t i) { a.values[i] += a.by; };
const auto add_entry = each<add_arguments, add>;

void expect_refused_wait(const queue &q) {
  try {
    q.wait();
    FAIL() << "no error";
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::invalid);
    EXPECT_NE(std::string_view(e.what()).find("wait for itself"), std::string_view::npos) << e.what();
  }
}

TEST(host_task, that_waits_for_another_does_not_deadlock_in_any_number) {
  const queue q{device()};
  std::vector<event> chain(40);
  user_event gate;
  std::atomic<int> done{0};
  event before = gate;
  for (event &e : chain) {
    e = q.host_task([before, &done] {
      before.wait();  // blocks its thread: the previous task needs another one
      ++done;
    });
    before = e;
  }
  gate.complete();
  q.wait();
  EXPECT_EQ(done, 40);
}

TEST(host_task, does_not_delay_kernels) {
  const queue q{device()};
  std::atomic<bool> go{false};
  const event blocked = q.host_task([&] {
    while (!go) std::this_thread::yield();
  });
  const auto code = load(q.get_device(), add_entry);
  std::vector<int> values(1'000'000);
  launch(q, code, flat(values.size()), add_arguments{values.data(), 1}).wait();
  EXPECT_EQ(values[999'999], 1);
  EXPECT_NE(blocked.status(), event_status::complete);
  go = true;
  q.wait();
}

TEST(host_task, may_submit_to_its_own_queue_and_wait_for_the_event) {
  const queue q{device()};
  const auto code = load(q.get_device(), add_entry);
  std::vector<int> values(300'000);
  q.host_task([&] { launch(q, code, flat(values.size()), add_arguments{values.data(), 3}).wait(); }).wait();
  EXPECT_EQ(values[0], 3);
}

TEST(host_task, that_waits_for_its_own_queue_gets_an_error) {
  const queue q(device("cpu"));
  q.host_task([&] { q.wait(); });
  expect_refused_wait(q);
  const queue other(device("cpu"));
  q.host_task([&] { other.wait(); });
  q.wait();
}

TEST(host_task, that_waits_for_its_own_event_gets_an_error) {
  const queue q(device("cpu"));
  event own;
  for (const auto &wait : std::vector<std::function<void()>>{
           [&] { own.wait(); },
           [&] { own.wait_and_throw(); },
           [&] { own.wait_while([] { return true; }); },
           [&] { event::wait({&own, 1}); },
       }) {
    user_event assigned;
    own = q.host_task(wait, after(assigned));
    assigned.complete();
    expect_refused_wait(q);
  }
}

TEST(host_task, that_waits_for_its_own_successor_gets_an_error) {
  const queue q(device("cpu")), other(device("cpu"));
  event last;
  user_event assigned;
  const event first = q.host_task([&] { last.wait(); }, after(assigned));
  const event between = other.barrier(after(first));
  last = q.host_task([] {}, after(between));
  assigned.complete();
  expect_refused_wait(q);
  EXPECT_EQ(last.status(), event_status::complete);

  user_event submitted;
  const event waits = q.host_task([&] { other.wait(); }, after(submitted));
  other.host_task([] {}, after(waits));
  submitted.complete();
  expect_refused_wait(q);
}

TEST(host_task, may_wait_for_another_dependency_of_its_successor) {
  const queue q(device("cpu"));
  user_event gate;
  const event held = q.barrier(after(gate));
  const queue second(device("cpu"));
  std::atomic<bool> waited{false};
  const event waits = second.host_task([&] {
    held.wait();
    waited = true;
  });
  const std::array<event, 2> both{held, waits};
  const event last = second.host_task([] {}, both);
  gate.complete();
  last.wait();
  EXPECT_TRUE(waited);
  second.wait();
}

TEST(waiting, can_be_abandoned_and_resumed) {
  const queue q(device("cpu"));
  user_event go;
  const std::array<event, 1> after{go};
  const event held = q.host_task([] {}, after);
  int calls = 0;
  EXPECT_FALSE(q.wait_while([&] { return ++calls < 3; }));
  EXPECT_EQ(calls, 3);
  EXPECT_NE(held.status(), event_status::complete);
  EXPECT_THROW(held.wait_while([]() -> bool { throw std::runtime_error("enough"); }), std::runtime_error);
  EXPECT_TRUE(q.wait_while([&] {
    go.complete();
    return true;
  }));
  EXPECT_EQ(held.status(), event_status::complete);
  EXPECT_TRUE(event().wait_while([] { return false; }));
}

TEST(waiting, with_a_predicate_delivers_errors_as_wait_does) {
  const queue q(device("cpu"));
  q.host_task([] { throw std::runtime_error("of a host task"); });
  EXPECT_THROW(q.wait_while([] { return true; }), std::runtime_error);
  q.wait();
}

TEST(waiting, runs_pending_tasks_on_the_waiting_thread) {
  // a chain of thousands of blocked tasks: the waiting thread descends to the first one
  const queue q{device()};
  const auto code = load(q.get_device(), add_entry);
  int value = 0;
  user_event gate;
  event last = gate;
  for (int i = 0; i < 20'000; ++i) last = launch(q, code, flat(1), add_arguments{&value, 1}, after(last));
  gate.complete();
  last.wait();
  EXPECT_EQ(value, 20'000);
}

/// Keeps all threads of a device busy with a kernel for its lifetime.
class busy_threads {
public:
  explicit busy_threads(const queue &q) {
    constexpr auto spin = [](const arguments &a, std::size_t) {
      ++*a.started;
      while (!*a.go) std::this_thread::yield();
    };
    const std::size_t threads = q.get_device().info().max_compute_units;
    const auto code = load(q.get_device(), each<arguments, spin>);
    user_event submitted;  // makes it a task: a kernel over a few work-items would run inline
    done_ = launch(q, code, flat(threads), arguments{&started_, &go_}, after(submitted));
    submitted.complete();
    while (started_ < threads) std::this_thread::yield();
  }
  ~busy_threads() {
    go_ = true;
    done_.wait();
  }

private:
  struct arguments {
    std::atomic<std::size_t> *started;
    std::atomic<bool> *go;
  };
  std::atomic<std::size_t> started_{0};
  std::atomic<bool> go_{false};
  event done_;
};

struct slow_arguments {
  std::atomic<int> *done;
};
constexpr auto slow = [](const slow_arguments &a, std::size_t) {
  const auto end = std::chrono::steady_clock::now() + 200us;
  while (std::chrono::steady_clock::now() < end) {}
  ++*a.done;
};
const auto slow_entry = each<slow_arguments, slow>;

TEST(waiting, with_a_predicate_also_runs_the_task_on_the_waiting_thread) {
  const queue q(device("cpu"));
  const auto code = load(q.get_device(), slow_entry);
  std::atomic<int> done{0};
  launch(q, code, flat(8), slow_arguments{&done}).wait();  // measures the cost of a work-item
  const busy_threads busy(q);
  const event short_one = launch(q, code, flat(8), slow_arguments{&done});
  int patience = 500;  // times 20 ms: the machine may be busy
  EXPECT_TRUE(short_one.wait_while([&] { return --patience > 0; }));
  EXPECT_EQ(done, 16);
}

TEST(waiting, with_a_predicate_can_end_in_the_middle_of_a_task) {
  const queue q(device("cpu"));
  const auto code = load(q.get_device(), slow_entry);
  std::atomic<int> done{0};
  launch(q, code, flat(8), slow_arguments{&done}).wait();
  {
    const busy_threads busy(q);
    const event long_one = launch(q, code, flat(1000), slow_arguments{&done});
    EXPECT_FALSE(long_one.wait_while([] { return false; }));
    EXPECT_LT(done, 900);
    EXPECT_FALSE(event::wait_while({&long_one, 1}, [] { return false; }));
  }
  q.wait();  // other threads finish it
  EXPECT_EQ(done, 1008);
}

TEST(waiting, calls_the_predicate_regularly_during_many_short_tasks) {
  const queue q(device("cpu"), {.in_order = true});
  user_event go;
  q.barrier(after(go));
  for (int i = 0; i < 100; ++i) q.host_task([] { std::this_thread::sleep_for(2ms); });
  go.complete();
  int calls = 0;
  EXPECT_TRUE(q.wait_while([&] { return ++calls; }));
  EXPECT_GE(calls, 5);
}

}  // namespace
}  // namespace dpep::testing
