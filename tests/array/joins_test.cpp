// Joining and repeating, against index arithmetic on the host.
#include <gtest/gtest.h>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;
using integers = std::vector<std::int64_t>;

TEST(joins, concatenate_along_an_axis_and_cast) {
  const ndarray a = counting<std::int64_t>({2, 2}), b = counting<std::int64_t>({2, 1}, 10);
  const ndarray parts[] = {a, b, b};
  EXPECT_EQ(values_of<std::int64_t>(concat(parts, 1, dtype::int64)), (integers{0, 1, 10, 10, 2, 3, 11, 11}));
  const ndarray mixed[] = {a, array_of<double>({0.5, 1.5}, {1, 2})};
  EXPECT_EQ(values_of<double>(concat(mixed, -2, dtype::float64)), (std::vector<double>{0, 1, 2, 3, 0.5, 1.5}));
  const ndarray with_none[] = {a, empty(shape_t{0, 2}, dtype::int64, here())};
  EXPECT_EQ(shape_of(concat(with_none, 0, dtype::int64)), (shape_t{2, 2}));
  EXPECT_NE(refused(refusal::value, [&] { concat(parts, 0, dtype::int64); }).find("(2, 2)"), std::string::npos);
  refused(refusal::axis, [&] { concat(parts, 2, dtype::int64); });
  refused(refusal::type, [] { concat({}, 0, dtype::int64); });
  EXPECT_EQ(values_of<double>(concat(mixed, std::nullopt)), (std::vector<double>{0, 1, 2, 3, 0.5, 1.5}));
}

TEST(joins, stack_along_a_new_axis) {
  const ndarray parts[] = {counting<std::int64_t>({2}), counting<std::int64_t>({2}, 5)};
  EXPECT_EQ(values_of<std::int64_t>(stack(parts, 0, dtype::int64)), (integers{0, 1, 5, 6}));
  EXPECT_EQ(values_of<std::int64_t>(stack(parts, -1, dtype::int64)), (integers{0, 5, 1, 6}));
  const ndarray numbers[] = {array_of<double>({1}, {}), array_of<double>({2}, {})};
  EXPECT_EQ(shape_of(stack(numbers, 0, dtype::float64)), (shape_t{2}));
}

