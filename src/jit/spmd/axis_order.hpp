// The order of a launch's dimensions in loops over work-items.
#pragma once

#include <array>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// The dimensions from the innermost loop to the outermost one.
using axis_order = std::array<unsigned, 3>;

/// Chooses the innermost dimension such that neighbouring work-items access neighbouring elements: dimension 0, unless
/// another one has far fewer gathers and scatters, as in kernels that take the first id as x: `a[y * width + x]`.
/// `ids` are the arguments that advance by one from work-item to work-item along each dimension, null for those that
/// are too short. Any order is correct for work-items without barriers; strides are estimated as if 32-bit arithmetic
/// did not wrap around.
axis_order choose_axis_order(llvm::Function &, const std::array<llvm::Argument *, 3> &ids);

inline constexpr axis_order usual_axis_order{0, 1, 2};

}  // namespace dpep::jit::spmd
