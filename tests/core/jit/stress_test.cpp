// Stress tests of compiled kernels: many launches from many threads, with dependencies, and without memory leaks.
#include <algorithm>
#include <mutex>
#include <random>
#include <thread>

#include "growth.hpp"
#include "jit/kernels.hpp"
#include "runtime/kernels.hpp"

namespace dpep {
namespace {

using namespace test;
using testing::sanitized;

/// The node of a task. Its value is correct only if all tasks that it depends on were complete.
struct node {
  std::vector<std::uint64_t> before;
  event done;
};

// One work-item of the launch, the `writer`, computes values[index] = 1 + 31 * (the sum over b of values[before[b]]).
struct node_arguments {
  std::uint64_t *values;
  std::uint64_t index;
  const std::uint64_t *before;
  std::uint64_t count, writer;
};
std::string node_ir(int salt) {
  return "; " + std::to_string(salt) + R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
    entry:
      %i = call i64 @__dpep_global_id(i32 0)
      %writer_at = getelementptr i8, ptr %arguments, i64 32
      %writer = load i64, ptr %writer_at
      %mine = icmp eq i64 %i, %writer
      br i1 %mine, label %start, label %done
    start:
      %values = load ptr, ptr %arguments
      %index_at = getelementptr i8, ptr %arguments, i64 8
      %index = load i64, ptr %index_at
      %before_at = getelementptr i8, ptr %arguments, i64 16
      %before = load ptr, ptr %before_at
      %count_at = getelementptr i8, ptr %arguments, i64 24
      %count = load i64, ptr %count_at
      %any = icmp ne i64 %count, 0
      br i1 %any, label %loop, label %write
    loop:
      %n = phi i64 [ 0, %start ], [ %next, %loop ]
      %sum = phi i64 [ 1, %start ], [ %more, %loop ]
      %b_at = getelementptr i64, ptr %before, i64 %n
      %b = load i64, ptr %b_at
      %value_at = getelementptr i64, ptr %values, i64 %b
      %value = load i64, ptr %value_at
      %product = mul i64 %value, 31
      %more = add i64 %sum, %product
      %next = add i64 %n, 1
      %again = icmp ult i64 %next, %count
      br i1 %again, label %loop, label %write
    write:
      %result = phi i64 [ 1, %start ], [ %more, %loop ]
      %target = getelementptr i64, ptr %values, i64 %index
      store i64 %result, ptr %target
      br label %done
    done:
      ret void
    })";
}

TEST(compiled_kernels, run_in_the_order_of_random_dependencies_from_sixteen_threads) {
  const environment no_cache("DPEP_CACHE", "off");
  constexpr unsigned threads = 16;
  const std::size_t tasks = 100'000 / threads * threads;
  const device where("cpu");
  std::vector<kernel> kernels;  // compiled by the first thread that launches them, while other tasks run
  for (int salt = 0; salt < 6; ++salt) kernels.push_back(ir_kernel(node_ir(salt)));
  std::vector<queue> shared;
  for (int i = 0; i < 4; ++i) shared.emplace_back(where, queue_options{.in_order = i % 2 == 1});
  std::vector<node> nodes(tasks);
  std::vector<std::uint64_t> values(tasks);
  std::mutex mutex;  // guards `submitted`
  std::vector<std::size_t> submitted;
  submitted.reserve(tasks);

  const auto submit_own_part = [&](unsigned thread) {
    std::mt19937 random(thread + 1);
    const queue own(where, {.in_order = thread % 3 == 0});
    for (std::size_t i = thread; i < tasks; i += threads) {
      node &mine = nodes[i];
      std::vector<event> wait_for;
      {
        const std::lock_guard lock(mutex);
        for (unsigned n = random() % 4; n > 0 && !submitted.empty(); --n) {
          // mostly recent tasks, which are likely to be pending
          const std::size_t back = random() % std::min<std::size_t>(submitted.size(), random() % 4 ? 20 : 2000);
          mine.before.push_back(submitted[submitted.size() - 1 - back]);
          wait_for.push_back(nodes[mine.before.back()].done);
        }
      }
      const queue &q = random() % 2 ? own : shared[random() % shared.size()];
      const kernel &k = kernels[random() % kernels.size()];
      node_arguments arguments{values.data(), i, mine.before.data(), mine.before.size(), 2};
      const unsigned how = random() % 16;
      if (how == 0) {  // many work-items: a task that several threads process
        arguments.writer = random() % 200'000;
        mine.done = launch(q, k, flat(200'000), packed(arguments), 0, wait_for);
      } else if (how < 4) {
        mine.done = launch(q, k, grouped(64, 16), packed(arguments), 0, wait_for);
      } else {
        mine.done = launch(q, k, flat(3), packed(arguments), 0, wait_for);
      }
      if (random() % 64 == 0) mine.done.wait();
      if (random() % 512 == 0) q.wait();
      const std::lock_guard lock(mutex);
      submitted.push_back(i);
    }
    own.wait();
  };
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t) pool.emplace_back(submit_own_part, t);
  for (std::thread &t : pool) t.join();
  for (const queue &q : shared) q.wait_and_throw();

  std::size_t wrong = 0;
  std::vector<std::uint64_t> expected(tasks);
  for (const std::size_t i : submitted) {  // in an order in which dependencies come first
    expected[i] = 1;
    for (const std::uint64_t b : nodes[i].before) expected[i] += 31 * expected[b];
    wrong += values[i] != expected[i];
  }
  EXPECT_EQ(wrong, 0U);
}

class compiled_kernels_do_not_leak : public ::testing::Test {
protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "sanitizers replace the heap and retain freed memory";
  }
  environment no_cache{"DPEP_CACHE", "off"};
  queue q = cpu_queue();
  kernel k = ir_kernel(scale_ir(77));
  std::vector<float> a = std::vector<float>(200'000);
  const scale_arguments arguments{a.data(), 1};
};

TEST_F(compiled_kernels_do_not_leak, over_a_million_short_launches) {
  EXPECT_LT(testing::bytes_left_by_each(1'000'000, 100,
                                        [&](int calls) {
                                          for (int i = 0; i < calls; ++i) launch(q, k, flat(10), packed(arguments));
                                        }),
            testing::no_growth);
}

TEST_F(compiled_kernels_do_not_leak, over_tasks_with_and_without_work_groups) {
  EXPECT_LT(testing::bytes_left_by_each(100'000, 100,
                                        [&](int calls) {
                                          const user_event gate;
                                          const event first = gate;
                                          for (int i = 0; i < calls; ++i)
                                            launch(q, k, i % 2 ? flat(10) : grouped(16, 4), packed(arguments), 0,
                                                   {&first, 1});
                                          gate.complete();
                                          q.wait();
                                        }),
            testing::no_growth);
}

TEST_F(compiled_kernels_do_not_leak, over_tasks_that_threads_share) {
  EXPECT_LT(testing::bytes_left_by_each(5'000, 10,
                                        [&](int calls) {
                                          for (int i = 0; i < calls; ++i)
                                            launch(q, k, flat(a.size()), packed(arguments)).wait();
                                        }),
            20 * testing::no_growth);  // fewer calls, so caches that fill up late contribute more to each
}

TEST_F(compiled_kernels_do_not_leak, when_they_are_destroyed) {
  // The code of a kernel takes at least 4 KiB, and its IR hundreds of KiB.
  int salt = 10'000;
  EXPECT_LT(testing::bytes_left_by_each(
                60, 1, [&](int) { launch(q, ir_kernel(scale_ir(++salt)), flat(10), packed(arguments)).wait(); }),
            1024);
}

}  // namespace
}  // namespace dpep
