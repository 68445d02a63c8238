// Products of matrices and of vectors.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

struct product_options {
  std::optional<dtype> type;  // to compute in; the operands must be castable to it by the rule same_kind
  order layout = order::keep;
  const ndarray *out = nullptr;  // with the result's shape and dtype; may overlap the operands
};
/// The product of matrices, the last two axes of the operands; other axes broadcast. A vector is a row on the left and
/// a column on the right, and its axis is dropped from the result. Without a dtype, computes in that of the operands'
/// product element by element: integers wrap, of bools the sum is `or`. float16 is summed in float32. refusal::value
/// for operands of 0 dimensions and for shapes that do not match.
DPEP_API ndarray matmul(const ndarray &x1, const ndarray &x2, const product_options & = {});

/// x1 = matmul(x1, x2) in the dtype of x1. refusal::value for a vector x2, and if the product has another shape.
DPEP_API void matmul_in_place(const ndarray &x1, const ndarray &x2);

/// The sum of products over axes of x1 and as many of x2, in pairs, which must have equal lengths. The result has the
/// other axes of x1, then those of x2.
DPEP_API ndarray tensordot(const ndarray &x1, const ndarray &x2, std::span<const int> axes1,
                           std::span<const int> axes2);
/// The same over the last `count` axes of x1 and the first ones of x2.
DPEP_API ndarray tensordot(const ndarray &x1, const ndarray &x2, std::int64_t count);

/// The sum of products of the elements of x1, complex conjugated, and x2 along the axis; other axes broadcast. An axis
/// that is not negative is only for operands with the same number of axes. Deferred, as sums are.
DPEP_API ndarray vecdot(const ndarray &x1, const ndarray &x2, int axis);

}  // namespace dpep::array
