// Views by strides, as other dtypes, and of all of the memory.
#include <dpep/array_views.hpp>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

std::vector<std::int64_t> seen(const ndarray &x) { return values_of<std::int64_t>(x); }

TEST(strided_view, shows_elements_at_the_strides) {
  const ndarray x = counting<std::int64_t>({6});
  EXPECT_EQ(seen(strided_view(x, shape_t{2, 3}, shape_t{1, 2})), (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(seen(strided_view(x, shape_t{2, 2}, shape_t{0, 1})), (std::vector<std::int64_t>{0, 1, 0, 1}));
  EXPECT_EQ(strided_view(x, shape_t{0, 9}, shape_t{7, 7}).size(), 0);
}

TEST(strided_view, stays_inside_the_memory) {
  const ndarray x = counting<std::int64_t>({6});
  EXPECT_EQ(refused(refusal::value, [&] { strided_view(x, shape_t{4}, shape_t{2}); }),
            "as_strided: shape (4,) with strides (2,) has elements 0 to 6 of a memory of 6 elements");
  refused(refusal::value, [&] { strided_view(x, shape_t{2}, shape_t{-1}); });
  refused(refusal::value, [&] { strided_view(x, shape_t{2, 2}, shape_t{1}); });
}

TEST(view_as, changes_the_last_axis_with_the_size_of_elements) {
  const ndarray x = array_of<std::int32_t>({1, 0, 2, 0}, {2, 2});
  const ndarray wide = view_as(x, dtype::int64);
  EXPECT_EQ(shape_of(wide), (shape_t{2, 1}));
  EXPECT_EQ(seen(wide), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(shape_of(view_as(x, dtype::int16)), (shape_t{2, 4}));
  refused(refusal::value, [&] { view_as(permute(x, std::vector{1, 0}), dtype::int64); });
}

TEST(base_of_view, is_the_memory_of_views_only) {
  const ndarray x = counting<std::int64_t>({6});
  EXPECT_FALSE(base_of_view(x));
  const index part{index::kind::slice, 1, 2, 2};
  const auto base = base_of_view(view(x, {&part, 1}));
  ASSERT_TRUE(base);
  EXPECT_EQ(seen(*base), seen(x));
}

}  // namespace
}  // namespace dpep::array
