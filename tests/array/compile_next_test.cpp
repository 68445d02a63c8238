// While a program is compiled, the programs after it are compiled too, and values are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include <dpep/array_opcodes.hpp>

#include "array/base/background.hpp"
#include "array/executor.hpp"
#include "expression.hpp"
#include "jit/launch/compiler.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

class compile_next : public testing::Test {
protected:
  compile_next() : before_(use_generated_kernels(true)) {}
  ~compile_next() override { use_generated_kernels(before_); }

private:
  bool before_;
};

/// The largest distance of each column's elements from its mean, by `more` further operations: two programs.
ndarray spread(const ndarray &a, int more) {
  ndarray distance = apply(subtract, a, reduced(reduction::mean, a, {0}, true));
  for (int k = 0; k < more; ++k) distance = apply(abs, apply(add, distance, distance));
  return reduced(reduction::max, distance, {0});
}
std::vector<double> spread_of(const std::vector<double> &x, std::size_t rows, std::size_t columns, int more) {
  std::vector<double> wanted(columns, -1e300);
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows; ++i) mean += x[i * columns + j] / double(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double distance = x[i * columns + j] - mean;
      wanted[j] = std::max(wanted[j], more ? std::ldexp(std::abs(distance), more) : distance);
    }
  }
  return wanted;
}

TEST_F(compile_next, compiles_each_program_once) {
  const auto x = numbers(3000 * 70);
  const ndarray a = array_of(x, {3000, 70});
  for (int more = 0; more < 4; ++more) {
    const auto served = [] { return jit::counts().compiled + jit::counts().from_disk; };
    const auto before = served();
    counting count;
    const auto got = values_of(spread(a, more));
    const auto wanted = spread_of(x, 3000, 70, more);
    for (std::size_t j = 0; j < got.size(); ++j) ASSERT_NEAR(got[j], wanted[j], 1e-12) << more << ", " << j;
    EXPECT_EQ(count.programs(), 2u);
    wait_for_background();
    EXPECT_LE(served() - before, more ? 1u : 2u);  // the program of the means is compiled already
  }
}

TEST_F(compile_next, by_several_threads_on_one_queue) {
  const auto x = numbers(2000 * 90);
  const ndarray a = array_of(x, {2000, 90});
  std::vector<std::size_t> wrong(4, 1);
  {
    std::vector<std::jthread> all;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      all.emplace_back([&, t] {
        wrong[t] = 0;
        for (int more = 4; more < 7; ++more) {
          const auto got = values_of(spread(a, more + int(t) % 2)), wanted = spread_of(x, 2000, 90, more + int(t) % 2);
          for (std::size_t j = 0; j < got.size(); ++j) wrong[t] += std::abs(got[j] - wanted[j]) > 1e-9;
        }
      });
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(4, 0));
}

}  // namespace
}  // namespace dpep::array::tests
