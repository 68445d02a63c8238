// Accumulations along an axis on devices that do not run host code.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::scan.
void scan(accumulation, array_object &from, array_object &to, int axis);
/// Starts to compile the kernel of cumulative sums of that many elements of type int64.
void expect_sum(const queue &, std::int64_t length);

}  // namespace dpep::array::gpu
