// Runs of executable graphs: short and long commands, kernels whose time changes, and kernels that fail.
#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace ext = sycl::ext::oneapi::experimental;
using test::error_of;

/// Records commands of all kinds and sizes, and does to `expected` what they do to `x`. Both have `size` elements.
class graph_runs : public testing::TestWithParam<bool> {
protected:
  static constexpr std::size_t size = 1'500'000;
  sycl::queue q = GetParam() ? sycl::queue(sycl::property::queue::in_order()) : sycl::queue();
  ext::command_graph<> graph{q.get_context(), q.get_device()};
  shared_array<unsigned> a{size, q};
  unsigned *const x = a.get();
  std::vector<unsigned> expected = std::vector<unsigned>(size);
  std::vector<sycl::event> last;  // the event of the last command

  void add_to(std::size_t count, unsigned amount) {
    last = {q.parallel_for(count, last, [x = x, amount](sycl::id<1> i) { x[i] = x[i] * 3 + amount; })};
    steps.push_back([=, this] {
      for (std::size_t i = 0; i < count; ++i) expected[i] = expected[i] * 3 + amount;
    });
  }
  void copy(std::size_t to, std::size_t from, std::size_t count) {
    last = {q.copy(x + from, x + to, count, last)};
    steps.push_back([=, this] { std::copy_n(expected.begin() + from, count, expected.begin() + to); });
  }
  void fill(std::size_t from, std::size_t count, unsigned value) {
    last = {q.fill(x + from, value, count, last)};
    steps.push_back([=, this] { std::fill_n(expected.begin() + from, count, value); });
  }
  std::vector<std::function<void()>> steps;
};

}  // namespace

TEST_P(graph_runs, short_and_long_commands_follow_one_another) {
  graph.begin_recording(q);
  add_to(10, 1);
  copy(100, 0, 10);
  fill(5, 3, 7);
  add_to(1000, 2);
  add_to(size, 5);
  add_to(17, ~0u);
  copy(700'000, 3, 600'000);
  fill(20'000, 1'000'000, 11);
  copy(19'990, 0, 33);
  last = {q.submit([&](sycl::handler &h) {
    h.depends_on(last);
    h.host_task([x = x] { x[1] = x[0] - 4; });
  })};
  steps.push_back([this] { expected[1] = expected[0] - 4; });
  add_to(0, 9);
  for (unsigned i = 0; i < 40; ++i) add_to(i * 37 % 901, i);
  graph.end_recording();
  auto executable = graph.finalize();
  for (int run = 0; run < 5; ++run) {
    q.ext_oneapi_graph(executable);
    for (const auto &step : steps) step();
    if (run % 2 == 0) {
      q.wait();
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), x)) << "run " << run;
    }
  }
  q.wait();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), x));
}

TEST_P(graph_runs, follow_a_command_that_is_pending) {
  graph.begin_recording(q);
  for (unsigned i = 0; i < 20; ++i) add_to(50, i);
  graph.end_recording();
  auto executable = graph.finalize();
  for (int run = 0; run < 10; ++run) {
    const sycl::event before = q.parallel_for(size, [x = x](sycl::id<1> i) { x[i] += 2; });
    for (unsigned &e : expected) e += 2;
    const sycl::event done = q.ext_oneapi_graph(executable, before);
    for (const auto &step : steps) step();
    q.parallel_for(size, done, [x = x](sycl::id<1> i) { x[i] ^= 5; }).wait();
    for (unsigned &e : expected) e ^= 5;
  }
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), x));
}

// The estimates of a kernel's time come from earlier runs, whose work was a millionth of that of the later ones.
TEST_P(graph_runs, kernels_whose_time_grows) {
  shared_array<int> rounds(1, q);
  graph.begin_recording(q);
  for (unsigned k = 0; k < 3; ++k)
    last = {q.parallel_for(8, last, [x = x, n = rounds.get(), k](sycl::id<1> i) {
      unsigned value = unsigned(i[0]);
      for (int r = 0; r < n[0]; ++r) value = value * 1664525u + 1013904223u;
      x[i] += (value >> 16) + k;
    })};
  graph.end_recording();
  auto executable = graph.finalize();
  for (const int n : {1, 2, 1, 300'000, 1'000'000, 300'000, 1, 2}) {
    rounds[0] = n;
    for (int run = 0; run < 4; ++run) q.ext_oneapi_graph(executable);
    q.wait();
    for (unsigned i = 0; i < 8; ++i) {
      unsigned value = i;
      for (int r = 0; r < n; ++r) value = value * 1664525u + 1013904223u;
      expected[i] += 4 * (3 * (value >> 16) + 3);
    }
    ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + 8, x)) << n << " rounds";
  }
}

TEST_P(graph_runs, a_kernel_that_fails_is_reported_and_the_others_run) {
  if (!q.get_device().is_cpu()) GTEST_SKIP() << "a fault ends all work of a GPU's context";
  graph.begin_recording(q);
  add_to(30, 1);
  last = {q.single_task(last, [] { *reinterpret_cast<volatile int *>(8) = 1; })};
  add_to(40, 2);
  graph.end_recording();
  auto executable = graph.finalize();
  for (int run = 0; run < 3; ++run) {
    q.ext_oneapi_graph(executable);
    EXPECT_EQ(error_of([&] { q.wait_and_throw(); }).code, sycl::errc::kernel) << run;
    for (const auto &step : steps) step();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), x)) << run;
    q.wait_and_throw();
  }
}

INSTANTIATE_TEST_SUITE_P(queues, graph_runs, testing::Bool(),
                         [](const auto &info) { return info.param ? "in_order" : "out_of_order"; });
