// Fusion: the number of programs of an expression, the values that they store, and correct results.
#include <gtest/gtest.h>

#include <cmath>

#include <dpep/array_opcodes.hpp>

#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

void expect_near(const std::vector<double> &got, const std::vector<double> &wanted, double tolerance = 1e-12) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], wanted[i], tolerance * std::max(1.0, std::abs(wanted[i]))) << "element " << i;
}

TEST(fuse, chain_of_elements_is_one_program_and_stores_only_its_result) {
  const std::size_t n = 20'000;
  const auto x = numbers(n, 1), y = numbers(n, 2);
  const ndarray a = array_of(x, {20'000}), b = array_of(y, {20'000});
  counting count;
  const ndarray r = apply(exp, apply(multiply, apply(subtract, a, b), 0.5));
  EXPECT_EQ(count.programs(), 0u);
  std::vector<double> wanted(n);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = std::exp((x[i] - y[i]) * 0.5);
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
}

TEST(fuse, squared_difference_summed_stores_nothing_of_its_size) {
  const std::int64_t n = 1 << 20;
  const ndarray a = array_of(numbers(n, 1), {n}), b = array_of(numbers(n, 2), {n});
  a.wait();
  const context &where = test_queue().get_context();
  reset_peak(where, usm_kind::device);
  const auto before = statistics(where, usm_kind::device).in_use;
  counting count;
  ndarray s;
  {
    const ndarray d = apply(subtract, a, b);
    s = reduce(reduction::sum, apply(multiply, d, d));
  }
  double wanted = 0;
  const auto x = numbers(n, 1), y = numbers(n, 2);
  for (std::size_t i = 0; i < x.size(); ++i) wanted += (x[i] - y[i]) * (x[i] - y[i]);
  expect_near(values_of(s), {wanted}, 1e-10);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_LT(statistics(where, usm_kind::device).peak - before, 1u << 20);
}

TEST(fuse, softmax_over_rows_is_one_program) {
  const std::size_t m = 300, n = 100;
  const auto x = numbers(m * n);
  const ndarray a = array_of(x, {300, 100});
  counting count;
  ndarray r;
  {
    const ndarray e = apply(exp, apply(subtract, a, reduced(reduction::max, a, {1}, true)));
    r = apply(divide, e, reduced(reduction::sum, e, {1}, true));
  }
  std::vector<double> wanted(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += wanted[i * n + j] = std::exp(x[i * n + j]);
    for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] /= sum;
  }
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
}

TEST(fuse, kernel_density_estimate_is_one_program_without_temporaries) {
  const std::size_t samples = 500, points = 40, dimensions = 3;
  const auto xs = numbers(samples * dimensions, 1), ys = numbers(points * dimensions, 2);
  const ndarray x = array_of(xs, {500, 3}), y = array_of(ys, {40, 3});
  counting count;
  ndarray r;
  {
    const ndarray d = apply(subtract, with_axis(x, 1), with_axis(y, 0));
    const ndarray e = apply(exp, apply(multiply, reduced(reduction::sum, apply(square, d), {2}), -0.5));
    r = reduced(reduction::mean, e, {0});
  }
  std::vector<double> wanted(points);
  for (std::size_t j = 0; j < points; ++j) {
    for (std::size_t i = 0; i < samples; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < dimensions; ++k) sum += std::pow(xs[i * 3 + k] - ys[j * 3 + k], 2);
      wanted[j] += std::exp(-0.5 * sum) / static_cast<double>(samples);
    }
  }
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
}

