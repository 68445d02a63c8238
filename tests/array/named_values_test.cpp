// Values that have names: arrays that are alive while results are computed from them.
#include <gtest/gtest.h>

#include <cmath>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_random.hpp>

#include "array/graph/node.hpp"
#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

constexpr std::int64_t large = 20'000;  // too large to be computed at once

ndarray large_array(unsigned seed = 1) { return array_of(numbers(large, seed), {large}); }
bool is_pending(const ndarray &a) { return implementation_of(a, "test").pending(); }
std::size_t pending_nodes() { return pending(test_queue()).nodes; }
ndarray sum_of(const ndarray &a) { return reduced(reduction::sum, a, {0}); }

TEST(named_values, stay_pending_when_the_queue_waits_for_a_result) {
  const ndarray a = large_array();
  const ndarray named = apply(add, a, 1.0), result = apply(multiply, named, named);
  counting count;
  test_queue().wait();
  EXPECT_FALSE(is_pending(result));
  EXPECT_TRUE(is_pending(named));
  EXPECT_EQ(count.stored(), 1u);
  test_queue().wait();  // named is no result of its own
  EXPECT_TRUE(is_pending(named));
  EXPECT_EQ(values_of(named)[7], numbers(large)[7] + 1);
  EXPECT_EQ(count.programs(), 2u);
}

TEST(named_values, that_no_result_uses_are_computed_when_the_queue_waits) {
  const ndarray a = large_array(), named = apply(add, a, 1.0);
  { const ndarray dropped = apply(multiply, named, 2.0); }
  test_queue().wait();
  EXPECT_FALSE(is_pending(named));
}

TEST(named_values, stay_pending_when_another_array_is_read) {
  const ndarray a = large_array(1), b = large_array(2);
  const ndarray of_a = apply(add, a, 1.0), of_b = apply(add, b, 2.0);
  EXPECT_EQ(values_of(of_b)[3], numbers(large, 2)[3] + 2);
  EXPECT_TRUE(is_pending(of_a));
  EXPECT_EQ(item(sum_of(apply(multiply, a, 0.0))).number.real(), 0);
  EXPECT_TRUE(is_pending(of_a));
  EXPECT_EQ(values_of(of_a)[3], numbers(large, 1)[3] + 1);
}

TEST(named_values, that_each_round_computes_from_the_last_are_stored) {
  ndarray x = large_array();
  counting count;
  for (int round = 0; round < 40; ++round) {
    x = apply(divide, x, 2.0);
    item(reduced(reduction::sum, x, {0}));
  }
  // otherwise round k would compute k divisions
  EXPECT_GE(count.stored(), 40u + 40 / 4);
  EXPECT_EQ(values_of(x)[7], numbers(large)[7] * 0x1p-40);
}

TEST(named_values, of_a_loop_are_computed_once_a_round) {
  ndarray x = large_array();
  std::vector<double> expected = numbers(large);
  std::size_t most_nodes = 0;
  counting count;
  for (int round = 0; round < 50; ++round) {
    const ndarray step = apply(multiply, apply(subtract, x, 0.5), 0.25);
    x = apply(subtract, x, step);
    const double largest = item(reduced(reduction::max, apply(abs, step), {0})).number.real();
    double largest_expected = 0;
    for (double &v : expected) {
      const double by = (v - 0.5) * 0.25;
      largest_expected = std::fmax(largest_expected, std::fabs(by));
      v -= by;
    }
    ASSERT_EQ(largest, largest_expected);
    most_nodes = std::max(most_nodes, pending_nodes());
  }
  EXPECT_EQ(values_of(x), expected);
  EXPECT_EQ(count.programs(), 50u);
  EXPECT_LE(most_nodes, 10u);
}

TEST(named_values, are_computed_twice_at_most_for_ten_readers) {
  const ndarray a = large_array();
  const ndarray named = apply(exp, apply(sin, apply(log, apply(add, a, 1.0))));
  std::vector<ndarray> kept;
  for (int k = 0; k < 10; ++k) {
    kept.push_back(apply(add, named, double(k)));
    EXPECT_EQ(values_of(kept.back())[5], std::exp(std::sin(std::log(numbers(large)[5] + 1))) + k) << k;
    if (k > 0) EXPECT_FALSE(is_pending(named)) << k;
  }
}

