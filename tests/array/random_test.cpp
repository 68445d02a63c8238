// Random numbers: the same ones whatever part of a sequence is computed, by each executor and in each expression.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include <dpep/array_random.hpp>

#include "array/base/random_function.hpp"
#include "array/blocks/table.hpp"
#include "array/executor.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;
using words = std::array<std::uint64_t, 4>;
using key_words = std::array<std::uint64_t, 2>;

/// Philox4x64-10.
words block(words c, key_words key) {
  for (int round = 0; round < 10; ++round, key[0] += 0x9e3779b97f4a7c15, key[1] += 0xbb67ae8584caa73b) {
    const auto x = static_cast<unsigned __int128>(0xd2e7470ee14c6c93) * c[0];
    const auto y = static_cast<unsigned __int128>(0xca5a826395121157) * c[2];
    c = {std::uint64_t(y >> 64) ^ c[1] ^ key[0], std::uint64_t(y), std::uint64_t(x >> 64) ^ c[3] ^ key[1],
         std::uint64_t(x)};
  }
  return c;
}

/// The words of blocks from a counter on.
std::vector<std::uint64_t> expected_words(std::size_t count, words counter, key_words key) {
  std::vector<std::uint64_t> all;
  while (all.size() < count) {
    const words of_block = block(counter, key);
    all.insert(all.end(), of_block.begin(), of_block.end());
    for (std::uint64_t &word : counter)
      if (++word) break;
  }
  all.resize(count);
  return all;
}

std::vector<double> units(const std::vector<std::uint64_t> &from) {
  std::vector<double> made;
  for (const std::uint64_t word : from) made.push_back(double(word >> 11) / 0x1p53);
  return made;
}

constexpr key_words key{5, 77};
/// Numbers of a new generator, from the word `first` on.
std::vector<double> numbers(std::size_t count, std::size_t first = 0) {
  const std::vector<double> all = units(expected_words(first + count, {1, 0, 0, 0}, key));
  return {all.begin() + std::ptrdiff_t(first), all.end()};
}

template <class T> std::vector<T> part(const std::vector<T> &all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + std::ptrdiff_t(first);
  return {begin, begin + std::ptrdiff_t(count)};
}

/// A function's loop for consecutive indices and the same further operands.
template <class T>
std::vector<T> computed(native_loop loop, std::uint64_t first, std::size_t count,
                        const std::vector<std::uint64_t> &others) {
  std::vector<std::uint64_t> index(count);
  for (std::size_t i = 0; i < count; ++i) index[i] = first + i;
  std::vector<const void *> operands{index.data()};
  std::vector<std::int64_t> steps{8};
  for (const std::uint64_t &word : others) {
    operands.push_back(&word);
    steps.push_back(0);
  }
  std::vector<T> results(count + 1, T(99));
  loop(count, operands.data(), steps.data(), results.data());
  EXPECT_EQ(results[count], T(99));
  results.pop_back();
  return results;
}

template <class F> void each_instruction_set(F use) {
  for (const blocks::instructions set : blocks::all_instructions)
    if (blocks::has(set)) use(blocks::kernel_table(set));
}

constexpr std::size_t firsts[] = {0, 1, 2, 3, 7, 64}, counts[] = {0, 1, 2, 3, 4, 5, 16, 33, 100, 1000};

TEST(random_numbers, of_block_kernels_are_those_of_philox_from_any_position_on) {
  const words counter{~std::uint64_t{0} - 20, ~std::uint64_t{0}, ~std::uint64_t{0}, 3};  // carries into all words
  const std::vector<std::uint64_t> all = expected_words(1100, counter, key);
  std::vector<std::uint32_t> halves(2 * all.size());
  std::memcpy(halves.data(), all.data(), halves.size() * 4);
  each_instruction_set([&](const blocks::kernel_table &table) {
    for (const std::size_t first : firsts)
      for (const std::size_t count : counts)
        for (const std::uint64_t start : {0, 1, 3}) {
          std::vector<std::uint64_t> operands{start, key[0], key[1], counter[0], counter[1], counter[2], counter[3]};
          const auto at = first + start;
          EXPECT_EQ(computed<std::uint64_t>(table.random(random_function::words64), first, count, operands),
                    part(all, at, count))
              << table.name() << " " << first << " " << count;
          EXPECT_EQ(computed<double>(table.random(random_function::uniform_float64), first, count, operands),
                    part(units(all), at, count));
          operands.push_back(0);
          const native_loop of_halves = table.random(random_function::words32);
          EXPECT_EQ(computed<std::uint32_t>(of_halves, first, count, operands), part(halves, at, count));
          operands.back() = std::uint64_t{1} << 32 | 123;
          std::vector<std::uint32_t> after{123};
          after.insert(after.end(), halves.begin() + std::ptrdiff_t(start), halves.end());
          EXPECT_EQ(computed<std::uint32_t>(of_halves, first, count, operands), part(after, first, count));
        }
  });
}

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