TEST(fuse, standardised_columns_take_a_program_for_each_statistic_and_one_for_the_result) {
  const std::size_t m = 40'000, n = 3;
  const auto x = numbers(m * n);
  const ndarray a = array_of(x, {40'000, 3});
  counting count;
  ndarray r;
  {
    const ndarray mean = reduced(reduction::mean, a, {0});
    r = apply(divide, apply(subtract, a, mean), reduced(reduction::deviation, a, {0}));
  }
  std::vector<double> wanted(m * n);
  for (std::size_t j = 0; j < n; ++j) {
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < m; ++i) mean += x[i * n + j] / static_cast<double>(m);
    for (std::size_t i = 0; i < m; ++i) squares += std::pow(x[i * n + j] - mean, 2) / static_cast<double>(m);
    for (std::size_t i = 0; i < m; ++i) wanted[i * n + j] = (x[i * n + j] - mean) / std::sqrt(squares);
  }
  expect_near(values_of(r), wanted, 1e-10);
  EXPECT_LE(count.programs(), 3u);
}

TEST(fuse, layer_norm_over_short_rows_is_one_program) {
  const std::size_t m = 500, n = 64;
  const auto x = numbers(m * n), g = numbers(n, 2);
  const ndarray a = array_of(x, {500, 64}), gain = array_of(g, {64});
  counting count;
  ndarray r;
  {
    const ndarray centred = apply(subtract, a, reduced(reduction::mean, a, {1}, true));
    const ndarray variance = reduced(reduction::mean, apply(square, centred), {1}, true);
    r = apply(multiply, apply(divide, centred, apply(sqrt, apply(add, variance, 1e-5))), gain);
  }
  std::vector<double> wanted(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    double mean = 0, squares = 0;
    for (std::size_t j = 0; j < n; ++j) mean += x[i * n + j] / static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) squares += std::pow(x[i * n + j] - mean, 2) / static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] = (x[i * n + j] - mean) / std::sqrt(squares + 1e-5) * g[j];
  }
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 1u);
}

TEST(fuse, layer_norm_of_one_long_row_is_cut_at_its_statistics) {
  const std::size_t n = 1 << 20;
  const auto x = numbers(n);
  const ndarray a = array_of(x, {1, 1 << 20});
  counting count;
  ndarray r;
  {
    const ndarray centred = apply(subtract, a, reduced(reduction::mean, a, {1}, true));
    r = apply(divide, centred, apply(sqrt, reduced(reduction::mean, apply(square, centred), {1}, true)));
  }
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / static_cast<double>(n);
  for (const double v : x) squares += (v - mean) * (v - mean) / static_cast<double>(n);
  std::vector<double> wanted;
  for (const double v : x) wanted.push_back((v - mean) / std::sqrt(squares));
  expect_near(values_of(r), wanted, 1e-9);
  EXPECT_EQ(count.programs(), 3u);
  EXPECT_EQ(count.stored(), 3u);
}

TEST(fuse, operations_on_a_cut_reduction_are_computed_with_it) {
  const std::int64_t m = 4096, n = 300;
  const auto x = numbers(std::size_t(m * n));
  const ndarray a = array_of(x, {m, n});
  a.wait();
  counting count;
  const ndarray means = reduced(reduction::mean, a, {0}, true);
  const ndarray centred = reduced(reduction::max, apply(subtract, a, apply(add, means, means)), {0});
  std::vector<double> wanted(std::size_t(n), -1e300);
  for (std::int64_t j = 0; j < n; ++j) {
    double mean = 0;
    for (std::int64_t i = 0; i < m; ++i) mean += x[std::size_t(i * n + j)] / double(m);
    for (std::int64_t i = 0; i < m; ++i)
      wanted[std::size_t(j)] = std::max(wanted[std::size_t(j)], x[std::size_t(i * n + j)] - 2 * mean);
  }
  expect_near(values_of(centred), wanted, 1e-9);
  EXPECT_EQ(count.programs(), 2u);
  values_of(means);  // stored by the first of them, and so was twice as much
  EXPECT_EQ(count.programs(), 2u);
  EXPECT_EQ(count.stored(), 3u);
}

TEST(fuse, costly_values_on_both_sides_of_a_cut_are_stored_by_the_first_pass) {
  const std::size_t m = 300, n = 400, dimensions = 50;
  const auto xs = numbers(m * dimensions, 1), ys = numbers(n * dimensions, 2);
  const ndarray x = array_of(xs, {300, 50}), y = array_of(ys, {400, 50});
  counting count;
  ndarray r;
  {
    const ndarray d = reduced(reduction::sum, apply(square, apply(subtract, with_axis(x, 1), with_axis(y, 0))), {2});
    r = apply(divide, d, reduce(reduction::max, d));
  }
  r.evaluate();
  EXPECT_EQ(count.programs(), 2u);
  EXPECT_EQ(count.stored(), 3u);
  std::vector<double> wanted(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < dimensions; ++k)
        wanted[i * n + j] += std::pow(xs[i * dimensions + k] - ys[j * dimensions + k], 2);
  const double highest = *std::ranges::max_element(wanted);
  for (double &v : wanted) v /= highest;
  expect_near(values_of(r), wanted);
}