TEST(named_values, of_cheap_operations_are_stored_when_computing_them_again_has_cost_as_much) {
  const ndarray a = large_array(1), b = large_array(2);
  const std::vector<double> x = numbers(large, 1), y = numbers(large, 2);
  const auto passes_until_stored = [&](const ndarray &named, auto expected) {
    int passes = 0;
    for (; is_pending(named) && passes < 20; ++passes)
      EXPECT_EQ(values_of(apply(multiply, named, 2.0))[5], 2 * expected(5));
    EXPECT_EQ(values_of(named)[7], expected(7));
    return passes;
  };
  EXPECT_EQ(passes_until_stored(apply(multiply, a, b), [&](int i) { return x[i] * y[i]; }), 3);
  EXPECT_LE(passes_until_stored(apply(add, a, 1.0), [&](int i) { return x[i] + 1; }), 8);
}

// As in a conjugate gradient whose matrix is written by slices.
TEST(named_values, of_which_several_passes_read_views_are_stored_by_the_second) {
  const std::vector<double> x = numbers(large, 1), y = numbers(large, 2);
  const ndarray named = apply(add, large_array(1), apply(multiply, large_array(2), 0.5));
  const ndarray result = apply(multiply, named, 4.0);
  result.evaluate();
  EXPECT_TRUE(is_pending(named));
  counting count;
  for (int pass = 0; pass < 4; ++pass)
    apply_in_place(subtract, rows(result, 1 + pass, large - 4), rows(named, pass, large - 4));
  EXPECT_FALSE(is_pending(named));
  EXPECT_EQ(count.programs(), 5u);  // the named values, and a pass for each update
  const auto of = [&](int i) { return x[std::size_t(i)] + y[std::size_t(i)] * 0.5; };
  double expected = 4 * of(10);
  for (int pass = 0; pass < 4; ++pass) expected -= of(9);
  EXPECT_EQ(values_of(result)[10], expected);
}

TEST(named_values, of_which_one_pass_reads_several_views_are_not_stored) {
  const std::vector<double> x = numbers(large, 1), y = numbers(large, 2);
  const ndarray named = apply(add, large_array(1), apply(multiply, large_array(2), 0.5));
  counting count;
  ndarray sum = rows(named, 0, large - 4);
  for (int k = 1; k < 5; ++k) sum = apply(add, sum, rows(named, k, large - 4));
  const double found = values_of(sum)[3];
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
  EXPECT_TRUE(is_pending(named));
  double expected = x[3] + y[3] * 0.5;
  for (std::size_t k = 4; k < 8; ++k) expected += x[k] + y[k] * 0.5;
  EXPECT_EQ(found, expected);
}

TEST(named_values, views_of_all_passes_together_cost_no_more_than_storing_the_values) {
  const std::vector<double> x = numbers(large, 1);
  const ndarray named = apply(add, large_array(1), 1.0);
  int passes = 0;
  for (; is_pending(named) && passes < 20; ++passes)
    EXPECT_EQ(values_of(apply(multiply, rows(named, passes, large - 20), 2.0))[5],
              2 * (x[std::size_t(passes) + 5] + 1));
  EXPECT_LE(passes, 8);
  EXPECT_EQ(values_of(named)[7], x[7] + 1);
}

TEST(named_values, keep_the_values_of_inputs_that_are_overwritten_or_freed) {
  ndarray a = large_array();
  const ndarray named = apply(add, a, 1.0), result = apply(multiply, named, 2.0);
  test_queue().wait();
  ASSERT_TRUE(is_pending(named));
  assign(rows(a, 0, 100), scalar::of(9.0));
  EXPECT_EQ(values_of(named)[50], numbers(large)[50] + 1);

  const ndarray other = apply(add, a, 2.0), of_other = apply(multiply, other, 2.0);
  test_queue().wait();
  ASSERT_TRUE(is_pending(other));
  a = {};
  EXPECT_EQ(values_of(other)[50], 11);
  EXPECT_EQ(values_of(other)[150], numbers(large)[150] + 2);
}