/// A distribution with parameters, as the bits of its operands.
struct distribution {
  random_function function;
  std::vector<std::uint64_t> parameters;
};
const distribution distributions[] = {
    {random_function::uniform, {}},
    {random_function::normal, {}},
    {random_function::bounded, {1000}},
    {random_function::bounded, {(std::uint64_t{1} << 63) + 5}},
    {random_function::gamma, {bits_of(2.5)}},
    {random_function::wald, {bits_of(2), bits_of(3)}},
    {random_function::vonmises, {bits_of(2)}},
    {random_function::poisson, {bits_of(3)}},
    {random_function::poisson, {bits_of(50)}},
    {random_function::binomial, {20, bits_of(0.7)}},
    {random_function::binomial, {1000, bits_of(0.4)}},
    {random_function::hypergeometric, {15, 20, 8}},
    {random_function::hypergeometric, {1500, 2000, 800}},
    {random_function::logseries, {bits_of(0.8)}},
    {random_function::zipf, {bits_of(2)}},
};

TEST(random_numbers, of_streams_do_not_depend_on_the_division_of_work) {
  each_instruction_set([&](const blocks::kernel_table &table) {
    for (const distribution &d : distributions) {
      std::vector<std::uint64_t> operands{0x123456789abcdef};
      operands.insert(operands.end(), d.parameters.begin(), d.parameters.end());
      const native_loop loop = table.random(d.function);
      const std::vector<std::uint64_t> all =
          computed<std::uint64_t>(loop, (std::uint64_t{1} << 32) - 100, 1100, operands);
      std::size_t done = 0;
      for (const std::size_t count : {1, 2, 3, 30, 513, 551}) {
        const auto got = computed<std::uint64_t>(loop, (std::uint64_t{1} << 32) - 100 + done, count, operands);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_NEAR(std::bit_cast<double>(got[i]), std::bit_cast<double>(all[done + i]),
                      1e-13 * std::fabs(std::bit_cast<double>(all[done + i])))
              << table.name() << " function " << int(d.function) << " element " << done + i;
        done += count;
      }
    }
  });
}

/// Runs its tests with block kernels and with generated kernels.
class random_arrays : public ::testing::TestWithParam<bool> {
protected:
  random_arrays() : before_(use_generated_kernels(GetParam())) {}
  ~random_arrays() override { use_generated_kernels(before_); }

  static philox_state fresh() {
    philox_state s;
    s.key = key;
    return s;
  }
  random_generator generator{fresh()};

  void restart() { generator.set_state(fresh()); }
  ndarray uniform(const shape_t &shape) { return generator.random(shape, dtype::float64, here()); }

private:
  const bool before_;
};

ndarray sum_of(const ndarray &x, std::vector<int> axes) {
  reduce_options options;
  options.axes = axes;
  return reduce(reduction::sum, x, options);
}

TEST_P(random_arrays, continue_one_sequence) {
  EXPECT_EQ(values_of<double>(uniform({3, 5})), numbers(15));
  EXPECT_EQ(values_of<double>(uniform({})), numbers(1, 15));
  EXPECT_EQ(values_of<double>(uniform({0, 4})), std::vector<double>());
  EXPECT_EQ(values_of<double>(uniform({200, 301})), numbers(60200, 16));
  restart();
  EXPECT_EQ(values_of<double>(uniform({100001})), numbers(100001));
}

