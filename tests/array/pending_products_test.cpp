// Products of matrices of a short depth, which are pending and fuse with what is computed from them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_products.hpp>

#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

constexpr std::int64_t n = 602, m = 403, depth = 3;  // enough results to be pending

bool is_pending(const ndarray &a) { return implementation_of(a, "test").pending(); }
void update(opcode code, const ndarray &a, double b) {
  const scalar number = scalar::of(b);
  const operand both[] = {{&a, nullptr}, {nullptr, &number}};
  element_options options;
  options.out = &a;
  element(code, both, options);
}

struct operands {
  std::vector<double> left = numbers(n * depth, 1), right = numbers(depth * m, 2);
  ndarray x = array_of(left, {n, depth}), y = array_of(right, {depth, m});
  operands() { x.wait(), y.wait(); }

  double expected(std::int64_t i, std::int64_t j) const {
    double sum = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      sum += left[static_cast<std::size_t>(i * depth + k)] * right[static_cast<std::size_t>(k * m + j)];
    return sum;
  }
};

/// Compares f(product) with the values.
template <class F> void expect_values(const std::vector<double> &found, const operands &of, F f) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(n * m));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j)
      ASSERT_NEAR(found[static_cast<std::size_t>(i * m + j)], f(of.expected(i, j), i, j), 1e-13) << i << ", " << j;
}
void expect_values(const std::vector<double> &found, const operands &of) {
  expect_values(found, of, [](double x, std::int64_t, std::int64_t) { return x; });
}

TEST(pending_products, are_one_program_with_updates_in_place_and_what_is_computed_from_them) {
  const operands of;
  const std::vector<double> by_row = numbers(n, 3), by_column = numbers(m, 4);
  const ndarray rows = array_of(by_row, {n, 1}), columns = array_of(by_column, {1, m});
  rows.wait(), columns.wait();
  counting count;
  ndarray gram = matmul(of.x, of.y);
  update(multiply, gram, -2.0);
  apply_in_place(add, gram, rows);
  apply_in_place(add, gram, columns);
  const ndarray distances = apply(sqrt, apply(abs, gram));
  gram = {};
  EXPECT_EQ(count.programs(), 0u);
  expect_values(values_of(distances), of, [&](double x, std::int64_t i, std::int64_t j) {
    return std::sqrt(std::fabs(-2 * x + by_row[static_cast<std::size_t>(i)] + by_column[static_cast<std::size_t>(j)]));
  });
  EXPECT_EQ(count.programs(), 1u);
}

TEST(pending_products, into_an_existing_array_are_one_program_with_its_updates) {
  const operands of;
  const ndarray out = array_of(std::vector<double>(n * m, 5.0), {n, m});
  const ndarray before = apply(add, out, 1.0);
  counting count;
  matmul(of.x, of.y, {.type = {}, .layout = order::keep, .out = &out});
  EXPECT_TRUE(is_pending(out));
  update(multiply, out, -2.0);
  update(add, out, 1.0);
  expect_values(values_of(out), of, [](double x, std::int64_t, std::int64_t) { return 1 - 2 * x; });
  EXPECT_LE(count.programs(), 2u);  // one for the sum of the former elements
  for (const double x : values_of(before)) ASSERT_EQ(x, 6);
  matmul(of.x, of.y, {.type = {}, .layout = order::keep, .out = &out});
  update(multiply, of.x, 0.0);
  expect_values(values_of(out), of);
}

TEST(pending_products, that_are_read_are_computed_without_a_program) {
  const operands of;
  counting count;
  const ndarray product = matmul(of.x, of.y);
  EXPECT_TRUE(is_pending(product));
  expect_values(values_of(product), of);
  EXPECT_EQ(count.programs(), 0u);
  EXPECT_FALSE(is_pending(product));
}

TEST(pending_products, are_stored_by_the_pass_of_a_result_that_uses_them) {
  const operands of;
  counting count;
  const ndarray product = matmul(of.x, of.y), doubled = apply(multiply, product, 2.0);
  expect_values(values_of(product), of);
  expect_values(values_of(doubled), of, [](double x, std::int64_t, std::int64_t) { return x * 2; });
  EXPECT_EQ(count.programs(), 1u);
}

TEST(pending_products, that_share_operands_are_computed_separately) {
  const operands of;
  const ndarray z = array_of(numbers(depth * m, 5), {depth, m});
  counting count;
  const ndarray first = matmul(of.x, of.y), second = matmul(of.x, z), third = apply(add, of.x, 1.0);
  expect_values(values_of(first), of);
  EXPECT_TRUE(is_pending(second));
  static_cast<void>(values_of(third));
  EXPECT_TRUE(is_pending(second));
}

TEST(pending_products, have_the_bits_that_were_seen_before) {
  const operands of;
  const ndarray product = matmul(of.x, of.y);
  const std::vector<double> seen = values_of(apply(abs, product));
  EXPECT_TRUE(is_pending(product));
  EXPECT_EQ(values_of(product), seen);
}

TEST(pending_products, keep_the_values_of_operands_that_are_overwritten) {
  const operands of;
  const ndarray product = matmul(of.x, of.y), shifted = apply(add, product, 1.0);
  update(multiply, of.x, 0.0);
  assign(of.y, scalar::of(7.0));
  expect_values(values_of(shifted), of, [](double x, std::int64_t, std::int64_t) { return x + 1; });
  expect_values(values_of(product), of);
}

