// The form of products that executors compute.
#include "array/base/matrix_form.hpp"

#include <cstdlib>
#include <utility>

#include <dpep/array.hpp>

namespace dpep::array {
namespace {

matrix_operand operand_of(const matrix_array &a) noexcept {
  const std::size_t n = a.of.shape.size();
  return {a.first, a.of.strides[n - 2], a.of.strides[n - 1]};
}

/// The stride along an axis of the batch, which is counted from the innermost one; 0 where the operand broadcasts.
std::int64_t batch_stride(const layout &l, std::size_t from_inner) noexcept {
  if (from_inner + 2 >= l.shape.size()) return 0;
  const std::size_t axis = l.shape.size() - 3 - from_inner;
  return l.shape[axis] == 1 ? 0 : l.strides[axis];
}

/// Adds the axes of the batch, outermost first. Axes that follow each other in memory become one. Returns whether all
/// have room.
bool add_batch(matrix_product &p, const layout &left, const layout &right, const layout &result) noexcept {
  for (std::size_t k = result.shape.size() - 2; k-- > 0;) {
    const std::int64_t length = result.shape[result.shape.size() - 3 - k];
    if (length == 1) continue;
    const std::int64_t strides[] = {batch_stride(left, k), batch_stride(right, k), batch_stride(result, k)};
    matrix_product::extents *const of[] = {&p.left_batch, &p.right_batch, &p.result_batch};
    bool joins = p.axes > 0;
    for (std::size_t i = 0; i < 3 && joins; ++i) joins = (*of[i])[p.axes - 1] == strides[i] * length;
    if (!joins && p.axes == matrix_product::max_axes) return false;
    if (!joins) p.batch[p.axes++] = 1;
    p.batch[p.axes - 1] *= length;
    for (std::size_t i = 0; i < 3; ++i) (*of[i])[p.axes - 1] = strides[i];
  }
  return true;
}

/// Makes the innermost axis of the batch rows, if the right operand is common to its matrices.
void join_rows(matrix_product &p) noexcept {
  while (p.axes > 0 && p.right_batch[p.axes - 1] == 0) {
    const std::size_t inner = p.axes - 1;
    if (p.rows == 1) {
      p.left.row = p.left_batch[inner];
      p.result.row = p.result_batch[inner];
    } else if (p.left_batch[inner] != p.rows * p.left.row || p.result_batch[inner] != p.rows * p.result.row) {
      return;
    }
    p.rows *= p.batch[inner];
    --p.axes;
  }
}

/// The product of the transposed matrices.
void transpose(matrix_product &p) noexcept {
  const auto transposed = [](const matrix_operand &m) { return matrix_operand{m.first, m.column, m.row}; };
  const matrix_operand left = p.left;
  p.left = transposed(p.right);
  p.right = transposed(left);
  p.result = transposed(p.result);
  std::swap(p.rows, p.columns);
  std::swap(p.left_batch, p.right_batch);
}

/// Orders the columns so that those of the result are at increasing addresses.
void make_columns_ascend(matrix_product &p) noexcept {
  const auto bytes = static_cast<std::int64_t>(size_of(p.type));
  p.right.first += (p.columns - 1) * p.right.column * bytes;
  p.result.first += (p.columns - 1) * p.result.column * bytes;
  p.right.column = -p.right.column;
  p.result.column = -p.result.column;
}

bool has_contiguous_rows(const matrix_product &p) noexcept { return p.columns == 1 || std::abs(p.result.column) == 1; }
bool has_contiguous_columns(const matrix_product &p) noexcept { return p.rows == 1 || std::abs(p.result.row) == 1; }

/// Whether a product of a vector is better computed with exchanged operands: a matrix is read row by row.
bool prefers_transposed(const matrix_product &p) noexcept {
  if (p.columns == 1) return std::abs(p.left.row) == 1 && std::abs(p.left.column) != 1;
  if (p.rows == 1) return std::abs(p.right.row) == 1 && std::abs(p.right.column) != 1;
  return false;
}

}  // namespace

std::optional<matrix_product> product_form(dtype type, const matrix_array &left, const matrix_array &right,
                                           const matrix_array &result) {
  const std::size_t n = result.of.shape.size();
  matrix_product p;
  p.type = type;
  p.rows = result.of.shape[n - 2];
  p.columns = result.of.shape[n - 1];
  p.depth = left.of.shape[left.of.shape.size() - 1];
  p.left = operand_of(left);
  p.right = operand_of(right);
  p.result = operand_of(result);
  if (!add_batch(p, left.of, right.of, result.of)) return std::nullopt;
  if (has_contiguous_rows(p)) join_rows(p);
  if (!has_contiguous_rows(p) && !has_contiguous_columns(p)) return std::nullopt;
  if (!has_contiguous_rows(p) || (has_contiguous_columns(p) && prefers_transposed(p))) transpose(p);
  if (p.columns == 1)
    p.result.column = 1;
  else if (p.result.column < 0)
    make_columns_ascend(p);
  return p;
}

}  // namespace dpep::array
