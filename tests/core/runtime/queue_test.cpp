// Queues and events: order, dependencies, completion, profiling.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include <dpep/idle.hpp>

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

struct store_arguments {
  std::atomic<int> *to;
  int value;
};

class queues : public ::testing::TestWithParam<bool> {
protected:
  queue make(bool profiling = false) const { return queue(device(), {.in_order = GetParam(), .profiling = profiling}); }
};
INSTANTIATE_TEST_SUITE_P(order, queues, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "in_order" : "out_of_order"; });

TEST_P(queues, runs_every_unit_of_a_kernel_of_any_size_exactly_once) {
  const queue q = make();
  const auto code = load(q.get_device(), add_entry);
  for (std::size_t n : {0u, 1u, 7u, 64u, 1000u, 100'000u, 3'000'000u}) {
    std::vector<int> values(n);
    launch(q, code, flat(n), add_arguments{values.data(), 1}).wait();
    launch(q, code, flat(n), add_arguments{values.data(), 2}).wait();
    EXPECT_EQ(std::ranges::count(values, 3), static_cast<std::ptrdiff_t>(n));
  }
}

struct chunk_arguments {
  std::atomic<std::size_t> *in_vectors;
};

// Like a compiled kernel, this is slow in chunks smaller than a vector; its high cost must not lead to such chunks.
void slow_in_small_chunks(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *,
                          std::size_t) {
  const std::size_t size = end - begin;
  if (size >= 16) *static_cast<const chunk_arguments *>(arguments)->in_vectors += size;
  const auto until = std::chrono::steady_clock::now() + size * (size < 16 ? 150us : 5us);
  while (std::chrono::steady_clock::now() < until) {}
}

TEST_P(queues, divides_long_kernels_into_whole_vectors) {
  const queue q = make();
  const auto code = load(q.get_device(), slow_in_small_chunks);
  const std::size_t n = 128 * q.get_device().info().max_compute_units;
  for (int round = 0; round < 3; ++round) {
    std::atomic<std::size_t> in_vectors{0};
    launch(q, code, flat(n), chunk_arguments{&in_vectors}).wait();
    EXPECT_GE(in_vectors, n / 2) << "in round " << round;
  }
}

TEST_P(queues, kernels_see_the_writes_of_their_dependencies) {
  const queue q = make();
  const auto code = load(q.get_device(), add_entry);
  std::vector<int> values(200'000);
  event last;
  for (int i = 0; i < 50; ++i)
    last = launch(q, code, flat(values.size()), add_arguments{values.data(), i}, after(last));
  last.wait();
  EXPECT_EQ(std::ranges::count(values, 49 * 50 / 2), static_cast<std::ptrdiff_t>(values.size()));
}

TEST_P(queues, wait_returns_after_all_submitted_work) {
  const queue q = make();
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i)
    q.host_task([&] {
      std::this_thread::sleep_for(1ms);
      ++done;
    });
  q.wait();
  EXPECT_EQ(done, 20);
  EXPECT_TRUE(q.empty());
}

TEST_P(queues, is_idle_without_work_and_errors_only) {
  const queue q = make();
  EXPECT_TRUE(is_idle(q));
  user_event gate;
  const event done = q.host_task([] {}, after(gate));
  EXPECT_FALSE(is_idle(q));
  gate.complete();
  q.wait();
  EXPECT_TRUE(is_idle(q));
  q.host_task([] { throw std::runtime_error("not delivered yet"); }).wait();
  while (!q.empty()) std::this_thread::yield();
  EXPECT_FALSE(is_idle(q));
  EXPECT_THROW(q.wait(), std::runtime_error);
  EXPECT_TRUE(is_idle(q));
  EXPECT_FALSE(is_idle(queue()));
}

TEST_P(queues, a_host_task_never_runs_on_the_submitting_or_waiting_thread) {
  const queue q = make();
  std::thread::id ran;
  q.host_task([&] { ran = std::this_thread::get_id(); }).wait();
  EXPECT_NE(ran, std::this_thread::get_id());
  EXPECT_NE(ran, std::thread::id());
}

TEST(queue_priorities, host_tasks_of_low_priority_have_threads_of_their_own) {
  const auto niceness = [](queue_priority p) {
    int found = 0;
    const queue q(device(), queue_options{.priority = p});
    q.host_task([&] { found = getpriority(PRIO_PROCESS, 0); }).wait();
    return found;
  };
  const int own = getpriority(PRIO_PROCESS, 0);
  EXPECT_GT(niceness(queue_priority::low), own);
  EXPECT_EQ(niceness(queue_priority::normal), own);
  EXPECT_EQ(niceness(queue_priority::high), own);
  EXPECT_GT(niceness(queue_priority::low), own);
}

TEST(queue_priorities, threads_that_a_thread_of_low_priority_starts_have_its_nice_value) {
  const queue_options low{.priority = queue_priority::low};
  const queue first(device(), low);
  std::vector<queue> others;
  for (int i = 0; i < 8; ++i) others.emplace_back(device(), low);
  std::mutex mutex;
  std::set<int> seen;
  const auto record = [&] {
    const std::lock_guard lock(mutex);
    seen.insert(getpriority(PRIO_PROCESS, 0));
  };
  first
      .host_task([&] {
        record();
        for (const queue &q : others)
          q.host_task([&] {
            record();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
          });
      })
      .wait();
  for (const queue &q : others) q.wait();
  EXPECT_EQ(seen.size(), 1u);
}

TEST_P(queues, a_barrier_completes_after_all_earlier_work) {
  const queue q = make();
  std::atomic<int> done{0};
  for (int i = 0; i < 8; ++i)
    q.host_task([&] {
      std::this_thread::sleep_for(2ms);
      ++done;
    });
  q.barrier().wait();
  EXPECT_EQ(done, 8);
}

TEST_P(queues, work_after_a_barrier_starts_after_it) {
  const queue q = make();
  user_event gate;
  q.barrier(after(gate));
  std::atomic<bool> ran{false};
  const event later = q.host_task([&] { ran = true; });
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(ran);
  gate.complete();
  later.wait();
  EXPECT_TRUE(ran);
}

TEST_P(queues, work_that_depends_on_a_user_event_waits_for_it) {
  const queue q = make();
  const auto code = load(q.get_device(), add_entry);
  int value = 0;
  user_event gate;
  const event done = launch(q, code, flat(1), add_arguments{&value, 5}, after(gate));
  EXPECT_EQ(done.status(), event_status::submitted);
  EXPECT_FALSE(q.empty());
  ASSERT_EQ(done.wait_list().size(), 1u);
  EXPECT_EQ(done.wait_list()[0], gate);
  gate.complete();
  done.wait();
  EXPECT_EQ(value, 5);
  EXPECT_EQ(done.status(), event_status::complete);
  EXPECT_TRUE(done.wait_list().empty());
}

TEST_P(queues, copies_and_fills_of_any_size_are_exact) {
  const queue q = make();
  for (std::size_t n : {1u, 3u, 1000u, 300'000u, 10'000'000u}) {
    std::vector<unsigned char> from(n), to(n);
    std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
    q.copy(to.data(), from.data(), n).wait();
    EXPECT_EQ(from, to);
    const std::array<unsigned char, 3> pattern{1, 2, 3};
    q.fill(to.data(), pattern.data(), 3, n / 3).wait();
    for (std::size_t i = 0; i < n / 3 * 3; ++i) ASSERT_EQ(to[i], i % 3 + 1) << "at " << i << " of " << n;
    for (std::size_t i = n / 3 * 3; i < n; ++i) ASSERT_EQ(to[i], from[i]);
  }
}

TEST_P(queues, a_fill_keeps_its_own_copy_of_the_pattern) {
  const queue q = make();
  user_event gate;
  std::vector<std::array<int, 40>> to(100);
  {
    std::array<int, 40> pattern;
    std::iota(pattern.begin(), pattern.end(), 7);
    q.fill(to.data(), pattern.data(), sizeof pattern, to.size(), after(gate));
    pattern.fill(0);
  }
  gate.complete();
  q.wait();
  EXPECT_EQ(to[99][39], 46);
}

TEST_P(queues, arguments_of_any_size_are_copied_at_the_launch) {
  const queue q = make();
  struct large {
    long *to;
    alignas(64) std::array<long, 200> values;
  };
  const auto code = load(q.get_device(), each<large, [](const large &a, std::size_t i) { a.to[i] = a.values[i]; }>);
  user_event gate;
  std::vector<long> to(200);
  {
    large arguments{to.data(), {}};
    std::iota(arguments.values.begin(), arguments.values.end(), 100);
    launch(q, code, flat(200), arguments, after(gate));
    arguments.values.fill(-1);
  }
  gate.complete();
  q.wait();
  EXPECT_EQ(to[0], 100);
  EXPECT_EQ(to[199], 299);
}

TEST_P(queues, profiling_times_are_ordered_for_short_and_long_work) {
  const queue q = make(true);
  const auto code = load(q.get_device(), add_entry);
  std::vector<int> values(1'000'000);
  for (std::size_t n : {std::size_t{1}, values.size()}) {
    const event e = launch(q, code, flat(n), add_arguments{values.data(), 1});
    ASSERT_TRUE(e);
    e.wait();
    const event_times t = e.times();
    EXPECT_GT(t.submit, 0u);
    EXPECT_LE(t.submit, t.start);
    EXPECT_LT(t.start, t.end);
  }
  const event copied = q.copy(values.data(), values.data() + 10, 40);
  copied.wait();
  EXPECT_LE(copied.times().start, copied.times().end);
}

TEST_P(queues, times_without_profiling_are_an_error_that_names_the_option) {
  const queue q = make();
  const event e = q.host_task([] {});
  try {
    (void)e.times();
    FAIL();
  } catch (const exception &error) {
    EXPECT_EQ(error.code(), errc::invalid);
    EXPECT_NE(std::string(error.what()).find("profiling"), std::string::npos);
  }
  q.wait();
}

TEST_P(queues, an_event_keeps_owners_alive_exactly_until_it_is_complete) {
  const queue q = make();
  user_event gate;
  const event done = q.host_task([] {}, after(gate));
  auto owner = std::make_shared<int>(1);
  done.keep_alive(owner);
  EXPECT_EQ(owner.use_count(), 2);
  gate.complete();
  done.wait();
  EXPECT_EQ(owner.use_count(), 1);
  done.keep_alive(owner);
  EXPECT_EQ(owner.use_count(), 1) << "a complete event releases its owner immediately";
}

TEST_P(queues, may_be_destroyed_with_pending_work_even_by_that_work) {
  std::atomic<int> done{0};
  user_event gate;
  event last;
  {
    auto q = std::make_shared<queue>(make());
    last = q->host_task([&, q] { ++done; }, after(gate));  // the task holds the queue
  }
  gate.complete();
  last.wait();
  EXPECT_EQ(done, 1);
}

TEST(in_order, short_and_long_work_runs_in_submission_order) {
  const queue q(device(), {.in_order = true});
  const auto code = load(q.get_device(), add_entry);
  std::vector<int> order;
  std::vector<int> bulk(500'000);
  for (int i = 0; i < 30; ++i) {
    q.host_task([&order, i] { order.push_back(i); });
    launch(q, code, flat(bulk.size()), add_arguments{bulk.data(), 1});
    launch(q,
           load(q.get_device(),
                each<add_arguments, [](const add_arguments &a, std::size_t) { EXPECT_EQ(a.values[0], a.by); }>),
           flat(1), add_arguments{bulk.data(), i + 1});
  }
  q.wait();
  std::vector<int> expected(30);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(in_order, work_of_several_threads_never_runs_concurrently) {
  const queue q(device(), {.in_order = true});
  struct arguments {
    std::atomic<int> *inside;
    std::atomic<int> *overlaps;
    int *plain;
  };
  const auto code = load(q.get_device(), each<arguments, [](const arguments &a, std::size_t) {
                           if (a.inside->fetch_add(1) != 0) ++*a.overlaps;
                           ++*a.plain;
                           a.inside->fetch_sub(1);
                         }>);
  std::atomic<int> inside{0}, overlaps{0};
  int plain = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        launch(q, code, flat(1), arguments{&inside, &overlaps, &plain});
        if (i % 100 == 0) q.host_task([] {});
      }
    });
  for (auto &t : threads) t.join();
  q.wait();
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(plain, 8000);
}

TEST(grouped_kernel, gets_local_memory_in_three_aligned_parts) {
  const device where;
  const queue q(where);
  struct arguments {
    std::atomic<int> *wrong;
    std::atomic<int> *groups;
  };
  const auto code =
      load(where,
           [](const void *a, const geometry *work, std::size_t begin, std::size_t end, std::byte *local,
              std::size_t dynamic) {
             const auto &arguments = *static_cast<const struct arguments *>(a);
             if (reinterpret_cast<std::uintptr_t>(local) % 64 || dynamic != 100 || work->local[0] != 8)
               ++*arguments.wrong;
             std::memset(local, 1, 128 + 64 + 1000);  // dynamic and static part rounded up to 64, then scratch
             *arguments.groups += static_cast<int>(end - begin);
           },
           "grouped", {.grouped = true, .static_local_bytes = 40, .scratch_bytes = 1000});
  std::atomic<int> wrong{0}, seen{0};
  launch(q, code, groups(1000, 8), arguments{&wrong, &seen}, {}, 100).wait();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(seen, 1000);
}

TEST(event, a_default_event_is_complete) {
  const event none;
  EXPECT_EQ(none.status(), event_status::complete);
  none.wait();
  EXPECT_TRUE(none.wait_list().empty());
}

TEST_P(queues, of_cpus_refuse_commands_for_native_streams) {
  EXPECT_THROW(runtime::implementation_of(make()).submit(backend::native_command{[](std::uintptr_t) {}}, {}, "library"),
               exception);
}

}  // namespace
}  // namespace dpep::testing
