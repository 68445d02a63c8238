// Permutations by the GPU executor, on the default device, mostly a CPU: targets and exchanges against NumPy's loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <span>

#include <dpep/array_random.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

class generated_permutations : public ::testing::Test {
public:
  ~generated_permutations() override { use_generated_kernels(before_); }

private:
  bool before_ = use_generated_kernels(true);
};

array_object &object_of(const ndarray &x) { return implementation_of(x, "test"); }
const executor &the_executor() { return executor_of(test_queue()); }

/// What NumPy's random_interval() draws for the exchanges from the last element on; the number of words that it takes,
/// or none if there are too few.
std::pair<std::vector<std::uint32_t>, std::int64_t> expected_targets(std::span<const std::uint32_t> words,
                                                                     std::size_t count) {
  std::vector<std::uint32_t> targets(count);
  std::size_t at = 0;
  for (std::size_t i = count - 1; i > 0; --i) {
    const auto mask = std::uint32_t(std::bit_ceil(i + 1) - 1);
    do {
      if (at == words.size()) return {{}, 0};
      targets[i] = words[at++] & mask;
    } while (targets[i] > i);
  }
  return {targets, std::int64_t(at)};
}

struct drawn_targets {
  std::vector<std::uint32_t> targets;
  std::vector<std::int64_t> report;
};
drawn_targets draw(const ndarray &words, std::size_t count) {
  const shape_t shape{std::int64_t(count)};
  const ndarray targets = array_of(std::vector<std::uint32_t>(count, 7), shape);
  const ndarray report = array_of(std::vector<std::int64_t>(3), {3});
  the_executor().draw_targets(object_of(words), object_of(targets), object_of(report));
  return {values_of<std::uint32_t>(targets), values_of<std::int64_t>(report)};
}

void check_targets(const ndarray &words, std::span<const std::uint32_t> values, std::size_t count) {
  const auto [targets, used] = expected_targets(values, count);
  ASSERT_GT(used, 0) << count;
  const drawn_targets got = draw(words, count);
  ASSERT_EQ(got.report, (std::vector<std::int64_t>{used, 0, 0})) << count;
  ASSERT_TRUE(got.targets == targets) << count;
}

TEST_F(generated_permutations, have_the_targets_of_numpys_loop) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    philox_state state;
    state.key = {seed, 5};
    random_generator generator(state);
    const ndarray words = generator.words(shape_t{3'000'000}, dtype::uint32, here());
    const std::vector<std::uint32_t> values = values_of<std::uint32_t>(words);
    std::vector<std::size_t> counts{99'999, 1'000'007, 1'500'000};
    for (std::size_t power = 1 << 12; power <= 1 << 20; power *= 2)
      for (const std::size_t count : {power - 1, power, power + 1}) counts.push_back(count);
    for (const std::size_t count : counts) check_targets(words, values, count);
    if (seed == 1)
      for (std::size_t count = 2; count <= 1200; ++count) check_targets(words, values, count);
  }
}

TEST_F(generated_permutations, of_more_elements_than_a_part_has_tiles_have_the_targets_of_numpys_loop) {
  random_generator generator(philox_state{});
  const ndarray words = generator.words(shape_t{30'000'000}, dtype::uint32, here());
  check_targets(words, values_of<std::uint32_t>(words), 18'000'000);
}

/// Words that are all accepted, or hardly ever, are far from what is expected.
TEST_F(generated_permutations, of_words_that_are_not_random_are_exact_or_reported) {
  constexpr std::size_t count = 300'000, length = 2'000'000;
  std::vector<std::uint32_t> small(length, 3), rare(length, ~0u), alternate(length);
  for (std::size_t k = 0; k < length; k += 7) rare[k] = std::uint32_t(k);
  for (std::size_t k = 0; k < length; ++k) alternate[k] = k / 5000 % 2 ? ~0u : 1;
  for (const auto &values : {small, rare, alternate}) {
    const ndarray words = array_of(values, {std::int64_t(length)});
    const auto [targets, used] = expected_targets(values, count);
    const drawn_targets got = draw(words, count);
    if (used == 0) {
      EXPECT_TRUE(got.report[1] || got.report[2]);
    } else if (got.report[1] == 0 && got.report[2] == 0) {
      EXPECT_EQ(got.report[0], used);
      EXPECT_TRUE(got.targets == targets);
    }
  }
}

TEST_F(generated_permutations, report_too_few_words) {
  random_generator generator(philox_state{});
  for (const std::int64_t count : {50, 100, 5000, 200'000}) {
    const ndarray words = generator.words(shape_t{count}, dtype::uint32, here());
    EXPECT_NE(draw(words, std::size_t(count) + 1).report[2], 0);
  }
}

void check_exchanges(const std::vector<std::uint32_t> &targets, std::size_t size, const char *what) {
  std::vector<std::int64_t> expected(size);
  std::iota(expected.begin(), expected.end(), std::int64_t(0));
  const std::size_t base = size - targets.size();
  for (std::size_t i = size - 1; i >= std::max<std::size_t>(base, 1); --i)
    std::swap(expected[i], expected[targets[i - base]]);
  const shape_t shape{std::int64_t(targets.size())};
  const ndarray made = array_of(std::vector<std::int64_t>(targets.size()), shape);
  the_executor().exchange(object_of(array_of(targets, shape)), std::int64_t(size), object_of(made));
  ASSERT_TRUE(values_of<std::int64_t>(made) ==
              std::vector<std::int64_t>(expected.begin() + std::ptrdiff_t(base), expected.end()))
      << what << " " << targets.size() << " of " << size;
}

TEST_F(generated_permutations, exchange_elements_as_a_loop_does) {
  std::mt19937 random(7);
  for (const std::size_t size : {1, 2, 3, 5, 64, 257, 1000, 3001, 100'003})
    for (const std::size_t parts : {1, 2, 3, 50}) {
      const std::size_t count = (size + parts - 1) / parts, base = size - count;
      const auto targets_by = [&](auto target) {
        std::vector<std::uint32_t> targets(count);
        for (std::size_t k = 0; k < count; ++k) targets[k] = base + k ? std::uint32_t(target(base + k)) : 0;
        return targets;
      };
      check_exchanges(targets_by([&](std::size_t i) { return random() % (i + 1); }), size, "random");
      check_exchanges(targets_by([&](std::size_t i) { return i - random() % std::min<std::size_t>(i + 1, 3); }), size,
                      "near");
      if (size > 4000) continue;
      check_exchanges(targets_by([](std::size_t i) { return i; }), size, "none");
      check_exchanges(targets_by([](std::size_t i) { return i - 1; }), size, "one path");
      check_exchanges(targets_by([](std::size_t) { return 0; }), size, "one list");
      check_exchanges(targets_by([](std::size_t i) { return i / 2; }), size, "halves");
    }
}

}  // namespace
}  // namespace dpep::array
