// Graphs of one structure share a plan, and have values of their own memory, numbers and ramps.
#include <gtest/gtest.h>

#include <cmath>

#include <dpep/array_opcodes.hpp>

#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

constexpr std::int64_t n = 20'000;

void expect_near(const std::vector<double> &got, const std::vector<double> &wanted, const std::string &what) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], wanted[i], 1e-12 * std::max(1.0, std::abs(wanted[i]))) << what << ", element " << i;
}

TEST(fusion_plans, operands_of_equal_graphs_are_their_own) {
  const std::vector<double> lists[] = {numbers(n, 1), numbers(n, 2), numbers(n, 3)};
  ndarray arrays[3];
  for (std::size_t k = 0; k < 3; ++k) arrays[k] = array_of(lists[k], {n});
  const std::uint64_t before = plans_found();
  for (int round = 0; round < 2; ++round)
    for (std::size_t a = 0; a < 3; ++a)  // the same array may be several operands
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t c = 0; c < 3; ++c) {
          const double number = double(round) + double(a) / 8;
          const ndarray r = apply(add, apply(multiply, apply(subtract, arrays[a], arrays[b]), arrays[c]), number);
          const ndarray largest = reduced(reduction::max, r, {0});
          std::vector<double> wanted(n);
          for (std::size_t i = 0; i < n; ++i) wanted[i] = (lists[a][i] - lists[b][i]) * lists[c][i] + number;
          const std::string what = std::to_string(a) + std::to_string(b) + std::to_string(c);
          expect_near(values_of(largest), {*std::ranges::max_element(wanted)}, what);
          expect_near(values_of(r), wanted, what);
        }
  EXPECT_GE(plans_found() - before, 40u);  // of 54 rounds, 5 kinds of equal operands are new
}

TEST(fusion_plans, slices_of_other_distances_are_other_operands) {
  const std::vector<double> list = numbers(n + 16, 4);
  const ndarray x = array_of(list, {n + 16});
  for (int round = 0; round < 3; ++round)
    for (const auto &[from, to] : {std::pair{0, 1}, {1, 0}, {0, 0}, {3, 16}, {16, 3}, {0, 1}}) {
      const ndarray d = apply(subtract, rows(x, from, n), apply(multiply, rows(x, to, n), 2));
      std::vector<double> wanted(n);
      for (std::size_t i = 0; i < n; ++i) wanted[i] = list[i + std::size_t(from)] - 2 * list[i + std::size_t(to)];
      expect_near(values_of(d), wanted, std::to_string(from) + " " + std::to_string(to));
    }
}

TEST(fusion_plans, ramps_and_rolls_have_their_own_numbers) {
  const std::vector<double> list = numbers(50'000, 5);
  const ndarray x = array_of(list, {50'000});
  for (int round = 0; round < 2; ++round)
    for (const std::int64_t shift : {1, 7, 1, 49'999}) {
      const double start = double(shift) / 4, step = 0.5 + round;
      const ndarray ramp =
          arange(scalar::of(start), scalar::of(step), 50'000, dtype::float64, {test_queue(), usm_kind::device});
      const std::int64_t shifts[] = {shift};
      const int axes[] = {0};
      const ndarray sum = apply(add, roll(x, shifts, axes), ramp);
      std::vector<double> wanted(list.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        wanted[i] = list[(i + list.size() - std::size_t(shift)) % list.size()] + start + step * double(i);
      expect_near(values_of(sum), wanted, std::to_string(shift));
    }
}

// A function that returns an intermediate result needs its values, one that drops it does not.
TEST(fusion_plans, names_that_are_kept_are_part_of_the_structure) {
  const std::vector<double> list = numbers(n, 6);
  const ndarray x = array_of(list, {n});
  std::vector<double> wanted(n), middle(n);
  for (std::size_t i = 0; i < n; ++i) {
    middle[i] = std::exp(std::sin(list[i]));
    wanted[i] = std::sqrt(middle[i] + 1);
  }
  const auto run = [&](bool keeps) {
    counting count;
    ndarray kept = apply(exp, apply(sin, x));
    const ndarray r = apply(sqrt, apply(add, kept, 1));
    if (!keeps) kept = {};
    expect_near(values_of(r), wanted, "r");
    if (keeps) expect_near(values_of(kept), middle, "kept");
    return std::pair(count.programs(), count.stored());
  };
  const auto alone = run(false), both = run(true);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run(false), alone);
    EXPECT_EQ(run(true), both);
  }
}

// In a loop, what computing the values of a name again has cost decides when it is stored.
TEST(fusion_plans, values_that_are_read_again_and_again_are_stored) {
  const std::vector<double> list = numbers(n, 7);
  const ndarray x = array_of(list, {n});
  std::uint64_t programs = 0;
  for (int round = 0; round < 4; ++round) {
    counting count;
    const ndarray y = apply(log, apply(add, x, 1));
    for (int k = 1; k < 6; ++k) {
      std::vector<double> wanted(n);
      for (std::size_t i = 0; i < n; ++i) wanted[i] = std::log(list[i] + 1) * k;
      expect_near(values_of(apply(multiply, y, double(k))), wanted, std::to_string(k));
    }
    if (round == 0) programs = count.programs();
    EXPECT_EQ(count.programs(), programs);
    EXPECT_GE(count.stored(), 6u);  // five results, and y
  }
}

// Updates write where others read: each round has the structure of the one before.
TEST(fusion_plans, updates_in_place_read_former_values) {
  std::vector<double> list = numbers(n, 8);
  const ndarray x = array_of(list, {n});
  for (int round = 0; round < 5; ++round) {
    const ndarray middle = rows(x, 1, n - 2);
    const ndarray smooth = apply(multiply, apply(add, rows(x, 0, n - 2), rows(x, 2, n - 2)), 0.5);
    const ndarray change = apply(subtract, smooth, middle);
    apply_in_place(add, middle, change);
    std::vector<double> next = list;
    for (std::size_t i = 1; i + 1 < n; ++i) next[i] = list[i] + ((list[i - 1] + list[i + 1]) * 0.5 - list[i]);
    list = next;
    expect_near(values_of(x), list, "round " + std::to_string(round));
  }
}

}  // namespace
}  // namespace dpep::array::tests