/// Integers from 3 to 3 + range by Lemire's method, one after the other, and the words that they take.
template <class T>
std::vector<T> bounded(std::size_t count, std::uint64_t range, const std::vector<T> &from, std::size_t &taken) {
  std::vector<T> made;
  const unsigned __int128 limit = static_cast<unsigned __int128>(range) + 1, all = static_cast<unsigned __int128>(1)
                                                                                   << (8 * sizeof(T));
  for (taken = 0; made.size() < count; ++taken) {
    const unsigned __int128 product = from[taken] * limit;
    if (product % all >= all % limit) made.push_back(T(T(product / all) + 3));
  }
  return made;
}

template <class T> void expect_integers(random_generator &g, std::uint64_t range, dtype type, std::size_t count) {
  const std::vector<std::uint64_t> words = expected_words(3 * count + 100, {1, 0, 0, 0}, key);
  std::vector<T> parts(words.size() * 8 / sizeof(T));
  std::memcpy(parts.data(), words.data(), words.size() * 8);
  std::size_t taken = 0;
  const std::vector<T> wanted = bounded<T>(count, range, parts, taken);
  const std::int64_t shape[] = {std::int64_t(count)};
  ASSERT_EQ(values_of<T>(g.integers(shape, 3, range, type, here())), wanted) << "range " << range << " of " << count;
  // The next words are those after the last that was used; small parts of half a word are lost.
  const std::size_t halves = (taken * sizeof(T) + 3) / 4, next = (halves + 1) / 2;
  EXPECT_EQ(values_of<std::uint64_t>(g.words(shape_t{2}, dtype::uint64, here())),
            (std::vector{words[next], words[next + 1]}));
}

TEST_P(random_arrays, of_integers_reject_the_words_that_would_make_some_more_likely) {
  for (const std::size_t count : {1, 100, 70001}) {
    for (const std::uint64_t range : {1ull, 6ull, 999ull, 0x7fffffffull, 0x80000000ull, 0xc0000000ull})
      restart(), expect_integers<std::uint32_t>(generator, range, dtype::uint32, count);
    for (const std::uint64_t range : {0x100000000ull, 0x123456789abcdefull, 0x8000000000000000ull, ~0ull})
      restart(), expect_integers<std::uint64_t>(generator, range, dtype::uint64, count);
    for (const std::uint64_t range : {1ull, 2ull, 99ull, 128ull, 254ull, 255ull})
      restart(), expect_integers<std::uint8_t>(generator, range, dtype::uint8, count);
    for (const std::uint64_t range : {6ull, 40000ull, 65535ull})
      restart(), expect_integers<std::uint16_t>(generator, range, dtype::uint16, count);
  }
}

