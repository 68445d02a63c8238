// Individual programs on the CPU executor, compared with naive loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include <dpep/array_opcodes.hpp>

#include "array/fusion/passes.hpp"
#include "build_program.hpp"

namespace dpep::array {
namespace {

constexpr dtype f8 = dtype::float64, f4 = dtype::float32, i8 = dtype::int64;

void run_on(const queue &q, const program_builder &p) {
  p.code.verify();
  run(q, p.code, p.arguments, {});
  q.wait();
}

template <class T> std::vector<T> random_values(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(n);
  for (T &x : values) x = T(uniform(random));
  return values;
}

TEST(programs, sums_are_the_same_on_any_number_of_threads) {
  std::vector<device> parts;
  const device all("cpu");
  if (all.info().max_compute_units > 1) parts = all.partition_equally(1);
  if (parts.empty()) GTEST_SKIP() << "one compute unit only";
  const queue one{parts.front()};
  const std::int64_t rows = 3001, columns = 517;
  std::vector<float> a = random_values<float>(std::size_t(rows * columns));
  for (const std::uint64_t bits : {1u, 2u, 3u}) {
    const axis_set over(bits);
    std::vector<float> first, again(3001);
    for (const queue &q : {cpu_queue(), one, cpu_queue()}) {
      std::fill(again.begin(), again.end(), 0.0f);
      program_builder p({rows, columns});
      const value_id v = p.load(f4, a.data(), {columns * 4, 4});
      p.store(p.reduce(reduction::sum, f4, p.element(opcode::square, f4, {v}), over), again.data(),
              {over.has(0) ? 0 : 4, over.has(1) ? 0 : 4});
      run_on(q, p);
      if (first.empty()) first = again;
      EXPECT_EQ(std::memcmp(first.data(), again.data(), again.size() * 4), 0) << "over " << bits;
    }
  }
}

TEST(programs, sums_of_many_floats_lose_little) {
  const std::int64_t n = 3'000'000;
  std::vector<float> a(std::size_t(n), 0.1f);
  for (const bool transposed : {false, true}) {  // along lanes, and over rows
    std::vector<float> sums(3);
    program_builder p({n / 3, 3});
    const value_id v =
        p.load(f4, a.data(), transposed ? std::vector<std::int64_t>{12, 4} : std::vector<std::int64_t>{4, 4 * n / 3});
    p.store(p.reduce(reduction::sum, f4, v, axis_set::of(0)), sums.data(), {0, 4});
    run_on(cpu_queue(), p);
    for (const float s : sums) EXPECT_NEAR(s, 0.1f * double(n / 3), 0.1 * double(n / 3) * 2e-6) << transposed;
  }
}

TEST(programs, gathers_are_part_of_a_pass) {
  const std::int64_t n = 30'011, m = 5;
  const std::vector<double> x = random_values<double>(std::size_t(n * m));
  std::vector<std::int64_t> rows(std::size_t(n), 0);
  for (std::int64_t i = 0; i < n; ++i) rows[std::size_t(i)] = (i * 7919) % n * m;
  std::vector<double> twice(std::size_t(n * m)), first(std::size_t(n), 0.0);
  program_builder p({n, m});
  const value_id offset = p.load(i8, rows.data(), {8, 0});
  const value_id row = p.gather(f8, const_cast<double *>(x.data()), {0, 8}, offset);
  p.store(p.element(opcode::add, f8, {row, row}), twice.data(), {m * 8, 8});
  run_on(cpu_queue(), p);
  program_builder q({n});
  q.store(q.gather(f8, const_cast<double *>(x.data()), {0}, q.load(i8, rows.data(), {8})), first.data(), {8});
  run_on(cpu_queue(), q);
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_EQ(first[std::size_t(i)], x[std::size_t(rows[std::size_t(i)])]) << i;
    for (std::int64_t k = 0; k < m; ++k)
      ASSERT_EQ(twice[std::size_t(i * m + k)], 2 * x[std::size_t(rows[std::size_t(i)] + k)]) << i << ", " << k;
  }
}

TEST(programs, kernel_density_is_one_pass) {
  const std::int64_t n = 20'011, m = 17, d = 7;
  std::vector<double> x = random_values<double>(std::size_t(n * d)), y = random_values<double>(std::size_t(m * d), 2),
                      f(17);
  program_builder p({n, m, d});
  const value_id xs = p.load(f8, x.data(), {d * 8, 0, 8}), ys = p.load(f8, y.data(), {0, d * 8, 8});
  const value_id square = p.element(opcode::square, f8, {p.element(opcode::subtract, f8, {xs, ys})});
  const value_id distance = p.reduce(reduction::sum, f8, square, axis_set::of(2));
  const value_id e = p.element(opcode::exp, f8, {p.element(opcode::multiply, f8, {distance, p.number(f8, -2.0)})});
  p.store(p.element(opcode::divide, f8, {p.reduce(reduction::sum, f8, e, axis_set::of(0)), p.number(f8, double(n))}),
          f.data(), {0, 8, 0});
  EXPECT_TRUE(schedulable(p.code));
  run_on(cpu_queue(), p);
  for (std::size_t j = 0; j < std::size_t(m); ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      double q = 0;
      for (std::size_t k = 0; k < std::size_t(d); ++k) q += std::pow(x[i * 7 + k] - y[j * 7 + k], 2);
      sum += std::exp(-2 * q);
    }
    EXPECT_NEAR(f[j], sum / double(n), 1e-12 * sum / double(n));
  }
}

