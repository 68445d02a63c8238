// Transforms as calls of cuFFT, whose operands are addressed here by a loop.
#include <gtest/gtest.h>

#include <map>

#include "array/gpu/fourier_library.hpp"
#include "host_values.hpp"

namespace dpep::array::gpu {
namespace {

using namespace testing;
using std::int64_t;

constexpr dtype single = dtype::complex64;

/// The index in x of the first element of each line, by the index in y of the first element of the line's result.
std::map<int64_t, int64_t> lines_in(const fourier_call &c) {
  std::map<int64_t, int64_t> lines;
  for (int64_t repeat = 0; repeat < c.repeats; ++repeat)
    for (int64_t line = 0; line < c.layout.batch; ++line)
      lines[repeat * c.to_repeat + line * c.layout.to_distance] =
          repeat * c.from_repeat + line * c.layout.from_distance;
  return lines;
}

/// The same, from the arrays' strides; y is row-major with `y_length` elements along the axis.
std::map<int64_t, int64_t> expected_lines(const ndarray &x, int axis, int64_t y_length) {
  std::map<int64_t, int64_t> lines{{0, 0}};
  int64_t distance = 1;
  for (int a = x.dimensions(); a-- > 0;) {
    const int64_t count = x.shape()[std::size_t(a)], stride = x.strides()[std::size_t(a)];
    if (a != axis) {
      std::map<int64_t, int64_t> more;
      for (const auto &[to, from] : lines)
        for (int64_t i = 0; i < count; ++i) more[to + i * distance] = from + i * stride;
      lines = more;
    }
    distance *= a == axis ? y_length : count;
  }
  return lines;
}

void check(fourier_kind what, const ndarray &x, int axis) {
  const int64_t length = x.shape()[std::size_t(axis)];
  const int64_t y_length = what == fourier_kind::real_to_complex ? length / 2 + 1 : length;
  const std::optional<fourier_lines> lines = lines_of(x, axis);
  ASSERT_TRUE(lines);
  const std::optional<fourier_call> call = fourier_call_of({what, single, length}, *lines);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->layout.length, length);
  EXPECT_EQ(call->layout.from_step, x.strides()[std::size_t(axis)]);
  int64_t to_step = 1;
  for (int a = axis + 1; a < x.dimensions(); ++a) to_step *= x.shape()[std::size_t(a)];
  EXPECT_EQ(call->layout.to_step, to_step);
  EXPECT_EQ(lines_in(*call), expected_lines(x, axis, y_length));
}

TEST(fourier_library, of_every_axis_of_row_major_arrays) {
  for (const int axis : {0, 1, 2, 3}) {
    check(fourier_kind::forward, empty(shape_t{3, 4, 6, 8}, single, here()), axis);
    check(fourier_kind::real_to_complex, empty(shape_t{3, 4, 6, 8}, dtype::float32, here()), axis);
  }
  check(fourier_kind::backward, empty(shape_t{10}, single, here()), 0);
}

TEST(fourier_library, of_strided_lines) {
  const ndarray x = empty(shape_t{6, 10, 12}, single, here());
  const index every_second[] = {{index::kind::ellipsis}, {index::kind::slice, 1, 5, 2}};
  check(fourier_kind::forward, view(x, every_second), 2);
  const int first[] = {2, 0, 1}, reversed[] = {2, 1, 0};
  check(fourier_kind::forward, permute(x, first), 0);
  check(fourier_kind::forward, permute(x, reversed), 1);
}

TEST(fourier_library, of_few_calls_where_one_plan_is_not_enough) {
  const auto call_of = [](const shape_t &shape) {
    return fourier_call_of({fourier_kind::forward, single, shape[1]}, *lines_of(empty(shape, single, here()), 1));
  };
  EXPECT_EQ(call_of({1000, 64, 4})->repeats, 4);
  EXPECT_EQ(call_of({4, 64, 1000})->repeats, 4);
  EXPECT_EQ(call_of({100, 1024, 1024})->repeats, 100) << "much work for each call";
  EXPECT_FALSE(call_of({100, 8, 100})) << "the axis is moved instead";
}

TEST(fourier_library, not_of_strides_that_the_library_lacks) {
  const auto call_of = [](const ndarray &x, int axis) {
    return fourier_call_of({fourier_kind::forward, single, x.shape()[std::size_t(axis)]}, *lines_of(x, axis));
  };
  const ndarray x = empty(shape_t{4, 6, 10}, single, here());
  EXPECT_FALSE(call_of(flip(x), 2)) << "negative strides";
  const int64_t shape[] = {5, 10};
  EXPECT_FALSE(call_of(broadcast_to(empty(shape_t{10}, single, here()), shape), 1)) << "lines that broadcast";
  const index part[] = {{index::kind::slice, 0, 4}, {index::kind::slice, 0, 5}};
  EXPECT_FALSE(call_of(view(x, part), 2)) << "lines along two axes that are no single one";
  EXPECT_FALSE(lines_of(permute(empty(shape_t{2, 3, 2, 3, 5}, single, here()), std::array{3, 2, 1, 0, 4}), 4));
}

TEST(fourier_library, not_of_calls_whose_operands_would_not_be_aligned) {
  const auto call_of = [](int64_t outer, int64_t inner) {
    const ndarray x = empty(shape_t{outer, 8, inner}, dtype::float32, here());
    return fourier_call_of({fourier_kind::real_to_complex, single, 8}, *lines_of(x, 1));
  };
  EXPECT_FALSE(call_of(30, 3)) << "every second call would begin in the middle of a complex number";
  EXPECT_TRUE(call_of(3, 30));
}

}  // namespace
}  // namespace dpep::array::gpu
