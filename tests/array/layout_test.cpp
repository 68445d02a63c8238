// Layouts: contiguity, bounds, and the memory order of results.
#include "array/base/layout.hpp"

#include <gtest/gtest.h>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using testing::refused;
using testing::shape_t;

shape_t list(const extents_list &l) { return {l.begin(), l.end()}; }

TEST(layouts, contiguous_in_either_order) {
  const layout rows = layout::contiguous(shape_t{2, 3, 4});
  EXPECT_EQ(list(rows.strides), (shape_t{12, 4, 1}));
  EXPECT_TRUE(rows.row_major);
  EXPECT_FALSE(rows.column_major);
  const layout columns = layout::contiguous(shape_t{2, 3, 4}, order::column_major);
  EXPECT_EQ(list(columns.strides), (shape_t{1, 2, 6}));
  EXPECT_FALSE(columns.row_major);
  EXPECT_TRUE(columns.column_major);
  EXPECT_EQ(columns.size, 24);
}

TEST(layouts, axes_of_length_one_and_empty_arrays_are_contiguous_whatever_their_strides) {
  struct {
    shape_t shape, strides;
    bool rows, columns;
  } const cases[] = {
      {{}, {}, true, true},           {{5}, {1}, true, true},        {{5}, {2}, false, false},
      {{5}, {-1}, false, false},      {{1}, {77}, true, true},       {{1, 5}, {77, 1}, true, true},
      {{5, 1}, {1, -3}, true, true},  {{3, 4}, {4, 1}, true, false}, {{3, 4}, {1, 3}, false, true},
      {{3, 4}, {0, 1}, false, false}, {{0, 4}, {9, 9}, true, true},
  };
  for (const auto &c : cases) {
    const layout l(extents(c.shape), extents(c.strides), 0);
    EXPECT_EQ(l.row_major, c.rows) << text_of(c.shape) << text_of(c.strides);
    EXPECT_EQ(l.column_major, c.columns) << text_of(c.shape) << text_of(c.strides);
  }
}

TEST(layouts, bounds_are_the_first_and_last_element_reached) {
  const layout l(extents_list{3, 4}, extents_list{-10, 2}, 25);
  EXPECT_EQ(l.bounds(), std::pair(std::int64_t{5}, std::int64_t{31}));
}

TEST(layouts, impossible_shapes_are_refused) {
  refused(refusal::value, [] { static_cast<void>(layout::contiguous(shape_t{3, -1})); });
  refused(refusal::value, [] { static_cast<void>(layout::contiguous(shape_t(65, 1))); });
  refused(refusal::value, [] { static_cast<void>(layout::contiguous(shape_t{1LL << 40, 1LL << 40})); });
  EXPECT_EQ(layout::contiguous(shape_t{0, 1LL << 40}).size, 0);
}

TEST(layouts, lists_grow_beyond_their_inline_storage) {
  extents_list many(9, 3);
  extents_list copied = many;
  copied[8] = 5;
  EXPECT_EQ(many[8], 3);
  many = std::move(copied);
  EXPECT_EQ(many[8], 5);
  EXPECT_EQ(many.size(), 9u);
}

TEST(layouts, results_keep_their_operands_order_of_axes) {
  const auto kept = [](shape_t shape, std::vector<layout> operands) {
    std::vector<const layout *> pointers;
    for (const layout &l : operands) pointers.push_back(&l);
    return list(kept_order_strides(shape, pointers));
  };
  const auto rows = layout::contiguous(shape_t{2, 3, 4});
  const auto columns = layout::contiguous(shape_t{2, 3, 4}, order::column_major);
  const layout swapped(extents_list{2, 3, 4}, extents_list{4, 8, 1}, 0);  // axes (1, 0, 2) in memory
  EXPECT_EQ(kept({2, 3, 4}, {rows, rows}), (shape_t{12, 4, 1}));
  EXPECT_EQ(kept({2, 3, 4}, {columns}), (shape_t{1, 2, 6}));
  EXPECT_EQ(kept({2, 3, 4}, {columns, columns}), (shape_t{1, 2, 6}));
  EXPECT_EQ(kept({2, 3, 4}, {rows, columns}), (shape_t{12, 4, 1}));  // the operands disagree: row-major order
  EXPECT_EQ(kept({2, 3, 4}, {swapped}), (shape_t{4, 8, 1}));
  const layout backwards(extents_list{3, 4}, extents_list{-4, -1}, 11);
  EXPECT_EQ(kept({3, 4}, {backwards}), (shape_t{4, 1}));
  const layout stretched(extents_list{1, 4}, extents_list{0, 1}, 0);
  const auto columns2 = layout::contiguous(shape_t{3, 4}, order::column_major);
  EXPECT_EQ(kept({3, 4}, {columns2, stretched}), (shape_t{1, 3}));  // axes of length 1 do not count
}

}  // namespace
}  // namespace dpep::array
