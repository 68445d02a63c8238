// Generates the kernels of products of matrices.
#pragma once

#include "array/base/matrix_product.hpp"
#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// A tile of the result that a work-group computes.
struct product_tile {
  bool is_large;
  std::int64_t length;  // of both sides
  std::int64_t depth;   // of a step
};
product_tile large_tile(dtype) noexcept;
product_tile small_tile() noexcept;
dtype multiplied_as(dtype) noexcept;  // names the function: signed integers are multiplied as unsigned ones
dtype sum_type(dtype) noexcept;       // of sums of products

/// Memory operands and scalars of the kernels.
namespace product_operand {
enum : std::size_t { left, right, result, count };
}
namespace product_scalar {
enum : std::uint16_t {
  rows,
  columns,
  depth,
  part,  // depth of the parts that the matrices of the batch are; 0 for others
  left_row,
  left_column,
  right_row,
  right_column,
  result_row,
  batch,  // lengths, then the strides of the operands and of the result
  count = batch + 4 * matrix_product::max_axes
};
}

generated_kernel generate_product(dtype, const product_tile &);
/// The sums of parts of the depth, without conversion to the dtype.
generated_kernel generate_product_part(dtype, const product_tile &);
/// Adds the sums of all parts: memory operands left and result, scalars rows, columns, result_row and part, the number
/// of parts.
generated_kernel generate_product_sum(dtype);

}  // namespace dpep::array::gpu