TEST(programs, reductions_of_reductions_take_several_passes) {
  const std::int64_t rows = 5000, columns = 300;
  std::vector<double> x = random_values<double>(std::size_t(rows * columns)), r(x.size());
  program_builder p({rows, columns});  // standardised columns
  const value_id v = p.load(f8, x.data(), {columns * 8, 8});
  const value_id count = p.number(f8, double(rows));
  const auto mean = [&](value_id of) {
    return p.element(opcode::divide, f8, {p.reduce(reduction::sum, f8, of, axis_set::of(0)), count});
  };
  const value_id centred = p.element(opcode::subtract, f8, {v, mean(v)});
  const value_id deviation = p.element(opcode::sqrt, f8, {mean(p.element(opcode::square, f8, {centred}))});
  p.store(p.element(opcode::divide, f8, {centred, deviation}), r.data(), {columns * 8, 8});
  EXPECT_FALSE(schedulable(p.code));
  run_on(cpu_queue(), p);
  for (std::size_t c = 0; c < std::size_t(columns); ++c) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < std::size_t(rows); ++i) sum += x[i * 300 + c];
    const double average = sum / double(rows);
    for (std::size_t i = 0; i < std::size_t(rows); ++i) squares += std::pow(x[i * 300 + c] - average, 2);
    for (std::size_t i = 0; i < std::size_t(rows); i += 777)
      ASSERT_NEAR(r[i * 300 + c], (x[i * 300 + c] - average) / std::sqrt(squares / double(rows)), 1e-11);
  }
}

TEST(programs, rows_that_fit_into_a_cell_are_one_pass) {
  const std::int64_t rows = 1000, columns = 1000;
  std::vector<double> x = random_values<double>(std::size_t(rows * columns)), r(x.size());
  program_builder p({rows, columns});  // softmax
  const value_id v = p.load(f8, x.data(), {columns * 8, 8});
  const value_id top = p.reduce(reduction::max, f8, v, axis_set::of(1));
  const value_id e = p.element(opcode::exp, f8, {p.element(opcode::subtract, f8, {v, top})});
  p.store(p.element(opcode::divide, f8, {e, p.reduce(reduction::sum, f8, e, axis_set::of(1))}), r.data(),
          {columns * 8, 8});
  EXPECT_TRUE(schedulable(p.code));
  EXPECT_EQ(split(simplify(p.code)).size(), 1u);
  run_on(cpu_queue(), p);
  for (std::size_t i = 0; i < std::size_t(rows); i += 37) {
    double sum = 0;
    for (std::size_t c = 0; c < std::size_t(columns); ++c) sum += std::exp(x[i * 1000 + c]);
    for (std::size_t c = 0; c < std::size_t(columns); c += 13)
      ASSERT_NEAR(r[i * 1000 + c], std::exp(x[i * 1000 + c]) / sum, 1e-15);
  }
}

TEST(programs, results_may_share_memory_with_operands) {
  for (const std::int64_t n : {10, 5000, 1'200'000}) {
    std::vector<double> a = random_values<double>(std::size_t(n)), b = random_values<double>(std::size_t(n), 2);
    const std::vector<double> before = a;
    program_builder p({n});
    const value_id x = p.load(f8, a.data(), {8}), y = p.load(f8, b.data(), {8});
    const value_id sum = p.element(opcode::add, f8, {x, y}), product = p.element(opcode::multiply, f8, {x, y});
    p.store(sum, a.data(), {8});  // overwrites an operand of the product
    p.store(p.element(opcode::subtract, f8, {product, x}), b.data(), {8});
    const std::vector<double> other = b;
    run_on(cpu_queue(), p);
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      ASSERT_EQ(a[i], before[i] + other[i]) << n << " " << i;
      ASSERT_EQ(b[i], before[i] * other[i] - before[i]) << n << " " << i;
    }
  }
}

