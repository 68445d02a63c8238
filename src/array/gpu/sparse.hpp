// Products of sparse matrices with dense ones on devices that do not run host code.
#pragma once

#include "array/sparse_work.hpp"

namespace dpep::array::gpu {

/// See executor::apply. Throws errc::feature_not_supported for other operations than sparse_operation::multiply.
void apply(const sparse_work &);

}  // namespace dpep::array::gpu
