// Many threads and tasks in random order: correct results, no deadlock, and the speed of short launches.
//
// DPEP_STRESS=n makes the tests n times as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

int scale() {
  const char *n = std::getenv("DPEP_STRESS");
  return n ? std::max(1, std::atoi(n)) : 1;
}

/// The result of one task, which is correct only if all its dependencies were complete.
struct cell {
  std::vector<int> dependencies;
  std::uint64_t value = 0;  // written by the task
  event done;
};
struct cell_arguments {
  cell *cells;
  int index;
  std::size_t last;  // the unit that writes
};
void compute(cell *cells, int index) {
  std::uint64_t sum = 1;
  for (int b : cells[index].dependencies) sum += cells[b].value * 31;
  cells[index].value = sum;
}

TEST(stress, sixteen_threads_submit_tasks_with_random_dependencies) {
  constexpr int threads = 16;
  const int tasks = 100'000 * scale() / threads * threads;
  const device where;
  const auto code = load(where, each<cell_arguments, [](const cell_arguments &a, std::size_t i) {
                           if (i == a.last) compute(a.cells, a.index);
                         }>);
  std::vector<queue> shared;
  for (int i = 0; i < 4; ++i) shared.emplace_back(where, queue_options{.in_order = i % 2 == 1});
  std::vector<cell> cells(static_cast<std::size_t>(tasks));
  std::mutex mutex;  // guards `submitted`
  std::vector<int> submitted;
  submitted.reserve(cells.size());
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t) + 1);
      const queue own(where, {.in_order = t % 3 == 0});
      for (int i = t; i < tasks; i += threads) {
        cell &own_cell = cells[static_cast<std::size_t>(i)];
        std::vector<event> wait_for;
        {
          std::lock_guard lock(mutex);
          for (unsigned n = random() % 4; n > 0 && !submitted.empty(); --n) {
            // mostly recent tasks, which are likely to be pending
            const std::size_t back = random() % std::min<std::size_t>(submitted.size(), random() % 4 ? 20 : 2000);
            const int b = submitted[submitted.size() - 1 - back];
            own_cell.dependencies.push_back(b);
            wait_for.push_back(cells[static_cast<std::size_t>(b)].done);
          }
        }
        const queue &q = random() % 2 ? own : shared[random() % shared.size()];
        switch (random() % 8) {
        case 0:
          own_cell.done = q.host_task([&cells, i] { compute(cells.data(), i); }, wait_for);
          break;
        case 1:
          // long enough to become a task that several threads share
          own_cell.done = launch(q, code, flat(20'000), cell_arguments{cells.data(), i, random() % 20'000}, wait_for);
          break;
        default:
          own_cell.done = launch(q, code, flat(3), cell_arguments{cells.data(), i, 2}, wait_for);
        }
        if (random() % 64 == 0) own_cell.done.wait();
        if (random() % 512 == 0) q.wait();
        std::lock_guard lock(mutex);
        submitted.push_back(i);
      }
      own.wait();
    });
  for (auto &w : workers) w.join();
  for (const queue &q : shared) q.wait();
  int wrong = 0;
  for (int i : submitted) {  // dependencies come first in this order
    const std::uint64_t value = cells[static_cast<std::size_t>(i)].value;
    compute(cells.data(), i);
    wrong += value != cells[static_cast<std::size_t>(i)].value;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(speed, a_short_launch_takes_less_than_half_a_microsecond) {
  if (sanitized) GTEST_SKIP() << "sanitizers cost more than a launch";
  const device where;
  struct arguments {
    float *x;
  };
  const auto code = load(where, each<arguments, [](const arguments &a, std::size_t i) { a.x[i] += 1; }>);
  std::array<float, 10> x{};
  for (bool in_order : {false, true}) {
    const queue q(where, {.in_order = in_order});
    double best = 1e9;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 2000; ++i) launch(q, code, flat(x.size()), arguments{x.data()});
      best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                                2000);
      q.wait();  // on a busy machine some launches become tasks, which must not outlive `x`
    }
    std::printf("%s launch of 10 items: %.0f ns\n", in_order ? "in-order" : "out-of-order", best);
    EXPECT_LT(best, 500);
  }
}

}  // namespace
}  // namespace dpep::testing
