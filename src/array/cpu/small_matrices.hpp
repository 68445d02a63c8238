// Linear algebra of small matrices on CPUs, by block kernels.
#pragma once

#include "array/matrix_work.hpp"

namespace dpep::array::cpu {

/// Whether block kernels compute the operation: small matrices, and many of them unless they are very small.
bool has_small_matrices(const matrix_work &) noexcept;
/// executor::apply for those.
event apply_small(const matrix_work &);

}  // namespace dpep::array::cpu
