// The distribution of a reduction over work-items and work-groups.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

inline constexpr std::int64_t reduction_group = 256;

/// A work-group has `along_kept` times `along_reduced` work-items and computes `along_kept` kept items. The reduced
/// items are distributed over `parts` work-groups, in turns of `unrolled` times `along_reduced` items. An item is
/// `lanes` adjacent elements: along a reduced axis, merged at the end ("rows"), or along a kept axis, each with its own
/// state ("columns"). The shape depends only on sizes of the program and of
/// the device, and so do the results of sums.
struct reduction_shape {
  bool columns = false;
  int lane_axis = -1, lanes = 1;
  std::vector<int> kept, reduced;  // axes, the lane axis last
  // elements after the last whole vector, if there is a single reduced axis
  std::int64_t kept_items = 1, reduced_items = 1, rest = 0;
  std::int64_t along_kept = 1, along_reduced = reduction_group, parts = 1;
  int unrolled = 1;
  bool all_at_once = false;       // a work-item has few items, all of which it loads before it reduces any
  int resident_groups = 1;        // work-groups resident on a compute unit
  bool hides_invariants = false;  // there are too many loop-invariant values to keep in registers

  int states() const noexcept { return columns ? lanes : 1; }
  std::int64_t kept_blocks() const noexcept { return (kept_items + along_kept - 1) / along_kept; }
};

reduction_shape shape_of(const kernel_program &, const kernel_pass &);

}  // namespace dpep::array::gpu
