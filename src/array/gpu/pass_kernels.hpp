// Kernels of passes: their text, and how they are launched.
#pragma once

#include <cstdint>
#include <string>

#include "array/gpu/pass_split.hpp"

namespace dpep::array::gpu {

struct made_kernel {
  std::string name, text;
  argument_block arguments;
  std::uint32_t local = 256;  // work-items of a work-group
  std::uint32_t sub_group = 1;
  std::int64_t groups = 1;
  std::size_t workspace_bytes = 0;  // beside temporaries, from the offset that the maker was given
  bool uses_counters = false;
};

/// Work-groups of a launch that use the queue's counters.
inline constexpr std::int64_t most_counters = 4096;

made_kernel make_element_kernel(const work &, const kernel_pass &);
/// Where operands disagree on the axis along which they are contiguous: the axes, result's first.
struct disagreement {
  int result_axis, other_axis;
  std::vector<std::uint16_t> others;  // operands that are contiguous along the other axis
};
std::optional<disagreement> find_disagreement(const work &, const kernel_pass &);
made_kernel make_tile_kernel(const work &, const kernel_pass &, const disagreement &);
/// `workspace`: where its part of the workspace begins.
made_kernel make_reduction_kernel(const work &, const kernel_pass &, std::size_t workspace);

// -- What they share

/// Axes of the set in order, the last one last.
std::vector<int> axes_in(const work &, axis_set, int last);
/// Indices of the axes from an index that counts all of their places, where the last axis is submission_counts by `lanes`.
void split_index(kernel_text &, const work &, const std::vector<int> &axes, std::string index, int lanes, place &);
/// All values below these, each once, inputs first.
std::vector<value_id> values_below(const work &, const std::vector<value_id> &);
/// Nanoseconds of a CPU's core, roughly, for what has to be computed for one element.
double cost_of(const work &, const std::vector<value_id> &);
/// Milliseconds that compiling these values takes, each written once.
double compile_milliseconds_of(const work &, const std::vector<value_id> &);
/// As many copies of code as compile in time, halved from `wanted`.
int few_enough(int wanted, double milliseconds) noexcept;
/// The axis of these along which most bytes are neighbours; -1 where none are.
int contiguous_axis(const work &, axis_set among, const std::vector<value_id> &);
/// How many neighbouring elements along the axis a work-item takes at once; 1 where memory does not suit more.
int lanes_along(const work &, int axis, const std::vector<value_id> &, bool any_length);
bool needs_wide_indices(const work &, axis_set) noexcept;

}  // namespace dpep::array::gpu