TEST(programs, memory_that_a_later_pass_reads_is_not_overwritten) {
  const std::int64_t n = 1'200'000;
  std::vector<double> a = random_values<double>(std::size_t(n)), b(a.size());
  const std::vector<double> before = a;
  program_builder p({n});
  const value_id x = p.load(f8, a.data(), {8});
  p.store(p.element(opcode::add, f8, {x, p.number(f8, 1.0)}), a.data(), {8});
  const value_id top = p.reduce(reduction::max, f8, x, axis_set::of(0));
  p.store(p.element(opcode::subtract, f8, {x, top}), b.data(), {8});
  run_on(cpu_queue(), p);
  const double most = *std::ranges::max_element(before);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    ASSERT_EQ(a[i], before[i] + 1.0) << i;
    ASSERT_EQ(b[i], before[i] - most) << i;
  }
}

TEST(programs, reductions_over_nothing_give_the_identity) {
  program_builder q({5, 0});
  std::vector<double> some(5), sums(5, 3.0), products(5, 3.0);
  const value_id v = q.load(f8, some.data(), {8, 8});
  q.store(q.element(opcode::add, f8, {q.reduce(reduction::sum, f8, v, axis_set::of(1)), q.number(f8, 2.0)}),
          sums.data(), {8, 0});
  q.store(q.reduce(reduction::prod, f8, v, axis_set::of(1)), products.data(), {8, 0});
  run_on(cpu_queue(), q);
  EXPECT_EQ(sums, std::vector<double>(5, 2.0));
  EXPECT_EQ(products, std::vector<double>(5, 1.0));
}

TEST(programs, positions_count_in_the_axes_own_order) {
  const std::int64_t rows = 700, columns = 900;
  std::vector<double> a(std::size_t(rows * columns), 0.0);
  a[std::size_t(345 * columns + 678)] = 2.0;
  a[std::size_t(500 * columns + 3)] = 2.0;  // an equal maximum at a later position
  for (const bool column_major : {false, true}) {
    std::vector<double> stored(a.size());
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        stored[std::size_t(column_major ? i + j * rows : i * columns + j)] = a[std::size_t(i * columns + j)];
    std::int64_t position = -1;
    program_builder p({rows, columns});
    const value_id v =
        p.load(f8, stored.data(),
               column_major ? std::vector<std::int64_t>{8, rows * 8} : std::vector<std::int64_t>{columns * 8, 8});
    p.store(p.reduce(reduction::argmax, i8, v, axis_set::first(2)), &position, {0, 0});
    run_on(cpu_queue(), p);
    EXPECT_EQ(position, 345 * columns + 678) << column_major;
  }
}

TEST(programs, descriptions_name_the_operations) {
  double a[4] = {1, 2, 3, 4}, r;
  program_builder p({4});
  p.store(p.reduce(reduction::sum, f8, p.element(opcode::exp, f8, {p.load(f8, a, {8})}), axis_set::of(0)), &r, {0});
  const std::string text = p.code.describe();
  for (const char *word : {"load m0", "exp 0", "reduce sum 1 over {0}", "store 2 m1", "float64{0}"})
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

TEST(programs, invalid_programs_are_refused) {
  double a[4] = {}, r;
  program_builder good({4});
  good.store(good.reduce(reduction::sum, f8, good.load(f8, a, {8}), axis_set::of(0)), &r, {0});
  EXPECT_NO_THROW(good.code.verify());
  const auto refused = [&](auto change) {
    program bad = good.code;
    change(bad);
    EXPECT_THROW(bad.verify(), std::logic_error);
  };
  refused([](program &p) { p.code[1].inputs[0] = 2; });
  refused([](program &p) { p.code[1].axes = axis_set::of(0); });
  refused([](program &p) { p.code[0].operand = 9; });
  refused([](program &p) { p.memory[0].strides.clear(); });
  refused([](program &p) { p.memory[1].written = false; });
  refused([](program &p) { p.code[1].how = reduction::variance; });
  refused([](program &p) { p.sizes[0] = -1; });
}

}  // namespace
}  // namespace dpep::array
