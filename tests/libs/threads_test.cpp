// The threads of the library: limits, calls from many threads, forks.
#include <array>
#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <dpep/queue.hpp>

#include "matrices.hpp"
#include "runtime/kernels.hpp"

namespace dpep::libs::test {
namespace {

const cpu_library &library() { return require_cpu_library("test"); }

void multiply(integer n, const double *a, const double *b, double *c) {
  library().blas<double>().gemm(matrix_order::column_major, transposition::none, transposition::none, n, n, n, 1.0, a,
                                n, b, n, 0.0, c, n);
}

struct thread_limits : ::testing::Test {
  void SetUp() override {
    if (!library().set_threads) GTEST_SKIP() << "the library has no setting for the process";
    library().set_threads(4);
  }
};

TEST_F(thread_limits, the_smallest_limit_holds_and_the_former_setting_comes_back) {
  {
    const thread_limit three(library(), 3);
    EXPECT_EQ(library().get_threads(), 3);
    {
      const thread_limit one(library(), 1), two(library(), 2);
      EXPECT_EQ(library().get_threads(), 1);
    }
    EXPECT_EQ(library().get_threads(), 3);
  }
  EXPECT_EQ(library().get_threads(), 4);
}

TEST_F(thread_limits, never_exceed_the_programs_setting) {
  const thread_limit many(library(), 64);
  EXPECT_EQ(library().get_threads(), 4);
}

TEST_F(thread_limits, keep_a_setting_that_the_program_changes_meanwhile) {
  {
    const thread_limit one(library(), 1);
    library().set_threads(2);
  }
  EXPECT_EQ(library().get_threads(), 2);
}

TEST_F(thread_limits, of_many_threads_leave_results_right) {
  constexpr integer n = 150;
  const matrix<double> a = random<double>(n, n, 1), b = random<double>(n, n, 2), wanted = product(a, b);
  std::array<matrix<double>, 6> results{matrix<double>(n, n), {n, n}, {n, n}, {n, n}, {n, n}, {n, n}};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        const thread_limit limit(library(), t % 2 ? 1 : 2);
        multiply(n, a.values.data(), b.values.data(), results[t].data());
      }
    });
  for (std::thread &t : threads) t.join();
  for (const matrix<double> &c : results) expect_near(c, wanted);
  EXPECT_EQ(library().get_threads(), 4);
}

struct product_arguments {
  integer n;
  const double *a, *b;
  double *c;
};
constexpr auto multiply_unit = [](const product_arguments &p, std::size_t unit) {
  const thread_limit limit(library(), 2);
  multiply(p.n, p.a, p.b, p.c + std::size_t(p.n * p.n) * unit);
};

// OpenBLAS stops its threads before a fork, which must not happen while tasks use them.
TEST(forks, wait_for_products_on_queues_and_the_child_can_multiply) {
  constexpr integer n = 200;
  constexpr std::size_t units = 12;
  const matrix<double> a = random<double>(n, n, 1), b = random<double>(n, n, 2), wanted = product(a, b);
  std::vector<double> c(std::size_t(n * n) * units);
  ASSERT_NE(find_cpu_library(), nullptr);  // opened by the submitting thread, as array operations do
  const queue q{device("cpu")};
  const auto code =
      testing::load(q.get_device(), testing::each<product_arguments, multiply_unit>, "products", {.grouped = true});
  for (int round = 0; round < 3; ++round) {
    const product_arguments arguments{n, a.values.data(), b.values.data(), c.data()};
    const event done = testing::launch(q, code, testing::groups(units, 128), arguments);
    const pid_t child = fork();
    if (child == 0) {
      matrix<double> own(n, n);
      multiply(n, a.values.data(), b.values.data(), own.data());
      _exit(std::abs(own(0, 0) - wanted(0, 0)) < 1e-10 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    done.wait();
    for (std::size_t unit = 0; unit < units; ++unit) ASSERT_NEAR(c[std::size_t(n * n) * unit], wanted(0, 0), 1e-10);
  }
}

}  // namespace
}  // namespace dpep::libs::test
