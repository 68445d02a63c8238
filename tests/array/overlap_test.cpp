// Common elements of two layouts, compared with the sets of their elements.
#include "array/base/overlap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace dpep::array {
namespace {

std::set<std::int64_t> elements_of(const layout &l) {
  std::set<std::int64_t> all{l.offset};
  for (std::size_t axis = 0; axis < l.shape.size(); ++axis) {
    std::set<std::int64_t> more;
    for (const std::int64_t at : all)
      for (std::int64_t i = 0; i < l.shape[axis]; ++i) more.insert(at + i * l.strides[axis]);
    all = std::move(more);
  }
  return all;
}

bool share_elements(const layout &a, const layout &b) {
  const std::set<std::int64_t> of_a = elements_of(a);
  for (const std::int64_t at : elements_of(b))
    if (of_a.contains(at)) return true;
  return false;
}

layout every_second(std::int64_t row, std::int64_t column) { return {{50, 40}, {2 * 80, 2}, row * 80 + column}; }

TEST(overlap, interleaved_rows_and_columns_share_no_elements) {
  for (const std::int64_t row : {0, 1})
    for (const std::int64_t column : {0, 1})
      for (const std::int64_t to : {0, 1})
        EXPECT_EQ(may_share_elements(every_second(row, column), every_second(to, 1)), row == to && column == 1);
  EXPECT_TRUE(may_share_elements(every_second(0, 0), every_second(2, 2)));
  EXPECT_FALSE(may_share_elements({{0, 5}, {5, 1}, 0}, {{5}, {1}, 0}));
}

TEST(overlap, agrees_with_the_sets_of_elements) {
  std::mt19937 random(1);
  const auto pick = [&](std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(random);
  };
  int shared = 0;
  for (int n = 0; n < 20'000; ++n) {
    const std::int64_t width = pick(1, 9), height = pick(1, 9);
    const auto view = [&] {  // of an array of planes, rows and columns, sliced, reversed and transposed
      std::vector<std::int64_t> shape, strides;
      std::int64_t offset = 0;
      for (const auto &[length, stride] : {std::pair{std::int64_t{4}, height * width}, {height, width}, {width, 1}}) {
        const std::int64_t start = pick(0, length - 1), step = pick(1, 3);
        const std::int64_t count = pick(1, (length - 1 - start) / step + 1);
        const bool reversed = pick(0, 3) == 0;
        offset += (start + (reversed ? (count - 1) * step : 0)) * stride;
        if (count == 1 && pick(0, 1)) continue;
        shape.push_back(count);
        strides.push_back(reversed ? -step * stride : step * stride);
      }
      if (shape.size() > 1 && pick(0, 1)) {
        std::swap(shape[0], shape.back());
        std::swap(strides[0], strides.back());
      }
      return layout(extents_list(shape), extents_list(strides), offset);
    };
    const layout a = view(), b = view();
    const bool expected = share_elements(a, b);
    shared += expected;
    ASSERT_EQ(may_share_elements(a, b), expected) << text_of(a.shape) << text_of(a.strides) << a.offset << " and "
                                                  << text_of(b.shape) << text_of(b.strides) << b.offset;
  }
  EXPECT_GT(shared, 2'000);
  EXPECT_LT(shared, 10'000);
}

}  // namespace
}  // namespace dpep::array