TEST(joins, rolling_is_cyclic) {
  const shape_t shape{2, 3, 4, 2, 3};
  const ndarray x = counting<std::int64_t>(shape);
  const std::vector<std::vector<std::int64_t>> cases{
      {0, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {1, -1, 6, 0, 0}, {1, 2, 3, 1, 2}};
  for (const auto &shifts : cases) {
    const auto got = values_of<std::int64_t>(roll(x, shifts, std::vector{0, 1, 2, 3, -1}));
    for (std::int64_t i = 0; i < x.size(); ++i) {
      std::int64_t rest = i, from = 0, stride = 1;
      for (std::size_t axis = 5; axis-- > 0;) {
        const std::int64_t n = shape[axis], place = rest % n;
        rest /= n;
        from += ((place - shifts[axis]) % n + n) % n * stride;
        stride *= n;
      }
      ASSERT_EQ(got[std::size_t(i)], from);
    }
  }
  EXPECT_EQ(
      values_of<std::int64_t>(roll(counting<std::int64_t>({4}), std::vector<std::int64_t>{1, 1}, std::vector{0, 0})),
      (integers{2, 3, 0, 1}));
  const ndarray square = counting<std::int64_t>({2, 2});
  EXPECT_EQ(values_of<std::int64_t>(roll(square, integers{1}, std::nullopt)), (integers{3, 0, 1, 2}));
  EXPECT_EQ(values_of<std::int64_t>(roll(square, integers{1}, std::vector{0, 1})), (integers{3, 2, 1, 0}));
  refused(refusal::type, [&] { roll(square, integers{1, 1}, std::nullopt); });
  refused(refusal::value, [&] { roll(square, integers{1, 1}, std::vector{0, 1, 0}); });
}

TEST(joins, repeating_elements) {
  const ndarray x = counting<std::int64_t>({2, 3});
  EXPECT_EQ(values_of<std::int64_t>(repeat(x, 2, 1)), (integers{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(values_of<std::int64_t>(repeat(x, 2, 0)), (integers{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(values_of<std::int64_t>(repeat(x, integers{1, 0, 2}, 1)), (integers{0, 2, 2, 3, 5, 5}));
  EXPECT_EQ(values_of<std::int64_t>(repeat(x, integers{2, 2, 1}, 1)), (integers{0, 0, 1, 1, 2, 3, 3, 4, 4, 5}));
  EXPECT_EQ(values_of<std::int64_t>(repeat(x, integers{0, 3}, 0)), (integers{3, 4, 5, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(shape_of(repeat(x, 0, 0)), (shape_t{0, 3}));
  refused(refusal::value, [&] { repeat(x, -1, 0); });
  refused(refusal::value, [&] { repeat(x, integers{1, 2}, 1); });
  // every element another number of times
  const std::int64_t n = 3000;
  integers counts, expected;
  for (std::int64_t i = 0; i < n; ++i) {
    counts.push_back(i % 7);
    expected.insert(expected.end(), std::size_t(i % 7), i);
  }
  EXPECT_EQ(values_of<std::int64_t>(repeat(counting<std::int64_t>({n}), counts, 0)), expected);
}

TEST(joins, repeating_elements_of_arrays_with_the_most_dimensions) {
  shape_t shape(max_dimensions, 1);
  shape[2] = 2, shape[40] = 3, shape[63] = 2;
  const ndarray x = counting<std::int64_t>(shape);
  const auto repeated = [&](const ndarray &got, std::int64_t length) {
    shape_t expected = shape;
    expected[40] = length;
    EXPECT_EQ(shape_of(got), expected);
    return values_of<std::int64_t>(got);
  };
  EXPECT_EQ(repeated(repeat(x, 2, 40), 6),
            (integers{0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9, 8, 9, 10, 11, 10, 11}));
  EXPECT_EQ(repeated(repeat(x, integers{2, 0, 1}, 40), 3), (integers{0, 1, 0, 1, 4, 5, 6, 7, 6, 7, 10, 11}));
  refused(refusal::value, [&] { repeat(x, integers{1, 2}, 40); });
  refused(refusal::value, [&] { repeat(x, integers{1, -2, 1}, 40); });
}

template <class T> class repeating : public ::testing::Test {};
using element_types = ::testing::Types<std::int8_t, std::int16_t, float, double, std::complex<double>>;
TYPED_TEST_SUITE(repeating, element_types);

TYPED_TEST(repeating, elements_of_every_size_another_number_of_times) {
  const std::int64_t n = 100;
  integers counts;
  for (std::int64_t i = 0; i < n; ++i) counts.push_back(i * i % 5);
  const auto value = [](std::int64_t row, std::int64_t i) { return static_cast<TypeParam>(row * 10 + i % 50); };
  std::vector<TypeParam> values, expected;
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t i = 0; i < n; ++i) {
      values.push_back(value(row, i));
      expected.insert(expected.end(), std::size_t(counts[std::size_t(i)]), value(row, i));
    }
  const ndarray x = array_of(values, {3, n});
  EXPECT_EQ(values_of<TypeParam>(repeat(x, counts, 1)), expected);
  const std::vector<int> swapped{1, 0};  // and not contiguous, whole rows at a time
  const ndarray turned = repeat(permute(x, swapped), counts, 0);
  EXPECT_EQ(values_of<TypeParam>(permute(turned, swapped)), expected);
}

TEST(joins, tiling) {
  const ndarray x = counting<std::int64_t>({2, 2});
  EXPECT_EQ(values_of<std::int64_t>(tile(x, shape_t{2})), (integers{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(values_of<std::int64_t>(tile(x, shape_t{2, 1})), (integers{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(shape_of(tile(x, shape_t{3, 2, 2})), (shape_t{3, 4, 4}));
  EXPECT_EQ(shape_of(tile(x, shape_t{0})), (shape_t{2, 0}));
  refused(refusal::value, [&] { tile(x, shape_t{-1}); });
  shape_t most(max_dimensions, 1), twice(max_dimensions, 1);
  most[3] = most[63] = twice[1] = twice[63] = 2;
  const ndarray tiled = tile(counting<std::int64_t>(most), twice);
  most[1] = 2, most[63] = 4;
  EXPECT_EQ(shape_of(tiled), most);
  EXPECT_EQ(values_of<std::int64_t>(tiled), (integers{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
  refused(refusal::value, [&] { tile(x, shape_t(max_dimensions + 1, 1)); });
}

}  // namespace
}  // namespace dpep::array
