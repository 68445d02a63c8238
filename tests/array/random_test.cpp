// Random numbers: the same ones whatever part of a sequence is computed, by each executor and in each expression.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_random.hpp>

#include "array/blocks/table.hpp"
#include "array/executor.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;
/// Two numbers of the uniform distribution from a block of Philox4x32-10.
std::array<double, 2> uniform_pair(std::uint64_t block, std::uint64_t key) {
  std::array<std::uint32_t, 4> c{std::uint32_t(block), std::uint32_t(block >> 32)};
  std::uint32_t k0 = std::uint32_t(key), k1 = std::uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round, k0 += 0x9e3779b9, k1 += 0xbb67ae85) {
    const std::uint64_t x = std::uint64_t{0xd2511f53} * c[0], y = std::uint64_t{0xcd9e8d57} * c[2];
    c = {std::uint32_t(y >> 32) ^ c[1] ^ k0, std::uint32_t(y), std::uint32_t(x >> 32) ^ c[3] ^ k1, std::uint32_t(x)};
  }
  const auto unit = [](std::uint32_t upper, std::uint32_t lower) {
    return double(std::uint64_t{upper >> 5} << 26 | lower >> 6) / 0x1p53;
  };
  return {unit(c[0], c[1]), unit(c[2], c[3])};
}

std::array<double, 2> normal_pair(std::uint64_t block, std::uint64_t key) {
  const auto [x, y] = uniform_pair(block, key);
  const double radius = std::sqrt(-2 * std::log(1 - x)), angle = 2 * std::numbers::pi * y;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

using distribution = std::array<double, 2> (*)(std::uint64_t block, std::uint64_t key);

std::vector<double> expected(distribution of, std::size_t count, std::uint64_t first_block, std::uint64_t key) {
  std::vector<double> values;
  for (std::uint64_t block = first_block; values.size() < count; ++block) {
    const std::array<double, 2> both = of(block, key);
    values.insert(values.end(), both.begin(), both.end());
  }
  values.resize(count);
  return values;
}

void expect_close(const std::vector<double> &got, const std::vector<double> &wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-14) << i;
}

TEST(random_numbers, of_block_kernels_start_at_any_index) {
  const std::uint64_t block = (std::uint64_t{1} << 32) - 20, key = 0x123456789abcdef0;
  const std::vector<double> uniform = expected(uniform_pair, 200, block, key);
  const std::vector<double> normal = expected(normal_pair, 200, block, key);
  for (const blocks::instructions set : blocks::all_instructions) {
    if (!blocks::has(set)) continue;
    const blocks::kernel_table table(set);
    for (const std::size_t first : {0, 1, 2, 7, 64})
      for (const std::size_t count : {0, 1, 2, 3, 16, 33, 100}) {
        std::vector<double> got(count + 1, -1);
        const auto compute = [&](index_function f) {
          table.find_iota(f, dtype::float64)(got.data(), {block, 0, 0}, {key, 0, 0}, first, count);
          EXPECT_EQ(got[count], -1);
          return std::vector<double>(got.begin(), got.end() - 1);
        };
        const auto from = [&](const std::vector<double> &all) {
          const auto begin = all.begin() + std::ptrdiff_t(first);
          return std::vector<double>(begin, begin + std::ptrdiff_t(count));
        };
        EXPECT_EQ(compute(index_function::uniform), from(uniform)) << blocks::name_of(set) << first << " " << count;
        expect_close(compute(index_function::normal), from(normal));
      }
  }
}

/// Runs its tests with block kernels and with generated kernels.
class random_arrays : public ::testing::TestWithParam<bool> {
protected:
  random_arrays() : before_(use_generated_kernels(GetParam())) {}
  ~random_arrays() override { use_generated_kernels(before_); }

  static constexpr std::uint64_t seed = 5;
  random_generator generator{seed};

  ndarray uniform(const shape_t &shape) { return generator.uniform(shape, 0, 1, here()); }
  static std::vector<double> numbers(std::size_t count, std::uint64_t first_block = 0) {
    return expected(uniform_pair, count, first_block, seed);
  }

private:
  const bool before_;
};

ndarray sum_of(const ndarray &x, std::vector<int> axes) {
  reduce_options options;
  options.axes = axes;
  return reduce(reduction::sum, x, options);
}

TEST_P(random_arrays, continue_one_sequence) {
  EXPECT_EQ(values_of<double>(uniform({3, 5})), numbers(15));  // the last number of block 7 is not used
  EXPECT_EQ(values_of<double>(uniform({})), numbers(1, 8));
  EXPECT_EQ(values_of<double>(uniform({0, 4})), std::vector<double>());
  EXPECT_EQ(values_of<double>(uniform({200, 301})), numbers(60200, 9));
  generator.seed(seed);
  EXPECT_EQ(values_of<double>(uniform({100001})), numbers(100001));
}

