// Updates of whole arrays in place, which are computed when the values are read.
#include <gtest/gtest.h>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_products.hpp>

#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

constexpr std::int64_t large = 20'000;  // too large to be computed at once

ndarray large_array(unsigned seed = 1) {
  const ndarray a = array_of(numbers(large, seed), {large});
  a.wait();
  return a;
}
bool is_pending(const ndarray &a) { return implementation_of(a, "test").pending(); }
void update(opcode code, const ndarray &a, double b) {
  const scalar number = scalar::of(b);
  const operand both[] = {{&a, nullptr}, {nullptr, &number}};
  element_options options;
  options.out = &a;
  element(code, both, options);
}

TEST(pending_writes, of_consecutive_updates_are_one_program) {
  const ndarray a = large_array(), b = large_array(2);
  const void *const memory = implementation_of(a, "test").first();
  counting count;
  update(multiply, a, 2.0);
  update(add, a, 1.0);
  apply_in_place(add, a, b);
  EXPECT_EQ(count.programs(), 0u);
  EXPECT_EQ(values_of(a)[7], numbers(large)[7] * 2 + 1 + numbers(large, 2)[7]);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_FALSE(is_pending(a));
  EXPECT_EQ(implementation_of(a, "test").first(), memory);
}

TEST(pending_writes, of_a_product_are_made_while_it_is_computed) {
  constexpr std::int64_t n = 500;
  const ndarray a = array_of(numbers(n * n), {n, n}), plain = matmul(a, a, {});
  const std::vector<double> expected = values_of(plain);
  counting count;
  const ndarray product = matmul(a, a, {});
  update(multiply, product, 2.0);
  update(add, product, 1.0);
  EXPECT_TRUE(is_pending(product));
  EXPECT_EQ(count.programs(), 0u);
  const std::vector<double> found = values_of(product);
  EXPECT_EQ(count.programs(), 1u);
  for (std::size_t i = 0; i < found.size(); i += 997) EXPECT_EQ(found[i], expected[i] * 2 + 1);
}

TEST(pending_writes, products_keep_the_values_of_operands_that_are_released) {
  constexpr std::int64_t n = 300;
  const ndarray a = array_of(numbers(n * n), {n, n}), b = array_of(numbers(n * n, 2), {n, n});
  const auto doubled = [](const ndarray &x) {
    const operand both[] = {{&x, nullptr}, {&x, nullptr}};
    const ndarray made = element(add, both);
    made.evaluate();
    return made;
  };
  const std::vector<double> expected = values_of(matmul(doubled(a), doubled(b), {}));
  std::vector<ndarray> products;
  for (int round = 0; round < 20; ++round) {
    products.push_back(matmul(doubled(a), doubled(b), {}));
    doubled(round % 2 ? a : b);  // in the memory of an operand
  }
  for (const ndarray &each : products) EXPECT_EQ(values_of(each), expected);
}

TEST(pending_writes, are_not_made_where_another_array_refers_to_the_memory) {
  const ndarray a = large_array();
  const ndarray view = rows(a, 1, large - 1);
  update(multiply, a, 2.0);
  EXPECT_FALSE(is_pending(a));
  EXPECT_EQ(values_of(view)[0], numbers(large)[1] * 2);
}

TEST(pending_writes, are_seen_by_views_that_were_made_before_them) {
  const ndarray a = large_array();
  update(multiply, a, 2.0);
  const ndarray view = rows(a, 1, large - 1);
  update(add, a, 1.0);
  EXPECT_EQ(values_of(view)[0], numbers(large)[1] * 2 + 1);
}

TEST(pending_writes, are_computed_once_if_each_round_of_a_loop_reads_a_number) {
  const ndarray a = large_array();
  counting count;
  for (int round = 0; round < 20; ++round) {
    update(multiply, a, 0.5);
    item(reduced(reduction::sum, a, {0}));
  }
  EXPECT_LE(count.programs(), 40u);
  EXPECT_EQ(values_of(a)[3], numbers(large)[3] * 0x1p-20);
}

TEST(pending_writes, leave_the_former_values_to_what_reads_them) {
  const ndarray a = large_array(), b = large_array(2);
  const ndarray before = apply(add, a, 3.0), moved = apply(subtract, rows(a, 1, large - 1), rows(a, 0, large - 1));
  update(multiply, a, 2.0);
  apply_in_place(add, b, before);
  const ndarray after = apply(subtract, rows(a, 1, large - 1), rows(a, 0, large - 1));
  const std::vector<double> x = numbers(large), y = numbers(large, 2);
  EXPECT_EQ(values_of(b)[5], y[5] + (x[5] + 3));
  EXPECT_EQ(values_of(after)[5], x[6] * 2 - x[5] * 2);
  EXPECT_EQ(values_of(a)[5], x[5] * 2);
  EXPECT_EQ(values_of(before)[5], x[5] + 3);
  EXPECT_EQ(values_of(moved)[5], x[6] - x[5]);
}

TEST(pending_writes, of_arrays_that_read_each_other_have_the_values_of_that_moment) {
  const ndarray a = large_array(), b = large_array(2);
  apply_in_place(add, a, b);
  apply_in_place(multiply, b, a);
  apply_in_place(subtract, a, b);
  std::vector<double> x = numbers(large), y = numbers(large, 2);
  const double sum = x[9] + y[9], product = y[9] * sum;
  EXPECT_EQ(values_of(b)[9], product);
  EXPECT_EQ(values_of(a)[9], sum - product);
}

TEST(pending_writes, of_a_long_loop_are_computed_whenever_a_limit_is_reached) {
  const ndarray a = large_array(), b = large_array(2);
  double x = numbers(large)[9], y = numbers(large, 2)[9];
  for (int round = 0; round < 500; ++round) {
    apply_in_place(subtract, a, apply(multiply, b, a));
    apply_in_place(subtract, b, apply(multiply, a, 0.01));
    x -= y * x;
    y -= x * 0.01;
  }
  EXPECT_EQ(values_of(a)[9], x);
  EXPECT_EQ(values_of(b)[9], y);
}

TEST(pending_writes, end_with_the_array) {
  const std::size_t nodes = pending(test_queue()).nodes;
  {
    const ndarray a = large_array();
    update(multiply, a, 2.0);
    EXPECT_TRUE(is_pending(a));
  }
  EXPECT_EQ(pending(test_queue()).nodes, nodes);
}

}  // namespace
}  // namespace dpep::array::tests
