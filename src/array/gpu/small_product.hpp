// Products of many small matrices, and of matrices of many short rows, on devices that do not run host code.
#pragma once

#include <optional>

#include "array/base/matrix_product.hpp"
#include "array/executor.hpp"

namespace dpep::array::gpu {

/// Submits the product. Nothing if a row of the result or the depth is too long, or if there are few rows: a kernel is
/// compiled for each length of rows.
std::optional<event> multiply_rows(const queue &, const matrix_product &, const ordered_dependencies &);

}  // namespace dpep::array::gpu
