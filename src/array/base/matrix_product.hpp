// Products of matrices in memory, as executors compute them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <dpep/dtype.hpp>

namespace dpep::array {

/// A matrix in memory. Strides are in elements.
struct matrix_operand {
  std::byte *first;
  std::int64_t row, column;
};

/// result = left x right for each matrix of a batch, all of one dtype. Products and sums of integers wrap; of bools,
/// they are `and` and `or`. Sums of float16 are float32.
struct matrix_product {
  static constexpr std::size_t max_axes = 3;
  using extents = std::array<std::int64_t, max_axes>;

  dtype type;
  std::int64_t rows, columns, depth;              // left: rows x depth; right: depth x columns; none is 0
  matrix_operand left, right, result;             // the result's rows are contiguous, and it overlaps no operand
  std::size_t axes = 0;                           // of the batch, outermost first
  extents batch;                                  // lengths
  extents left_batch, right_batch, result_batch;  // strides

  std::int64_t matrices() const noexcept {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < axes; ++i) count *= batch[i];
    return count;
  }
  /// The distance in elements of a matrix of the batch from the first one.
  std::int64_t offset(std::int64_t matrix, const extents &strides) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t i = axes; i-- > 0; matrix /= batch[i]) sum += matrix % batch[i] * strides[i];
    return sum;
  }
};

}  // namespace dpep::array
