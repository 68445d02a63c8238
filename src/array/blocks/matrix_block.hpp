// Products of matrices in blocks: the function type, and the layout of packed operands.
//
// The right operand is packed into panels of `columns` columns, of which each row is contiguous and padded with zeros
// to a multiple of the vector length. Complex numbers are packed with the real parts of a vector before the imaginary
// ones. The left operand may be in any layout; in panels of `rows` rows, of which each column is contiguous, it is read
// fastest.
#pragma once

#include <cstdint>

#include <dpep/dtype.hpp>

namespace dpep::array::blocks {

/// result = left x right, or result += left x right. Strides are in elements.
struct matrix_block {
  std::int64_t rows, columns, depth;
  const void *left;
  std::int64_t left_row, left_column;  // strides
  std::int64_t left_panel;             // from the first row of a panel to that of the next one
  const void *right;                   // packed
  std::int64_t right_panel;
  void *result;  // rows are contiguous
  std::int64_t result_row;
  bool adds;
};

/// left x right for each matrix of a batch. The operands are not packed, and rows of the right one and of the result
/// are contiguous. Strides are in elements.
struct matrix_batch {
  std::int64_t count, rows, columns, depth;
  const void *left;
  std::int64_t left_row, left_column, left_matrix;
  const void *right;
  std::int64_t right_row, right_matrix;
  void *result;
  std::int64_t result_row, result_matrix;
};

/// Rows of the right operand, which are contiguous, that are packed into a panel.
struct matrix_rows {
  std::int64_t rows, columns;  // at most as many columns as a tile has
  const void *from;
  std::int64_t from_row;  // stride in elements
  void *to;
};

/// How products of one dtype are computed.
struct matrix_kernel {
  void (*multiply)(const matrix_block &);
  int rows, columns;  // of a tile of the result that is computed in registers
  int lanes;          // columns of a vector
  // Null where the instruction set cannot read parts of a vector; the latter two also for complex numbers.
  void (*pack)(const matrix_rows &);
  void (*multiply_batch)(const matrix_batch &);  // at most as many columns as a tile has
  void (*multiply_rows)(const matrix_batch &);   // few rows
};
struct matrix_kernels {
  matrix_kernel kernels[dtype_count];  // null functions for int8, uint8 and float16, which are converted
};

}  // namespace dpep::array::blocks
