// Generates the kernels of products of sparse matrices with dense ones.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Work-items of a work-group.
inline constexpr std::int64_t sparse_group = 128;

/// A call of a function of device/array/sparse.cpp. Operands 0 to 4 are starts, indices and values of the matrix, the
/// dense operand, which is not read with `sums`, and the result. Scalars 0 to 2 are the number of rows, of columns of
/// the dense operand, and of work-items for an element of the result.
generated_kernel generate_sparse_multiply(dtype, dtype index, bool sums);

}  // namespace dpep::array::gpu
