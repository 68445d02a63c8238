// Products of arrays' matrices in the form that executors compute.
#pragma once

#include <optional>

#include "array/base/layout.hpp"
#include "array/base/matrix_product.hpp"

namespace dpep::array {

/// An operand or the result: matrices in the last two axes, the batch in the others. Lengths of 1 of operands
/// broadcast.
struct matrix_array {
  std::byte *first;
  const layout &of;
};

/// The product with as few axes of the batch as possible, and with operands exchanged if that makes rows of the result
/// contiguous. Nothing if neither rows nor columns of the result are, and if the batch has too many axes.
std::optional<matrix_product> product_form(dtype, const matrix_array &left, const matrix_array &right,
                                           const matrix_array &result);

}  // namespace dpep::array
