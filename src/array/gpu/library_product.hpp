// Products of large matrices by cuBLAS.
#pragma once

#include <optional>

#include "array/executor.hpp"
#include "libs/cublas.hpp"

namespace dpep::array::gpu {

/// The product as cuBLAS computes it: its matrices are column-major, so it multiplies the transposed operands in
/// reverse order.
struct library_call {
  struct operand {
    const std::byte *first;
    libs::cuda_transposition transposition;
    std::int64_t leading;  // stride
    std::int64_t step;     // between matrices of the batch
  };
  std::int64_t rows, columns, depth, matrices;  // m, n and k of the library's product
  operand first, second;
  std::byte *result;
  std::int64_t result_leading, result_step;
};
/// Nothing for strides, or a batch, that cuBLAS does not support.
std::optional<library_call> library_call_of(const matrix_product &);

/// Submits the product to cuBLAS. Nothing if the device has none, if it is not worth loading the library, or if cuBLAS
/// does not support the dtype or the strides.
std::optional<event> multiply_by_library(const queue &, const matrix_product &, const ordered_dependencies &,
                                         const owner_list &);

}  // namespace dpep::array::gpu
