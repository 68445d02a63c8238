// Products as calls of cuBLAS, which are computed here by a loop over column-major matrices.
#include <gtest/gtest.h>

#include <numeric>

#include "array/gpu/library_product.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;
using memory = std::vector<double>;

matrix_operand operand_in(memory &m, int64_t row, int64_t column) {
  return {reinterpret_cast<std::byte *>(m.data()), row, column};
}
double at(const std::byte *first, int64_t offset) { return reinterpret_cast<const double *>(first)[offset]; }

/// What the library does with these parameters.
void execute(const library_call &c) {
  const auto element = [](const library_call::operand &o, int64_t matrix, int64_t i, int64_t j) {
    const bool transposed = o.transposition == libs::cuda_transposition::plain;
    return at(o.first, matrix * o.step + (transposed ? j + i * o.leading : i + j * o.leading));
  };
  for (int64_t matrix = 0; matrix < c.matrices; ++matrix)
    for (int64_t i = 0; i < c.rows; ++i)
      for (int64_t j = 0; j < c.columns; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < c.depth; ++k) sum += element(c.first, matrix, i, k) * element(c.second, matrix, k, j);
        reinterpret_cast<double *>(c.result)[matrix * c.result_step + i + j * c.result_leading] = sum;
      }
}

struct sizes {
  int64_t rows, columns, depth;
};

/// Both orders of both operands, with a margin after each line, in a batch of which the left operand is common.
void check(const sizes &s, bool transposes_left, bool transposes_right) {
  constexpr int64_t margin = 2, matrices = 2;
  const auto lines = [](bool transposed, int64_t rows, int64_t columns) {
    return transposed ? std::pair{int64_t{1}, rows + margin} : std::pair{columns + margin, int64_t{1}};
  };
  const auto [left_row, left_column] = lines(transposes_left, s.rows, s.depth);
  const auto [right_row, right_column] = lines(transposes_right, s.depth, s.columns);
  memory left(1000), right(2000), result(2000);
  std::iota(left.begin(), left.end(), 1);
  std::iota(right.begin(), right.end(), 5);
  matrix_product p{};
  p.type = dtype::float64;
  p.rows = s.rows, p.columns = s.columns, p.depth = s.depth;
  p.left = operand_in(left, left_row, left_column);
  p.right = operand_in(right, right_row, right_column);
  p.result = operand_in(result, s.columns + margin, 1);
  p.axes = 1;
  p.batch[0] = matrices, p.left_batch[0] = 0, p.right_batch[0] = 500, p.result_batch[0] = 700;
  const std::optional<library_call> call = library_call_of(p);
  ASSERT_TRUE(call);
  execute(*call);
  for (int64_t m = 0; m < matrices; ++m)
    for (int64_t i = 0; i < s.rows; ++i)
      for (int64_t j = 0; j < s.columns; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < s.depth; ++k)
          sum += left[std::size_t(i * left_row + k * left_column)] *
                 right[std::size_t(m * 500 + k * right_row + j * right_column)];
        ASSERT_EQ(result[std::size_t(m * 700 + i * (s.columns + margin) + j)], sum) << m << ' ' << i << ' ' << j;
      }
}

TEST(library_product, of_all_orders_of_the_operands) {
  for (const sizes &s : {sizes{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 1, 5}})
    for (const bool left : {false, true})
      for (const bool right : {false, true}) check(s, left, right);
}

TEST(library_product, not_of_strides_that_the_library_lacks) {
  memory m(100);
  matrix_product p{};
  p.type = dtype::float64;
  p.rows = p.columns = p.depth = 3;
  p.left = p.right = p.result = operand_in(m, 3, 1);
  EXPECT_TRUE(library_call_of(p));
  matrix_product other = p;
  other.left = operand_in(m, 6, 2);
  EXPECT_FALSE(library_call_of(other)) << "no contiguous axis";
  other = p;
  other.right = operand_in(m, -3, 1);
  EXPECT_FALSE(library_call_of(other)) << "a negative stride";
  other = p;
  other.right = operand_in(m, 0, 1);
  EXPECT_FALSE(library_call_of(other)) << "rows that broadcast";
  other = p;
  other.axes = 2;
  EXPECT_FALSE(library_call_of(other)) << "a batch of two axes";
}

}  // namespace
}  // namespace dpep::array::gpu