TEST_P(random_arrays, of_each_distribution) {
  expect_close(values_of<double>(generator.normal(shape_t{70001}, 0, 1, here())),
               expected(normal_pair, 70001, 0, seed));
  std::vector<double> scaled = numbers(70001, 35001);
  for (double &x : scaled) x = x * 3 + -1;
  EXPECT_EQ(values_of<double>(generator.uniform(shape_t{70001}, -1, 2, here())), scaled);
  std::vector<std::int16_t> integers;
  for (const double x : numbers(70001, 70002)) integers.push_back(static_cast<std::int16_t>(std::floor(x * 17) - 8));
  EXPECT_EQ(values_of<std::int16_t>(generator.integers(shape_t{70001}, -8, 17, dtype::int16, here())), integers);
}

TEST_P(random_arrays, are_the_same_in_every_expression) {
  const std::int64_t rows = 300, columns = 200, n = rows * columns;
  const std::vector<double> x = numbers(std::size_t(n));
  const auto make = [&] {
    generator.seed(seed);
    return uniform({rows, columns});
  };
  const auto at = [&](std::int64_t row, std::int64_t column) { return x[std::size_t(row * columns + column)]; };

  const std::vector<double> squares = values_of<double>(apply(opcode::multiply, make(), make()));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(squares[i], x[i] * x[i]);

  const int swapped[] = {1, 0};
  const std::vector<double> transposed = values_of<double>(apply(opcode::negative, permute(make(), swapped)));
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(transposed[std::size_t(i)], -at(i % rows, i / rows));

  const index seventh[] = {{index::kind::ellipsis}, {index::kind::integer, 7}};
  const std::vector<double> part = values_of<double>(apply(opcode::negative, view(make(), seventh)));
  for (std::int64_t row = 0; row < rows; ++row) ASSERT_EQ(part[std::size_t(row)], -at(row, 7));

  const ndarray column = counting<double>({rows, 1});
  const std::vector<double> shifted = values_of<double>(apply(opcode::add, make(), column));
  for (std::int64_t i = 0; i < n; ++i)
    ASSERT_EQ(shifted[std::size_t(i)], at(i / columns, i % columns) + double(i / columns));

  const ndarray flat = (generator.seed(seed), uniform({columns}));
  const index outer[] = {{index::kind::slice, 0, columns}, {index::kind::new_axis}};
  const std::vector<double> table = values_of<double>(apply(opcode::subtract, view(flat, outer), flat));
  for (std::int64_t i = 0; i < columns * columns; ++i)
    ASSERT_EQ(table[std::size_t(i)], x[std::size_t(i / columns)] - x[std::size_t(i % columns)]);
}

TEST_P(random_arrays, are_reduced_along_any_axes) {
  const std::int64_t rows = 300, columns = 200;
  const std::vector<double> x = numbers(std::size_t(rows * columns));
  for (const std::vector<int> &axes : {std::vector<int>{0}, {1}, {0, 1}}) {
    generator.seed(seed);
    const std::vector<double> sums = values_of<double>(sum_of(uniform({rows, columns}), axes));
    std::vector<double> wanted(sums.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      wanted[axes.size() == 2 ? 0 : axes[0] == 0 ? i % std::size_t(columns) : i / std::size_t(columns)] += x[i];
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(sums[i], wanted[i], 1e-9 * wanted[i]);
  }
}

TEST_P(random_arrays, that_wait_have_the_numbers_of_their_call) {
  const ndarray first = uniform({100000}), second = uniform({100000});
  generator.seed(1);
  EXPECT_EQ(values_of<double>(second), numbers(100000, 50000));
  EXPECT_EQ(values_of<double>(first), numbers(100000));
}

std::string executor_name(const ::testing::TestParamInfo<bool> &i) { return i.param ? "generated" : "blocks"; }
INSTANTIATE_TEST_SUITE_P(by, random_arrays, ::testing::Bool(), executor_name);

TEST(random_numbers, are_divided_among_threads) {
  constexpr std::size_t threads = 4, each = 50, length = 100;
  random_generator generator(3);
  std::vector<std::vector<double>> got(threads);
  {
    std::vector<std::jthread> all;
    for (std::vector<double> &mine : got)
      all.emplace_back([&] {
        for (std::size_t k = 0; k < each; ++k) {
          const std::vector<double> values = values_of<double>(generator.uniform(shape_t{length}, 0, 1, here()));
          mine.insert(mine.end(), values.begin(), values.end());
        }
      });
  }
  std::vector<double> together;
  for (const std::vector<double> &mine : got) together.insert(together.end(), mine.begin(), mine.end());
  std::vector<double> wanted = expected(uniform_pair, threads * each * length, 0, 3);
  std::ranges::sort(together);
  std::ranges::sort(wanted);
  EXPECT_EQ(together, wanted);
}

TEST(random_numbers, refuse_wrong_parameters) {
  random_generator generator(1);
  refused(refusal::value, [&] { generator.normal(shape_t{2}, 0, -1, here()); });
  refused(refusal::value, [&] { generator.integers(shape_t{2}, 0, 0, dtype::int64, here()); });
  refused(refusal::value, [&] { generator.integers(shape_t{2}, 0, (1ull << 53) + 1, dtype::int64, here()); });
  refused(refusal::value, [&] { generator.uniform(shape_t{1l << 40, 1l << 40}, 0, 1, here()); });
}

}  // namespace
}  // namespace dpep::array