TEST(fuse, a_transposed_input_is_read_in_the_same_program) {
  const std::size_t n = 150;
  const auto x = numbers(n * n);
  const ndarray a = array_of(x, {150, 150});
  counting count;
  const ndarray r = apply(add, a, transposed(a));
  std::vector<double> wanted(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] = x[i * n + j] + x[j * n + i];
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 1u);
}

TEST(fuse, a_computed_value_that_is_needed_in_two_places_at_once_is_stored_first) {
  const std::size_t n = 150;
  const auto x = numbers(n * n);
  const ndarray a = array_of(x, {150, 150});
  counting count;
  ndarray r;
  {
    const ndarray e = apply(exp, a);
    r = apply(add, e, transposed(e));
  }
  std::vector<double> wanted(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] = std::exp(x[i * n + j]) + std::exp(x[j * n + i]);
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 2u);
  EXPECT_EQ(count.stored(), 2u);
}

TEST(fuse, minimum_and_maximum_share_a_pass) {
  const auto x = numbers(100'000);
  const ndarray a = array_of(x, {100'000});
  counting count;
  const ndarray low = reduce(reduction::min, a), high = reduce(reduction::max, a);
  expect_near(values_of(low), {*std::ranges::min_element(x)}, 0);
  expect_near(values_of(high), {*std::ranges::max_element(x)}, 0);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 2u);
}

TEST(fuse, a_reduction_used_in_another_space_is_computed_once_before) {
  const auto x = numbers(20'000, 1), y = numbers(30'000, 2);
  const ndarray a = array_of(x, {20'000}), b = array_of(y, {30'000});
  counting count;
  const ndarray r = apply(multiply, b, reduce(reduction::max, a));
  std::vector<double> wanted = y;
  const double highest = *std::ranges::max_element(x);
  for (double &v : wanted) v *= highest;
  expect_near(values_of(r), wanted);
  EXPECT_EQ(count.programs(), 2u);
}

TEST(fuse, positions_of_extremes_count_in_the_order_of_the_array) {
  const std::size_t n = 150;
  const auto x = numbers(n * n);
  const ndarray a = array_of(x, {150, 150});
  const ndarray t = transposed(a);
  const auto biggest = static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
  const std::size_t in_columns = biggest % n * n + biggest / n;
  const ndarray flat = reduce(reduction::argmax, t), sum = reduce(reduction::sum, a);
  expect_near(values_of(flat), {static_cast<double>(in_columns)}, 0);
  EXPECT_NEAR(values_of(sum)[0], std::accumulate(x.begin(), x.end(), 0.0), 1e-8);
}

TEST(fuse, long_expressions_are_cut_into_programs_of_bounded_size) {
  const auto x = numbers(10'000);
  const ndarray a = array_of(x, {10'000});
  std::vector<double> wanted = x;
  ndarray r = a;
  for (int i = 0; i < 500; ++i) {
    r = apply(add, apply(multiply, r, 0.99), a);
    for (std::size_t k = 0; k < x.size(); ++k) wanted[k] = wanted[k] * 0.99 + x[k];
  }
  expect_near(values_of(r), wanted, 1e-10);
}

TEST(fuse, many_inputs_are_read_by_several_programs) {
  std::vector<ndarray> inputs;
  std::vector<double> wanted(10'000);
  for (unsigned k = 0; k < 60; ++k) {
    const auto x = numbers(10'000, k + 1);
    inputs.push_back(array_of(x, {10'000}));
    for (std::size_t i = 0; i < x.size(); ++i) wanted[i] += x[i];
  }
  ndarray sum = inputs[0];
  for (std::size_t k = 1; k < inputs.size(); ++k) sum = apply(add, sum, inputs[k]);
  expect_near(values_of(sum), wanted);
}

}  // namespace
}  // namespace dpep::array::tests
