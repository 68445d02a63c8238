// Rolled arrays in fused programs, and the division of programs at their wraps.
#include <gtest/gtest.h>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "array/fusion/wraps.hpp"
#include "expression.hpp"

namespace dpep::array::tests {
namespace {

constexpr std::int64_t rows_of_large = 190, columns_of_large = 211;

ndarray large() { return array_of(numbers(rows_of_large * columns_of_large), {rows_of_large, columns_of_large}); }
double at(const std::vector<double> &x, std::int64_t i, std::int64_t j) {
  const auto within = [](std::int64_t k, std::int64_t n) { return (k % n + n) % n; };
  return x[static_cast<std::size_t>(within(i, rows_of_large) * columns_of_large + within(j, columns_of_large))];
}
ndarray rolled(const ndarray &x, std::int64_t down, std::int64_t right) {
  const std::int64_t shifts[] = {down, right};
  return roll(x, shifts, std::vector{0, 1});
}
bool compiles() { return executor_of(test_queue()).compiles_programs(); }

TEST(rolls, neighbours_are_added_in_one_program) {
  const ndarray x = large();
  const std::vector<double> values = values_of(x);
  counting count;
  ndarray sum = apply(opcode::add, rolled(x, 1, 0), rolled(x, -1, 0));
  for (const auto &[down, right] : {std::pair{0, 1}, {0, -1}, {2, -3}})
    sum = apply(opcode::add, sum, rolled(x, down, right));
  const std::vector<double> got = values_of(sum);
  if (!compiles()) EXPECT_EQ(count.programs(), 1u);
  for (std::int64_t i = 0; i < rows_of_large; ++i)
    for (std::int64_t j = 0; j < columns_of_large; ++j) {
      const double wanted = at(values, i - 1, j) + at(values, i + 1, j) + at(values, i, j - 1) + at(values, i, j + 1) +
                            at(values, i - 2, j + 3);
      ASSERT_NEAR(got[static_cast<std::size_t>(i * columns_of_large + j)], wanted, 1e-14);
    }
}

TEST(rolls, reductions_over_rolled_axes_agree) {
  const ndarray x = large();
  const std::vector<double> values = values_of(x);
  const ndarray product = apply(opcode::multiply, rolled(x, 5, 7), x);
  const std::vector<double> whole = values_of(reduced(reduction::sum, product, {0, 1}));
  const std::vector<double> of_rows = values_of(reduced(reduction::sum, product, {1}));
  const ndarray only_rows = apply(opcode::multiply, rolled(x, 5, 0), x);
  counting count;
  const std::vector<double> divided = values_of(reduced(reduction::sum, only_rows, {1}));
  if (!compiles()) EXPECT_EQ(count.programs(), 1u);
  double sum = 0;
  for (std::int64_t i = 0; i < rows_of_large; ++i) {
    double row = 0, shifted_row = 0;
    for (std::int64_t j = 0; j < columns_of_large; ++j) {
      row += at(values, i - 5, j - 7) * at(values, i, j);
      shifted_row += at(values, i - 5, j) * at(values, i, j);
    }
    ASSERT_NEAR(of_rows[static_cast<std::size_t>(i)], row, 1e-11);
    ASSERT_NEAR(divided[static_cast<std::size_t>(i)], shifted_row, 1e-11);
    sum += row;
  }
  EXPECT_NEAR(whole[0], sum, 1e-8);
}

TEST(rolls, writes_wait_for_rolls_of_the_same_memory) {
  const ndarray x = large();
  const std::vector<double> values = values_of(x);
  const ndarray before = rolled(x, 1, 1);
  apply_in_place(opcode::add, x, rolled(x, 0, -1));
  const std::vector<double> got = values_of(x), kept = values_of(before);
  for (std::int64_t i = 0; i < rows_of_large; ++i)
    for (std::int64_t j = 0; j < columns_of_large; ++j) {
      const auto k = static_cast<std::size_t>(i * columns_of_large + j);
      ASSERT_EQ(got[k], at(values, i, j) + at(values, i, j + 1));
      ASSERT_EQ(kept[k], at(values, i - 1, j - 1));
    }
}

TEST(rolls, transposed_and_broadcast_arrays) {
  const ndarray x = large();
  const std::vector<double> values = values_of(x);
  const ndarray row = rows(x, 3, 1);
  const ndarray spread = broadcast_to(row, std::vector<std::int64_t>{rows_of_large, columns_of_large});
  const ndarray sum = apply(opcode::add, transposed(rolled(transposed(x), 4, 9)), rolled(spread, 11, 13));
  const std::vector<double> got = values_of(sum);
  for (std::int64_t i = 0; i < rows_of_large; ++i)
    for (std::int64_t j = 0; j < columns_of_large; ++j)
      ASSERT_EQ(got[static_cast<std::size_t>(i * columns_of_large + j)],
                at(values, i - 9, j - 4) + at(values, 3, j - 13));
}

TEST(wraps, a_program_is_divided_at_the_positions_of_all_operands) {
  program p;
  p.sizes = {6, 10};
  p.memory = {{dtype::float64, false, {80, 8}, {{0, 2, 480}, {1, 3, 80}}},
              {dtype::float64, false, {80, 8}, {{1, 9, 80}}},
              {dtype::float64, true, {80, 8}}};
  EXPECT_TRUE(wraps_around(p));
  EXPECT_EQ(wrap_positions(p), (std::vector<std::vector<std::int64_t>>{{2}, {3, 9}}));
  const std::int64_t first[] = {4 * 80 + 7 * 8, 8, 0};  // element of each operand, in bytes
  std::int64_t covered = 0, before = 0;
  const auto parts = divide_at_wraps(p);
  for (const program_part &part : *parts) {
    EXPECT_FALSE(wraps_around(part.code));
    const std::int64_t size = part.code.sizes[0] * part.code.sizes[1];
    EXPECT_GE(size, before);
    covered += before = size;
    const std::int64_t i = part.distances[2] / 80, j = part.distances[2] % 80 / 8;
    EXPECT_EQ(first[0] + part.distances[0], (i + 4) % 6 * 80 + (j + 7) % 10 * 8);
    EXPECT_EQ(first[1] + part.distances[1], i * 80 + (j + 1) % 10 * 8);
  }
  EXPECT_EQ(covered, 60);
  EXPECT_EQ(divide_at_wraps(p), parts);
  p.memory[1].wraps[0].at = 8;  // in no other part of the key
  EXPECT_NE(divide_at_wraps(p), parts);
}

}  // namespace
}  // namespace dpep::array::tests