TEST_P(random_arrays, are_the_same_in_every_expression) {
  const std::int64_t rows = 300, columns = 200, n = rows * columns;
  const std::vector<double> x = numbers(std::size_t(n));
  const auto make = [&] {
    restart();
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

  const ndarray flat = (restart(), uniform({columns}));
  const index outer[] = {{index::kind::slice, 0, columns}, {index::kind::new_axis}};
  const std::vector<double> table = values_of<double>(apply(opcode::subtract, view(flat, outer), flat));
  for (std::int64_t i = 0; i < columns * columns; ++i)
    ASSERT_EQ(table[std::size_t(i)], x[std::size_t(i / columns)] - x[std::size_t(i % columns)]);
}

TEST_P(random_arrays, are_reduced_along_any_axes) {
  const std::int64_t rows = 300, columns = 200;
  const std::vector<double> x = numbers(std::size_t(rows * columns));
  for (const std::vector<int> &axes : {std::vector<int>{0}, {1}, {0, 1}}) {
    restart();
    const std::vector<double> sums = values_of<double>(sum_of(uniform({rows, columns}), axes));
    std::vector<double> wanted(sums.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      wanted[axes.size() == 2 ? 0 : axes[0] == 0 ? i % std::size_t(columns) : i / std::size_t(columns)] += x[i];
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(sums[i], wanted[i], 1e-9 * wanted[i]);
  }
}

TEST_P(random_arrays, that_wait_have_the_numbers_of_their_call) {
  const ndarray first = uniform({100000}), second = uniform({100000});
  restart();
  EXPECT_EQ(values_of<double>(second), numbers(100000, 100000));
  EXPECT_EQ(values_of<double>(first), numbers(100000));
}

TEST_P(random_arrays, of_parameters_in_arrays_are_those_of_each_parameter) {
  const std::int64_t rows = 40, columns = 700;
  const ndarray means = apply(opcode::add, counting<double>({rows, 1}), counting<double>({rows, 1}));
  const operand parameter{&means, nullptr};
  const shape_t shape{rows, columns};
  const random_streams streams = generator.streams(rows * columns);
  const std::vector<std::int64_t> got =
      values_of<std::int64_t>(streams.draw("poisson", 0, shape, {&parameter, 1}, here()));
  for (std::int64_t row = 0; row < rows; ++row) {
    const scalar mean = scalar::of(double(2 * row));
    const operand number{nullptr, &mean};
    const std::vector<std::int64_t> all =
        values_of<std::int64_t>(streams.draw("poisson", 0, shape, {&number, 1}, here()));
    for (std::int64_t column = 0; column < columns; ++column)
      ASSERT_EQ(got[std::size_t(row * columns + column)], all[std::size_t(row * columns + column)]) << row << column;
  }
}

std::string executor_name(const ::testing::TestParamInfo<bool> &i) { return i.param ? "generated" : "blocks"; }
INSTANTIATE_TEST_SUITE_P(by, random_arrays, ::testing::Bool(), executor_name);

struct named_distribution {
  const char *name;
  std::vector<double> parameters;
  double tolerance = 1e-12;
};
const named_distribution named_distributions[] = {
    {"uniform", {}},
    {"normal", {}},
    {"normal_float32", {}, 2e-6},
    {"gamma", {2.5}},
    {"wald", {2, 3}},
    {"vonmises", {2}},
    {"poisson", {3}},
    {"poisson", {50}},
    {"binomial", {20, 0.7}},
    {"binomial", {1000, 0.4}},
    {"logseries", {0.8}},
    {"zipf", {2}},
    {"hypergeometric", {15, 20, 8}},
    {"hypergeometric", {1500, 2000, 800}},
    {"bounded", {1000}},
};

TEST(random_numbers, of_generated_kernels_are_those_of_block_kernels) {
  for (const named_distribution &d : named_distributions) {
    const auto draw = [&](bool generated) {
      const bool before = use_generated_kernels(generated);
      philox_state state;
      state.key = key;
      random_generator generator(state);
      std::vector<scalar> numbers;
      for (const double x : d.parameters) numbers.push_back(scalar::of(x));
      std::vector<operand> parameters;
      for (const scalar &x : numbers) parameters.push_back({nullptr, &x});
      const ndarray made = generator.streams(50001).draw(d.name, 0, shape_t{50001}, parameters, here());
      const std::vector<double> values = values_of<double>(astype(made, dtype::float64));
      use_generated_kernels(before);
      return values;
    };
    const std::vector<double> blocks = draw(false), generated = draw(true);
    ASSERT_EQ(blocks.size(), generated.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
      ASSERT_NEAR(blocks[i], generated[i], d.tolerance * std::fabs(blocks[i])) << d.name << " element " << i;
  }
}

TEST(random_numbers, are_divided_among_threads) {
  constexpr std::size_t threads = 4, each = 50, length = 100;
  philox_state state;
  state.key = key;
  random_generator generator(state);
  std::vector<std::vector<double>> got(threads);
  {
    std::vector<std::jthread> all;
    for (std::vector<double> &mine : got)
      all.emplace_back([&] {
        for (std::size_t k = 0; k < each; ++k) {
          const std::vector<double> values =
              values_of<double>(generator.random(shape_t{length}, dtype::float64, here()));
          mine.insert(mine.end(), values.begin(), values.end());
        }
      });
  }
  std::vector<double> together;
  for (const std::vector<double> &mine : got) together.insert(together.end(), mine.begin(), mine.end());
  std::vector<double> wanted = numbers(threads * each * length);
  std::ranges::sort(together);
  std::ranges::sort(wanted);
  EXPECT_EQ(together, wanted);
}

TEST(random_numbers, refuse_wrong_arguments) {
  random_generator generator(philox_state{});
  refused(refusal::value, [&] { generator.random(shape_t{1l << 40, 1l << 40}, dtype::float64, here()); });
  refused(refusal::value, [&] { generator.streams(1).draw("levy", 0, shape_t{2}, {}, here()); });
  refused(refusal::type, [&] { generator.streams(1).draw("poisson", 0, shape_t{2}, {}, here()); });
  refused(refusal::value, [&] { generator.sample(3, 4, true, here()); });
}

}  // namespace
}  // namespace dpep::array