TEST(named_values, are_computed_before_memory_that_they_read_is_written_or_exposed) {
  const double bytes[2] = {5, 6};
  const std::vector<std::int64_t> shape{2}, strides{8};
  const host_view two{const_cast<double *>(bytes), dtype::float64, shape, strides};
  const auto keeps = [&](auto act) {
    // few elements, which the calling thread could write at once
    const ndarray few = array_of({1, 2}, {2}), many = array_of(numbers(2 * large), {large, 2});
    const ndarray named = apply(add, many, few), result = apply(multiply, named, 2.0);
    test_queue().wait();
    ASSERT_TRUE(is_pending(named));
    act(few);
    EXPECT_EQ(values_of(named)[0], numbers(2)[0] + 1);
  };
  keeps([](const ndarray &few) { assign(few, scalar::of(7.0)); });
  keeps([](const ndarray &few) { assign(few, array_of({3, 4}, {2})); });
  keeps([](const ndarray &few) { apply_in_place(add, few, array_of({3, 4}, {2})); });
  keeps([&](const ndarray &few) { copy_from_host(few, two); });
  keeps([](const ndarray &few) { static_cast<double *>(few.expose().base)[0] = 9; });
}

TEST(named_values, of_random_numbers_are_the_same_wherever_they_are_used) {
  random_generator g(philox_state{});
  const std::vector<std::int64_t> shape{large};
  const ndarray u = g.random(shape, dtype::float64, {test_queue()});
  const double sum = item(sum_of(u)).number.real();
  const ndarray twice = apply(multiply, u, 2.0);
  const std::vector<double> doubled = values_of(twice), plain = values_of(u);
  double total = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(doubled[i], 2 * plain[i]);
    total += plain[i];
  }
  EXPECT_NEAR(sum, total, 1e-8);
}

TEST(named_values, results_that_share_values_are_computed_in_one_pass) {
  const ndarray a = large_array();
  const ndarray shared = apply(exp, a);
  const ndarray first = apply(add, shared, 1.0), second = apply(multiply, shared, 2.0);
  counting count;
  first.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_FALSE(is_pending(second));
}

TEST(named_values, stay_pending_when_small_results_join_the_pass) {
  const ndarray x = array_of(numbers(100'000), {1000, 100});
  const ndarray largest = reduced(reduction::max, x, {1}, true), shifted = apply(subtract, x, largest);
  const ndarray e = apply(exp, shifted), total = reduced(reduction::sum, e, {1}, true), y = apply(divide, e, total);
  counting count;
  y.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_FALSE(is_pending(total));
  EXPECT_TRUE(is_pending(shifted));
  EXPECT_TRUE(is_pending(e));
  const std::vector<double> given = numbers(100'000), found = values_of(y);
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += std::exp(given[std::size_t(i)]);
  EXPECT_NEAR(found[5], std::exp(given[5]) / sum, 1e-15);
}

TEST(named_values, of_cheap_operations_stay_pending_however_often_they_are_used) {
  std::vector<ndarray> names{large_array()};
  double expected = numbers(large)[9];
  for (int i = 0; i < 12; ++i) {  // 4096 paths lead to the first one
    names.push_back(apply(multiply, apply(add, names.back(), names.back()), 0.75));
    expected = (expected + expected) * 0.75;
  }
  counting count;
  EXPECT_EQ(values_of(names.back())[9], expected);
  EXPECT_EQ(count.stored(), 1u);
  EXPECT_TRUE(is_pending(names[11]));
}

TEST(named_values, that_reductions_leave_few_of_are_stored_before_they_are_reduced_again) {
  const std::vector<double> given = numbers(100'000);
  const ndarray x = array_of(given, {1000, 100});
  const ndarray sums = reduced(reduction::sum, apply(multiply, x, x), {1});
  counting count;
  const std::int64_t found = item(reduced(reduction::argmax, sums, {0})).integer;
  EXPECT_EQ(count.programs(), 2u);
  EXPECT_FALSE(is_pending(sums));
  double most = 0;
  std::int64_t expected = -1;
  for (std::int64_t row = 0; row < 1000; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < 100; ++i) sum += given[std::size_t(row * 100 + i)] * given[std::size_t(row * 100 + i)];
    if (sum > most) most = sum, expected = row;
  }
  EXPECT_EQ(found, expected);
}

TEST(named_values, small_arrays_are_computed_at_once_beside_pending_ones) {
  const ndarray a = large_array(), named = apply(add, a, 1.0);
  const ndarray few = apply(add, array_of({1, 2}, {2}), 1.0);
  EXPECT_FALSE(is_pending(few));
  EXPECT_TRUE(is_pending(named));
  EXPECT_EQ(values_of(few)[1], 3);
  EXPECT_TRUE(is_pending(named));
}

}  // namespace
}  // namespace dpep::array::tests
