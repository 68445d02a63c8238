// How a reduction's work is shared out among work-items and work-groups.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

inline constexpr std::int64_t reduction_group = 256;

/// Whether taking an element in, and merging, are long code: a kernel has them as few times as it can.
inline bool has_long_steps(reduction how) noexcept { return how == reduction::logsumexp; }

/// A work-group is `along_kept` times `along_reduced` work-items, and takes as many kept items; the reduced ones are
/// shared out among `parts` work-groups, in turns of `unrolled` times `along_reduced` items. An item is `lanes`
/// neighbouring elements: along a reduced axis, which are put together in the end ("rows"), or along a kept one, each
/// of which has a state of its own ("columns"). Everything here depends on sizes only, and so do sums.
struct reduction_shape {
  bool columns = false;
  int lane_axis = -1, lanes = 1;
  std::vector<int> kept, reduced;                            // axes, the lane axis last
  std::int64_t kept_items = 1, reduced_items = 1, rest = 0;  // elements behind the last vector of a lone reduced axis
  std::int64_t along_kept = 1, along_reduced = reduction_group, parts = 1;
  int unrolled = 1;
  int groups_at_once = 1;         // of a processor
  bool hides_invariants = false;  // too many values stay the same from step to step to be kept in registers

  int states() const noexcept { return columns ? lanes : 1; }
  std::int64_t kept_blocks() const noexcept { return (kept_items + along_kept - 1) / along_kept; }
};

reduction_shape shape_of(const work &, const kernel_pass &);

}  // namespace dpep::array::gpu