TEST(pending_products, keep_the_values_of_operands_that_are_released) {
  operands of;
  const ndarray product = matmul(of.x, of.y);
  of.x = {}, of.y = {};
  const ndarray others = array_of(numbers(n * depth, 9), {n, depth});
  others.wait();
  expect_values(values_of(apply(negative, product)), of, [](double x, std::int64_t, std::int64_t) { return -x; });
}

TEST(pending_products, have_the_not_finite_numbers_of_products) {
  operands of;
  const double infinity = std::numeric_limits<double>::infinity();
  of.left[4 * depth + 1] = infinity;  // row 4
  of.right[7] = 0;                    // column 7 of row 0
  of.right[m + 9] = 0;                // column 9 of row 1
  const ndarray x = array_of(of.left, {n, depth}), y = array_of(of.right, {depth, m});
  const std::vector<double> found = values_of(apply(add, matmul(x, y), 1.0));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) {
      const double value = found[static_cast<std::size_t>(i * m + j)];
      if (i != 4)
        ASSERT_NEAR(value, of.expected(i, j) + 1, 1e-13);
      else if (j == 9)
        ASSERT_TRUE(std::isnan(value));
      else
        ASSERT_EQ(value, infinity);
    }
}

TEST(pending_products, are_reduced_in_one_program) {
  const operands of;
  counting count;
  const std::vector<double> found = values_of(reduced(reduction::max, matmul(of.x, of.y), {1}));
  EXPECT_EQ(count.programs(), 1u);
  for (std::int64_t i = 0; i < n; ++i) {
    double largest = 0;
    for (std::int64_t j = 0; j < m; ++j) largest = std::max(largest, of.expected(i, j));
    ASSERT_NEAR(found[static_cast<std::size_t>(i)], largest, 1e-13);
  }
}

/// Programs have up to 16 operands, so that longer sums are cut.
TEST(pending_products, are_added_in_any_number) {
  const operands of;
  for (const int count : {7, 8, 9, 10, 16, 17, 18, 19, 40}) {
    ndarray sum = matmul(of.x, of.y);
    std::vector<ndarray> factors;
    for (int k = 1; k < count; ++k) {
      factors.push_back(apply(multiply, of.x, k + 1.0));
      factors.back().wait();
      sum = apply(add, sum, matmul(factors.back(), of.y));
    }
    const std::vector<double> found = values_of(sum);
    for (std::int64_t i = 0; i < n; i += 7)
      for (std::int64_t j = 0; j < m; ++j)
        ASSERT_NEAR(found[static_cast<std::size_t>(i * m + j)] / (count * (count + 1) / 2), of.expected(i, j), 1e-13)
            << count;
  }
}

TEST(pending_products, are_stored_if_rows_are_used_together_with_their_sums) {
  const operands of;
  counting count;
  const ndarray powers = apply(exp, matmul(of.x, of.y));
  const ndarray shares = apply(divide, powers, reduced(reduction::sum, powers, {1}, true));
  const std::vector<double> found = values_of(shares);
  EXPECT_EQ(count.programs(), 1u);  // on the product, by the executor
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < m; ++j) sum += std::exp(of.expected(i, j));
    for (std::int64_t j = 0; j < m; ++j)
      ASSERT_NEAR(found[static_cast<std::size_t>(i * m + j)], std::exp(of.expected(i, j)) / sum, 1e-14);
  }
}

TEST(pending_products, are_not_made_of_many_terms_or_of_few_results) {
  const ndarray deep = array_of(numbers(500 * 40), {500, 40}), small = array_of(numbers(10 * 3), {10, 3});
  EXPECT_FALSE(is_pending(matmul(deep, transposed(deep))));
  EXPECT_FALSE(is_pending(matmul(small, transposed(small))));
}

/// Products of transposes, and of batches that broadcast.
TEST(pending_products, have_the_same_values_for_all_layouts) {
  const operands of;
  const ndarray flat = matmul(of.x, of.y);
  const std::vector<double> whole = values_of(flat);
  const ndarray turned = matmul(transposed(of.y), transposed(of.x));
  EXPECT_TRUE(is_pending(turned));
  const std::vector<double> columns = values_of(apply(add, turned, 0.0));
  const std::int64_t batched[] = {7, 86, depth};
  const ndarray batch = matmul(reshape(of.x, batched), of.y);
  EXPECT_TRUE(is_pending(batch));
  const std::vector<double> parts = values_of(apply(add, batch, 0.0));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) {
      const double expected = whole[static_cast<std::size_t>(i * m + j)];
      ASSERT_NEAR(columns[static_cast<std::size_t>(j * n + i)], expected, 1e-14);
      ASSERT_NEAR(parts[static_cast<std::size_t>(i * m + j)], expected, 1e-14);
    }
}

/// Points in two to four dimensions, with a vector.
TEST(pending_products, of_vectors_have_the_same_values) {
  constexpr std::int64_t count = 140'001;
  for (std::int64_t length = 2; length <= 5; ++length) {
    const std::vector<double> points = numbers(static_cast<std::size_t>(count * length), 6),
                              factors = numbers(static_cast<std::size_t>(length), 7);
    const std::vector<double> found = values_of(matmul(array_of(points, {count, length}), array_of(factors, {length})));
    for (std::int64_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < length; ++k)
        sum += points[static_cast<std::size_t>(i * length + k)] * factors[static_cast<std::size_t>(k)];
      ASSERT_NEAR(found[static_cast<std::size_t>(i)], sum, 1e-14);
    }
  }
}

}  // namespace
}  // namespace dpep::array::tests
